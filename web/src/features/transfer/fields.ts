import { mainPaymentCurrency, paymentChoices, type PaymentCurrency, type TransferView } from '#contracts';
import { plainAmount } from '../../lib';
import type { Kept } from '../forms';
import { plainNumber, type Payee } from './use-payee';

export type Fields = {
  transferType: TransferView['transferType'];
  accountNumber: string;
  accountName: string;
  bankName: string;
  bankAddress: string;
  routingNumber: string;
  swiftBicIban: string;
  holderAddress: string;
  currency: PaymentCurrency;
  amount: string;
  narration: string;
  pin: string;
};

export const empty: Fields = {
  transferType: 'local',
  accountNumber: '',
  accountName: '',
  bankName: '',
  bankAddress: '',
  routingNumber: '',
  swiftBicIban: '',
  holderAddress: '',
  currency: mainPaymentCurrency,
  amount: '',
  narration: '',
  pin: '',
};

export const transferTypes = ['local', 'international'] as const satisfies readonly Fields['transferType'][];

/** All but the pin. */
export const kept: Kept<Fields> = {
  transferType: transferTypes,
  accountNumber: 'text',
  accountName: 'text',
  bankName: 'text',
  bankAddress: 'text',
  routingNumber: 'text',
  swiftBicIban: 'text',
  holderAddress: 'text',
  currency: paymentChoices,
  amount: 'text',
  narration: 'text',
};

/** What is sent, but for the pin: of a customer nothing about a bank, of a local transfer no SWIFT code. */
export function bodyOf(fields: Fields, payee: Payee) {
  const { transferType, accountNumber, currency, amount, narration } = fields;
  const all = { transferType, accountNumber: plainNumber(accountNumber), currency, narration };
  const body = { ...all, amount: plainAmount(amount) };
  if (payee.kind === 'customer') return body;
  const { bankName, bankAddress, routingNumber, swiftBicIban, accountName, holderAddress } = fields;
  const bank = { bankName, bankAddress, routingNumber, accountName, holderAddress };
  return { ...body, ...bank, ...(transferType === 'international' && { swiftBicIban }) };
}
