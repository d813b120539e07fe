import { LodeError } from '#kernel';
import type { PaymentCurrency } from '../currencies.js';
import type { AccountEvent, AddressWait } from './events.js';
import type { AddressSlot, OpenAccount, WalletAddress } from './state.js';

export type AddressCommand =
  | {
      readonly type: 'SaveWalletAddress';
      /** Encrypted. */
      readonly address: string;
      /** Left out, it is that of every currency that has none of its own. */
      readonly currency?: PaymentCurrency | undefined;
      /** Which of the addresses that the account has or had can be none of this currency, encrypted. */
      readonly unfit?: readonly string[];
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
 * An address is in force at once where nothing can be paid out yet: where neither the one in force nor one that was so
 * within the waiting time can be one of the currency. Another one waits, and the one in force goes on until then; to save
 * that one again is to cancel the change, and leaves a currency with an address of its own.
 */
export function saveWalletAddress(
  command: Of<'SaveWalletAddress'>,
  state: OpenAccount,
  now: string,
): readonly AccountEvent[] {
  const { address, currency, waitMs = 0 } = command;
  const slot = currency ?? 'any';
  const own = state.addresses[slot];
  const waiting = own !== undefined && isWaiting(own, now) ? own.next : null;
  const before = currency === undefined ? inForce(own, now) : payoutAddress(state, currency, now);
  const saved = (waits: AddressWait | null): AccountEvent => ({
    type: 'WalletAddressSaved',
    data: { address, currency: currency ?? null, waits },
  });
  if (own !== undefined && before === address) {
    if (waiting === null) return [];
    // To cancel a first one of its own would leave the currency without what is saved here.
    return [own.isShared === true ? saved(null) : canceled(slot)];
  }
  if (before === null || before === address || waitMs === 0) return [saved(null)];
  // It says what it takes the place of, which may be one that can be paid to again: networks are settings.
  if (!isPaidTo(before, command, state, now)) return [saved({ from: now, meanwhile: before })];
  if (waiting?.address === address) return [];
  return [saved({ from: new Date(Date.parse(now) + waitMs).toISOString(), meanwhile: before })];
}

/** Whether something can be paid out in the slot now, or could be within the waiting time. */
function isPaidTo(
  before: string,
  { currency, unfit = [], waitMs = 0 }: Of<'SaveWalletAddress'>,
  { addressesLeft }: OpenAccount,
  now: string,
): boolean {
  const since = Date.parse(now) - waitMs;
  // Also what was shared: whoever changed that first has waited for another address.
  const left = [...(addressesLeft.any ?? []), ...(addressesLeft[currency ?? 'any'] ?? [])];
  const recent = left.filter(({ at }) => Date.parse(at) > since).map((one) => one.address);
  return [before, ...recent].some((text) => !unfit.includes(text));
}

/**
 * Keeps the address in force. Refuses with `wallet_address_in_force` once the other one is. Of a currency without an address of
 * its own it is the change of the one of all currencies that is canceled.
 */
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
