import type { Duty, PaymentCurrency } from '#ledger';

/**
 * Whatever is set in the environment: months of requests are made within a minute, which nobody is to be held up by, and
 * nobody whom the demonstration makes up is sent a mail.
 */
export const DEMO_ENVIRONMENT = {
  LODE_REQUESTS_PER_MINUTE: '1000000',
  SMTP_URL: undefined,
  SMTP_URL_FILE: undefined,
} as const;

/** Everybody's password in the demonstration, and the transfer pin of every customer. */
export const DEMO_PASSWORD = 'lode-demo';
export const DEMO_PIN = '4821';

export type DemoPerson = {
  readonly firstname: string;
  readonly lastname: string;
  readonly email: string;
  readonly phone: string;
};

export type DemoCustomer = DemoPerson & {
  /** How many days ago they registered, and the program that they do everything with. */
  readonly joined: number;
  readonly agent: string;
  /** Where withdrawals in each currency go; none was saved for one that is left out. */
  readonly walletAddresses?: Readonly<Partial<Record<PaymentCurrency, string>>>;
};

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1';
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

export const demoAdmin = {
  firstname: 'Mary',
  lastname: 'Okafor',
  email: 'mary@lode.example',
  phone: '+44 20 7946 0101',
  agent: FIREFOX,
};

/** Admins of the other duties, whom the first one invites. */
export const demoTeam = [
  {
    duty: 'finance',
    firstname: 'Femi',
    lastname: 'Adeyemi',
    email: 'femi@lode.example',
    phone: '+44 20 7946 0102',
    agent: CHROME,
  },
  {
    duty: 'support',
    firstname: 'Clara',
    lastname: 'Duarte',
    email: 'clara@lode.example',
    phone: '+351 21 555 0103',
    agent: SAFARI,
  },
  {
    duty: 'auditor',
    firstname: 'Anders',
    lastname: 'Holm',
    email: 'anders@lode.example',
    phone: '+45 32 55 01 04',
    agent: FIREFOX,
  },
] as const satisfies readonly (DemoPerson & { readonly duty: Duty; readonly agent: string })[];

export const demoCustomers = {
  amara: {
    firstname: 'Amara',
    lastname: 'Nwosu',
    email: 'amara@lode.example',
    phone: '+234 803 555 0142',
    joined: 118,
    agent: FIREFOX,
    walletAddresses: {
      BTC: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      USDT: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      PI: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
    },
  },
  jonas: {
    firstname: 'Jonas',
    lastname: 'Lindqvist',
    email: 'jonas@lode.example',
    phone: '+46 8 555 0187',
    joined: 110,
    agent: CHROME,
    walletAddresses: { BTC: 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3' },
  },
  sofia: {
    firstname: 'Sofía',
    lastname: 'Marín',
    email: 'sofia@lode.example',
    phone: '+34 91 555 0113',
    joined: 95,
    agent: SAFARI,
    walletAddresses: {
      BTC: '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
      PI: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
    },
  },
  wei: {
    firstname: 'Wei',
    lastname: 'Zhang',
    email: 'wei@lode.example',
    phone: '+65 6555 0129',
    joined: 74,
    agent: CHROME,
    walletAddresses: {
      BTC: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
      USDT: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    },
  },
  noor: {
    firstname: 'Noor',
    lastname: 'Haddad',
    email: 'noor@lode.example',
    phone: '+962 6 555 0175',
    joined: 41,
    agent: SAFARI,
  },
  tunde: {
    firstname: 'Tunde',
    lastname: 'Bello',
    email: 'tunde@lode.example',
    phone: '+234 809 555 0136',
    joined: 6,
    agent: CHROME,
  },
} as const satisfies Readonly<Record<string, DemoCustomer>>;
export type CustomerName = keyof typeof demoCustomers;
