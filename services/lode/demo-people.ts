import type { PaymentCurrency } from '#ledger';

/** What the demonstration's customers asked for, and what became of it. Amounts are US dollars. */
export type DemoStep =
  | {
      readonly fund: string;
      readonly currency: PaymentCurrency;
      readonly then: 'confirm' | 'reject' | 'wait';
      readonly reason?: string;
    }
  | { readonly adjust: string; readonly currency: PaymentCurrency; readonly reason: string };

export type DemoPerson = {
  readonly firstname: string;
  readonly lastname: string;
  readonly email: string;
  readonly phone: string;
  readonly steps: readonly DemoStep[];
};

/** Everybody's password in the demonstration. */
export const DEMO_PASSWORD = 'lode-demo';

export const demoAdmin = {
  firstname: 'Mary',
  lastname: 'Okafor',
  email: 'mary@lode.example',
  phone: '+44 20 7946 0101',
};

export const demoCustomers: readonly DemoPerson[] = [
  {
    firstname: 'Amara',
    lastname: 'Nwosu',
    email: 'amara@lode.example',
    phone: '+234 803 555 0142',
    steps: [
      { fund: '500', currency: 'USDT', then: 'confirm', reason: 'Transfer received, 12 confirmations' },
      { fund: '1000', currency: 'BTC', then: 'confirm', reason: 'Deposit seen on chain, 3 confirmations' },
      { adjust: '-40.50', currency: 'USDT', reason: 'Network fee of 3 November, agreed by phone' },
      { fund: '250.75', currency: 'PI', then: 'reject', reason: 'The receipt is of another account' },
      { fund: '100', currency: 'BTC', then: 'wait' },
    ],
  },
  {
    firstname: 'Jonas',
    lastname: 'Lindqvist',
    email: 'jonas@lode.example',
    phone: '+46 8 555 0187',
    steps: [
      { fund: '5000', currency: 'BTC', then: 'confirm', reason: 'Deposit seen on chain, 6 confirmations' },
      { fund: '2500', currency: 'BTC', then: 'wait' },
    ],
  },
  {
    firstname: 'Sofía',
    lastname: 'Marín',
    email: 'sofia@lode.example',
    phone: '+34 91 555 0113',
    steps: [
      { fund: '320.40', currency: 'PI', then: 'confirm', reason: 'Payment matched' },
      { adjust: '15', currency: 'PI', reason: 'Goodwill for the late confirmation' },
      { fund: '60', currency: 'USDT', then: 'wait' },
    ],
  },
  {
    firstname: 'Wei',
    lastname: 'Zhang',
    email: 'wei@lode.example',
    phone: '+65 6555 0129',
    steps: [
      { fund: '1200', currency: 'USDT', then: 'confirm', reason: 'Transfer received' },
      { fund: '800', currency: 'USDT', then: 'confirm', reason: 'Transfer received' },
    ],
  },
  {
    firstname: 'Noor',
    lastname: 'Haddad',
    email: 'noor@lode.example',
    phone: '+962 6 555 0175',
    steps: [{ fund: '10000', currency: 'BTC', then: 'reject', reason: 'No deposit arrived at our address' }],
  },
];
