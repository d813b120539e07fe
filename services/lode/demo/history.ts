import type { PaymentCurrency } from '#ledger';
import type { CustomerName } from './people.js';

/** What an admin made of a request, the day after; one that nobody decided yet is open. */
type Decision = 'open' | { readonly confirmed?: string } | { readonly rejected: string };

/** What somebody did, so many days ago. Amounts are US dollars. */
export type DemoStep = { readonly ago: number; readonly who: CustomerName } & (
  | {
      readonly kind: 'fund' | 'withdraw';
      readonly amount: string;
      readonly currency: PaymentCurrency;
      readonly then: Decision;
    }
  | {
      readonly kind: 'send';
      readonly amount: string;
      readonly currency: PaymentCurrency;
      readonly to: CustomerName;
      readonly narration: string;
      readonly then: Decision;
    }
  | {
      readonly kind: 'send to a bank';
      readonly amount: string;
      readonly currency: PaymentCurrency;
      readonly bank: Bank;
      readonly narration: string;
      readonly then: Decision;
    }
  | {
      readonly kind: 'adjust';
      readonly amount: string;
      readonly currency: PaymentCurrency;
      readonly reason: string;
    }
  | {
      readonly kind: 'restart the bonus' | 'stop the bonus' | 'suspend' | 'activate';
      readonly reason: string;
    }
  | { readonly kind: 'write'; readonly subject: string; readonly message: string; readonly isRead: boolean }
);

export type Bank = {
  readonly transferType: 'local' | 'international';
  readonly bankName: string;
  readonly bankAddress: string;
  readonly accountNumber: string;
  readonly routingNumber: string;
  readonly swiftBicIban: string;
  readonly accountName: string;
  readonly holderAddress: string;
};

const rent: Bank = {
  transferType: 'local',
  bankName: 'First Harbour Bank',
  bankAddress: '14 Quay Street, Lagos',
  accountNumber: '0123984756',
  routingNumber: '058152036',
  swiftBicIban: '',
  accountName: 'Okoro Properties Ltd',
  holderAddress: '3 Palm Close, Lagos',
};
const school: Bank = {
  transferType: 'international',
  bankName: 'Nordlandsbanken',
  bankAddress: 'Storgatan 8, Uppsala',
  accountNumber: 'SE3550000000054910000003',
  routingNumber: '',
  swiftBicIban: 'NORDSEXXXXX',
  accountName: 'Uppsala Summer School',
  holderAddress: 'Box 256, Uppsala',
};

const seen = { confirmed: 'Deposit seen on chain, 3 confirmations' };
const matched = { confirmed: 'Payment matched with the receipt' };
const sent = { confirmed: 'Sent, seen on chain' };
const checked = { confirmed: 'Checked' };

const ofAmara: readonly DemoStep[] = [
  { ago: 117, who: 'amara', kind: 'fund', amount: '500', currency: 'USDT', then: matched },
  { ago: 112, who: 'amara', kind: 'fund', amount: '1000', currency: 'BTC', then: seen },
  { ago: 105, who: 'amara', kind: 'fund', amount: '320.40', currency: 'PI', then: matched },
  { ago: 101, who: 'amara', kind: 'withdraw', amount: '120', currency: 'USDT', then: sent },
  {
    ago: 96,
    who: 'amara',
    kind: 'fund',
    amount: '250.75',
    currency: 'PI',
    then: { rejected: 'The receipt is of another account' },
  },
  {
    ago: 90,
    who: 'amara',
    kind: 'send',
    amount: '85',
    currency: 'USDT',
    to: 'jonas',
    narration: 'Half of the hotel',
    then: checked,
  },
  { ago: 84, who: 'amara', kind: 'fund', amount: '750', currency: 'BTC', then: seen },
  {
    ago: 80,
    who: 'amara',
    kind: 'adjust',
    amount: '-40.50',
    currency: 'USDT',
    reason: 'Network fee of the withdrawal, agreed by phone',
  },
  { ago: 76, who: 'amara', kind: 'withdraw', amount: '300', currency: 'BTC', then: sent },
  { ago: 70, who: 'amara', kind: 'restart the bonus', reason: 'Autumn promotion' },
  {
    ago: 66,
    who: 'amara',
    kind: 'send to a bank',
    amount: '140',
    currency: 'USDT',
    bank: rent,
    narration: 'Rent of the store room',
    then: checked,
  },
  { ago: 60, who: 'amara', kind: 'fund', amount: '400', currency: 'USDT', then: matched },
  {
    ago: 55,
    who: 'amara',
    kind: 'withdraw',
    amount: '90',
    currency: 'PI',
    then: { rejected: 'The address is of another network' },
  },
  {
    ago: 50,
    who: 'amara',
    kind: 'send',
    amount: '60',
    currency: 'USDT',
    to: 'sofia',
    narration: 'Theatre tickets',
    then: { rejected: 'Withdrawn by the customer, by phone' },
  },
  { ago: 47, who: 'amara', kind: 'fund', amount: '220', currency: 'USDT', then: matched },
  { ago: 44, who: 'amara', kind: 'fund', amount: '1200', currency: 'BTC', then: seen },
  {
    ago: 40,
    who: 'amara',
    kind: 'adjust',
    amount: '25',
    currency: 'USDT',
    reason: 'Goodwill for the late confirmation',
  },
  {
    ago: 36,
    who: 'amara',
    kind: 'send to a bank',
    amount: '220',
    currency: 'BTC',
    bank: school,
    narration: 'Course fee',
    then: checked,
  },
  { ago: 30, who: 'amara', kind: 'fund', amount: '150', currency: 'PI', then: matched },
  { ago: 26, who: 'amara', kind: 'withdraw', amount: '200', currency: 'USDT', then: sent },
  { ago: 20, who: 'amara', kind: 'fund', amount: '600', currency: 'USDT', then: matched },
  {
    ago: 14,
    who: 'amara',
    kind: 'send',
    amount: '75',
    currency: 'USDT',
    to: 'wei',
    narration: 'Birthday',
    then: checked,
  },
  {
    ago: 9,
    who: 'amara',
    kind: 'withdraw',
    amount: '180',
    currency: 'BTC',
    then: { rejected: 'Asked for twice' },
  },
  {
    ago: 8,
    who: 'amara',
    kind: 'write',
    subject: 'Statement for October',
    message: 'Where do I find a statement that I can hand to my accountant?',
    isRead: true,
  },
  { ago: 4, who: 'amara', kind: 'restart the bonus', reason: 'Winter promotion' },
  { ago: 3, who: 'amara', kind: 'fund', amount: '350', currency: 'BTC', then: 'open' },
  { ago: 2, who: 'amara', kind: 'withdraw', amount: '150', currency: 'USDT', then: 'open' },
  {
    ago: 1,
    who: 'amara',
    kind: 'send',
    amount: '45',
    currency: 'USDT',
    to: 'jonas',
    narration: 'Lunch on Friday',
    then: 'open',
  },
];

