import { account, defaultDisplay, type AccountView } from '#contracts';
import type { Verification } from '../access/verify-email.js';
import { FORGOTTEN, type PersonKeys } from '#identity';
import { invariant } from '#kernel';
import {
  bonusDueAt,
  formatMoney,
  inForce,
  isWaiting,
  parseMoney,
  payable,
  perCurrency,
  paymentCurrencies,
  perPaymentCurrency,
  slotOf,
  withdrawable,
  type BonusCycle,
  type BonusPolicy,
  type OpenAccount,
  type PaymentCurrency,
  type Prices,
} from '#ledger';
import { canBeOf, type Networks } from './networks.js';
import { withEveryBalance, type AccountDocument } from '#projections';

const HOUR_MS = 3_600_000;

/** A person's account as they see it: the read model's document, the address in clear, and what can be sent and withdrawn. */
export async function accountView(
  document: AccountDocument,
  personKeys: Pick<PersonKeys, 'decryptFor'>,
  {
    prices,
    bonusPolicy,
    verification,
  }: {
    readonly prices: Prices;
    readonly bonusPolicy: BonusPolicy;
    readonly verification: Verification;
  },
  {
    now,
    networks,
    changeWaitMs,
  }: { readonly now: number; readonly networks: Networks; readonly changeWaitMs: number },
): Promise<AccountView> {
  const complete = withEveryBalance(document);
  const { bonus, moneyOut, userId, wallet, balances } = complete;
  const available = perCurrency((currency) =>
    parseMoney((currency === 'USD' ? wallet : balances[currency]).available, currency),
  );
  const open = (text: string) => walletAddressOf(personKeys, userId, text);
  const walletAddresses = await payoutsOf(complete, open, { now, networks });
  return account.parse({
    ...complete,
    verifyFirst: complete.isEmailVerified ? [] : verification.mayNot,
    notificationsRead: complete.notificationsRead ?? null,
    preferences: { ...defaultDisplay, ...complete.preferences },
    walletAddress:
      paymentCurrencies.map((one) => walletAddresses[one].address).find((one) => one !== null) ?? null,
    walletAddresses,
    changeWaitHours: changeWaitMs / HOUR_MS,
    moneyOut: moneyOut !== null && Date.parse(moneyOut.until) > now ? moneyOut : null,
    bonusTerms: bonus === null ? null : termsOf(bonus, bonusPolicy),
    ...spendingOf(complete),
    sendable: perPaymentCurrency((currency) =>
      formatMoney(payable(available, currency, prices[currency]), 'USD'),
    ),
    withdrawable: withdrawableOf(available, prices),
  });
}

/** US dollars that are on their way out, and those that went out. */
export function spendingOf({
  wallet,
  totals: { withdrawn, transferred },
}: AccountDocument): Pick<AccountView, 'amountSpend' | 'totalSpent'> {
  const totalSpent = parseMoney(withdrawn, 'USD') + parseMoney(transferred, 'USD');
  return { amountSpend: wallet.held, totalSpent: formatMoney(totalSpent, 'USD') };
}

/** Where withdrawals in each currency go, and what waits to take its place. */
async function payoutsOf(
  { address, addresses = address === null ? {} : { any: { address, next: null } } }: AccountDocument,
  open: (text: string) => Promise<string>,
  { now, networks }: { readonly now: number; readonly networks: Networks },
): Promise<AccountView['walletAddresses']> {
  const at = new Date(now).toISOString();
  const each = paymentCurrencies.map(async (currency) => {
    const network = networks[currency];
    const kept = addresses[slotOf({ addresses }, currency)];
    // What every currency without an address of its own shares can be of another network, now or once it is in force.
    const ofNetwork = async (text: string | null) => {
      const opened = text === null ? null : await open(text);
      return opened !== null && canBeOf(network, opened) ? opened : null;
    };
    const address = await ofNetwork(inForce(kept, at));
    const waiting = kept !== undefined && isWaiting(kept, at) ? kept.next : null;
    const another = await ofNetwork(waiting?.address ?? null);
    const next = waiting === null || another === null ? null : { address: another, from: waiting.from };
    return [currency, { address, network, next }] as const;
  });
  const payouts = new Map(await Promise.all(each));
  return perPaymentCurrency((currency) => {
    const payout = payouts.get(currency);
    invariant(payout !== undefined, 'each currency has its own');
    return payout;
  });
}

/** How a cycle is paid by the policy in force. */
function termsOf(cycle: BonusCycle, policy: BonusPolicy): AccountView['bonusTerms'] {
  const { rate, capDays, everyHours, currency } = policy;
  return { rate, capDays, everyHours, currency, dueAt: bonusDueAt(cycle, policy) };
}

/** What can be withdrawn in each currency, in US dollars. */
export function withdrawableOf(
  available: OpenAccount['available'],
  prices: Prices,
): Record<PaymentCurrency, string> {
  return perPaymentCurrency((currency) =>
    formatMoney(withdrawable(available, currency, prices[currency]), 'USD'),
  );
}

/** A wallet address that was encrypted for its owner, or `forgotten`. */
export async function walletAddressOf(
  personKeys: Pick<PersonKeys, 'decryptFor'>,
  userId: string,
  encrypted: string,
): Promise<string> {
  const opened = await personKeys.decryptFor(userId, encrypted);
  if (opened === FORGOTTEN) return FORGOTTEN;
  const { walletAddress } = opened;
  return typeof walletAddress === 'string' ? walletAddress : FORGOTTEN;
}
