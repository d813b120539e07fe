import type { Given } from './client.js';
import { keyed, type Person } from './people.js';

/** The transfer pin that these customers choose. */
export const PIN = '4711';
/** Where these customers have themselves paid. */
export const WALLET_ADDRESS = 'bc1qexample0000000000000000000000000000000';

/** Credits a customer's wallet by hand: US dollars per currency. */
export function credit(
  admin: Person,
  { userId }: { readonly userId: string },
  amounts: Readonly<Record<string, string>>,
): Promise<Given<'adjustWallet'>> {
  const body = { amounts, reason: 'a test' };
  return admin.api.get('adjustWallet', { params: { userId }, body, headers: keyed() });
}

/** Saves where a customer's withdrawals go. */
export function saveWalletAddress({ api, userId, password }: Person): Promise<Given<'saveWalletAddress'>> {
  const body = { walletAddress: WALLET_ADDRESS, proof: { password } };
  return api.get('saveWalletAddress', { params: { userId }, body, headers: keyed() });
}

/** Sets a customer's transfer pin. */
export function setPin({ api, password }: Person): Promise<Given<'setTransferPin'>> {
  return api.get('setTransferPin', { body: { password, pin: PIN } });
}

/** Asks to be paid; the wallet address must be saved. */
export function requestWithdrawal(
  { api, password }: Person,
  amount: string,
  currency = 'BTC',
): Promise<Given<'requestWithdrawal'>> {
  return api.get('requestWithdrawal', { body: { amount, currency, proof: { password } }, headers: keyed() });
}

/** A transfer's body that nothing is wrong with, to an account number; to no customer's it is a bank transfer. */
export function transferTo(accountNumber: string, amount: string, more: object = {}) {
  return {
    transferType: 'local',
    bankName: 'First Bank',
    bankAddress: '1 Main Street',
    accountNumber,
    routingNumber: '021000021',
    accountName: 'Carl Miller',
    holderAddress: '2 Side Street',
    amount,
    currency: 'BTC',
    narration: 'rent',
    pin: PIN,
    ...more,
  };
}

/** Asks for a transfer; the pin must be set. */
export function requestTransfer(
  { api }: Person,
  accountNumber: string,
  amount: string,
): Promise<Given<'requestTransfer'>> {
  return api.get('requestTransfer', { body: transferTo(accountNumber, amount), headers: keyed() });
}