const ofOthers: readonly DemoStep[] = [
  { ago: 109, who: 'jonas', kind: 'fund', amount: '5000', currency: 'BTC', then: seen },
  { ago: 92, who: 'jonas', kind: 'fund', amount: '800', currency: 'USDT', then: matched },
  { ago: 88, who: 'jonas', kind: 'withdraw', amount: '1200', currency: 'BTC', then: sent },
  {
    ago: 62,
    who: 'jonas',
    kind: 'send',
    amount: '120',
    currency: 'USDT',
    to: 'amara',
    narration: 'For the flight',
    then: checked,
  },
  {
    ago: 33,
    who: 'jonas',
    kind: 'send to a bank',
    amount: '260',
    currency: 'BTC',
    bank: school,
    narration: 'Second half of the fee',
    then: { rejected: 'The code is not that of the bank' },
  },
  { ago: 2, who: 'jonas', kind: 'fund', amount: '2500', currency: 'BTC', then: 'open' },
  { ago: 94, who: 'sofia', kind: 'fund', amount: '320.40', currency: 'PI', then: matched },
  {
    ago: 91,
    who: 'sofia',
    kind: 'adjust',
    amount: '15',
    currency: 'PI',
    reason: 'Goodwill for the late confirmation',
  },
  { ago: 58, who: 'sofia', kind: 'fund', amount: '260', currency: 'USDT', then: matched },
  {
    ago: 18,
    who: 'sofia',
    kind: 'send',
    amount: '35.50',
    currency: 'USDT',
    to: 'amara',
    narration: 'Thanks for the book',
    then: checked,
  },
  { ago: 3, who: 'sofia', kind: 'withdraw', amount: '80', currency: 'PI', then: 'open' },
  { ago: 73, who: 'wei', kind: 'fund', amount: '1200', currency: 'USDT', then: matched },
  { ago: 47, who: 'wei', kind: 'fund', amount: '800', currency: 'USDT', then: matched },
  { ago: 28, who: 'wei', kind: 'withdraw', amount: '400', currency: 'USDT', then: sent },
  {
    ago: 12,
    who: 'wei',
    kind: 'write',
    subject: 'Another phone number',
    message: 'I have a new phone number. May I change it in the settings without losing the history?',
    isRead: true,
  },
  {
    ago: 1,
    who: 'wei',
    kind: 'send to a bank',
    amount: '310',
    currency: 'USDT',
    bank: rent,
    narration: 'Deposit for the flat',
    then: 'open',
  },
  {
    ago: 40,
    who: 'noor',
    kind: 'fund',
    amount: '10000',
    currency: 'BTC',
    then: { rejected: 'No deposit arrived at our address' },
  },
  { ago: 38, who: 'noor', kind: 'suspend', reason: 'Asked to prove who they are' },
  { ago: 31, who: 'noor', kind: 'activate', reason: 'Proved it' },
  { ago: 30, who: 'noor', kind: 'stop the bonus', reason: 'Not for this account' },
  {
    ago: 2,
    who: 'noor',
    kind: 'write',
    subject: 'Which receipt do you need?',
    message: 'My deposit of last month was refused. Which receipt do you need from my exchange?',
    isRead: false,
  },
  { ago: 5, who: 'tunde', kind: 'fund', amount: '300', currency: 'USDT', then: matched },
  { ago: 1, who: 'tunde', kind: 'fund', amount: '60', currency: 'USDT', then: 'open' },
];

/** All of it, in no order. */
export const demoHistory: readonly DemoStep[] = [...ofAmara, ...ofOthers];
