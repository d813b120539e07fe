import { LodeError } from '#kernel';
import type { PaymentCurrency } from '../currencies.js';
import type { AccountEvent } from './events.js';
import type { AddressSlot, OpenAccount, WalletAddress } from './state.js';

export type AddressCommand =
  | {
      readonly type: 'SaveWalletAddress';
      /** Encrypted. */
      readonly address: string;
      /** Left out, it is that of every currency that has none of its own. */
      readonly currency?: PaymentCurrency | undefined;
      /** Whether the address of every currency can be one of this currency: then that one is changed. */
      readonly isAnyIts?: boolean;
      /** For how long another one than the first waits; left out, not at all. */
      readonly waitMs?: number;
    }
  | { readonly type: 'CancelWalletAddress'; readonly currency?: PaymentCurrency | undefined };

type Of<Type extends AddressCommand['type']> = Extract<AddressCommand, { type: Type }>;

/** What of a slot is in force at `now`; null when it has nothing. */
export function inForce(kept: WalletAddress | undefined, now: string): string | null {
  if (kept === undefined) return null;
  return isWaiting(kept, now) ? kept.address : (kept.next?.address ?? kept.address);
}

/** Whether something takes the place of what is in force later than `now`. */
export function isWaiting({ next }: WalletAddress, now: string): boolean {
  return next !== null && Date.parse(next.from) > Date.parse(now);
}

/** Whose address a withdrawal in a currency goes to: its own, or else the one of every currency. */
export function slotOf(
  { addresses }: Pick<OpenAccount, 'addresses'>,
  currency: PaymentCurrency,
): AddressSlot {
  return addresses[currency] === undefined ? 'any' : currency;
}

/** Where a withdrawal in a currency goes at `now`, encrypted; null while it has nowhere to go. */
export function payoutAddress(
  state: Pick<OpenAccount, 'addresses'>,
  currency: PaymentCurrency,
  now: string,
): string | null {
  return inForce(state.addresses[slotOf(state, currency)], now);
}

/**
 * The first address is in force at once. Another one waits, and the one in force goes on until then; to save that one
 * again is to cancel the change.
 */
export function saveWalletAddress(
  { address, currency, isAnyIts = false, waitMs = 0 }: Of<'SaveWalletAddress'>,
  state: OpenAccount,
  now: string,
): readonly AccountEvent[] {
  const slot = currency ?? 'any';
  const own = state.addresses[slot];
  const waits = own !== undefined && isWaiting(own, now);
  if (own !== undefined && waits && own.next?.address === address) return [];
  const before = inForce(own, now) ?? (isAnyIts ? inForce(state.addresses.any, now) : null);
  if (own !== undefined && before === address) return waits ? [canceled(slot)] : [];
  const isAtOnce = before === null || before === address || waitMs === 0;
  const from = new Date(Date.parse(now) + waitMs).toISOString();
  const data = { address, currency: currency ?? null };
  return [
    { type: 'WalletAddressSaved', data: { ...data, waits: isAtOnce ? null : { from, meanwhile: before } } },
  ];
}

/** Keeps the address in force. Refuses with `wallet_address_in_force` once the other one is. */
export function cancelWalletAddress(
  { currency }: Of<'CancelWalletAddress'>,
  state: OpenAccount,
  now: string,
): readonly AccountEvent[] {
  const slot = currency === undefined ? 'any' : slotOf(state, currency);
  const kept = state.addresses[slot];
  if (kept === undefined || kept.next === null) return [];
  if (!isWaiting(kept, now))
    throw new LodeError('wallet_address_in_force', 'This address is in force already. Save another one.');
  return [canceled(slot)];
}

function canceled(slot: AddressSlot): AccountEvent {
  return { type: 'WalletAddressCanceled', data: { currency: slot === 'any' ? null : slot } };
}
