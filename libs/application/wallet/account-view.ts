import { account, type AccountView } from '#contracts';
import { FORGOTTEN, type PersonKeys } from '#identity';
import {
  formatMoney,
  parseMoney,
  perCurrency,
  perPaymentCurrency,
  withdrawable,
  type OpenAccount,
  type PaymentCurrency,
  type Prices,
} from '#ledger';
import { withEveryBalance, type AccountDocument } from '#projections';

/** A person's account as they see it: the read model's document, the address in clear, and what can be withdrawn. */
export async function accountView(
  document: AccountDocument,
  personKeys: PersonKeys,
  prices: Prices,
): Promise<AccountView> {
  const complete = withEveryBalance(document);
  const { address, userId, wallet, balances } = complete;
  const available = perCurrency((currency) =>
    parseMoney((currency === 'USD' ? wallet : balances[currency]).available, currency),
  );
  return account.parse({
    ...complete,
    walletAddress: address === null ? null : await walletAddressOf(personKeys, userId, address),
    withdrawable: withdrawableOf(available, prices),
  });
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
  personKeys: PersonKeys,
  userId: string,
  encrypted: string,
): Promise<string> {
  const opened = await personKeys.decryptFor(userId, encrypted);
  if (opened === FORGOTTEN) return FORGOTTEN;
  const { walletAddress } = opened;
  return typeof walletAddress === 'string' ? walletAddress : FORGOTTEN;
}
