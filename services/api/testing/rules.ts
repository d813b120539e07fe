import type { RouteName } from '#contracts';

/** A test: its file, and its name or words of it. */
export type Proof = readonly [file: string, name: string];

const ledger = (file: string, name: string): Proof => [`libs/ledger/account/${file}.spec.ts`, name];
const api = (file: string, name: string): Proof => [`services/api/${file}.int.spec.ts`, name];
const application = (file: string, name: string): Proof => [`libs/application/${file}.int.spec.ts`, name];
const model = (name: string): Proof => ['libs/commands/model.spec.ts', name];
const identity = (file: string, name: string): Proof => [`libs/identity/contract/${file}.ts`, name];

/** Where each status, transition and rule of the specification (its sections 4 and 5) that the server keeps is tested. */
export const rules: Readonly<Record<string, Proof>> = {
  'a request is created Pending and open': ledger('funding', 'waits for a decision and moves nothing'),
  'confirm gives confirmed, closed and confirmedAt': api(
    'requests/withdrawals',
    'confirming pays what was set aside, for ever',
  ),
  'reject gives rejected and closed': api('requests/withdrawals', 'rejecting gives what was set aside back'),
  'a closed request is decided no more': api(
    'requests/withdrawals',
    'eight times at once, approving and rejecting, exactly one is done',
  ),
  'withdrawal confirm: wallet, total, transactions record and currency balance in one step': model(
    'the wallet, beside a model of it, answers and holds what the model says, after every command',
  ),
  'withdrawal confirm leaves at least 1': api(
    'requests/withdrawals',
    'is refused beyond what can be withdrawn, and what can be withdrawn is what is told',
  ),
  'withdrawal confirm writes a debit with the balance': api(
    'transactions/transactions',
    'a customer’s statement has every movement, in the log’s order, with the balance that it left',
  ),
  'funding confirm: wallet, credit record and currency balance': ledger(
    'funding',
    'confirmed: the wallet moves by the amount and the balance by its worth, from the deposits',
  ),
  'transfer starts Pending, confirm settles it on both sides': api(
    'transfers/transfers',
    'to a customer: it arrives, and both sides see it',
  ),
  'transfer reject closes it': api(
    'transfers/transfers',
    'against it: what was set aside is available again',
  ),
  'a user is suspended and activated': application(
    'access/access',
    'is closed and opened by a reconciliation',
  ),
  'a session ends when the person is disabled': application(
    'access/access',
    'is closed to whoever wants to go on with a session',
  ),
  'a session ends when its token expires': identity('sessions', 'an access token expires: %s'),
  'the bonus cycle begins at the first sign-in': api(
    'processes',
    'starts the bonus cycle, once; an admin has none',
  ),
  'a product is created active and in stock': [
    'libs/ledger/product/product.spec.ts',
    'is created active and in stock',
  ],
  'the first withdrawal asks for a wallet address': api(
    'requests/withdrawals',
    'needs a saved wallet address first, whatever the request says',
  ),
  'an e-mail that exists is refused and not submitted again': api(
    'sessions',
    'eight times at once with one e-mail makes one person',
  ),
  'a contact message needs name, e-mail, business type, phone and message': api(
    'messages',
    'of a customer needs words',
  ),
  'a product needs all but recommended images': api('products', 'needs no recommended images'),
  'product images are images only': api('files', 'a PDF is evidence only: %s'),
  'an account number is looked up at exactly 10 characters': api(
    'transfers/transfers',
    "'301234567', '30123456789'",
  ),
  'SWIFT/BIC/IBAN is asked for abroad': api('transfers/transfers', 'no SWIFT code abroad'),
  'the account name of a customer is not typed': api(
    'transfers/transfers',
    'to a customer: the name is the server’s, the amount is set aside',
  ),
  'admin entries: negative debits, zero is skipped': ledger(
    'funding',
    'credits what is positive, debits what is negative, skips zero, in the order given',
  ),
  'only non-empty profile fields are saved': api('people/people', 'keeps what is left out or empty'),
  'a password change asks for the old password': api('security', 'a wrong old password changes nothing'),
  'an empty dollar rate is ignored': ['libs/ledger/settings/settings.spec.ts', 'ignore an empty dollar rate'],
  'the password policy has a minimum of 6, and the four kinds of characters': [
    'libs/identity/password-policy.spec.ts',
    'asks for six characters of any kind by default',
  ],
};

/** Who may do what (the specification’s section 6), and by which routes. The server is walked in access.int.spec.ts. */
export const matrix: readonly {
  readonly capability: string;
  readonly visitor: boolean;
  readonly user: boolean;
  readonly admin: boolean;
  readonly routes: readonly RouteName[];
}[] = [
  {
    capability: 'Public pages, contact form',
    visitor: true,
    user: true,
    admin: true,
    routes: [
      'content',
      'counters',
      'contact',
      'prices',
      'sendMessage',
      'products',
      'product',
      'productByName',
    ],
  },
  {
    capability: 'Own records',
    visitor: false,
    user: true,
    admin: true,
    routes: [
      'account',
      'ownFundRequests',
      'ownWithdrawals',
      'ownTransfers',
      'receivedTransfers',
      'ownTransactions',
      'notifications',
      'openRequests',
      'why',
    ],
  },
  {
    capability: 'Fund, transfer, withdraw',
    visitor: false,
    user: true,
    admin: false,
    routes: ['requestFunding', 'requestWithdrawal', 'requestTransfer'],
  },
  {
    capability: 'All transfers, withdrawals, funding, users',
    visitor: false,
    user: false,
    admin: true,
    routes: ['transfers', 'withdrawals', 'fundRequests', 'people', 'transactions', 'totals'],
  },
  {
    capability: 'Approve, reject, confirm requests; Block User; Suspend/Activate',
    visitor: false,
    user: false,
    admin: true,
    routes: [
      'confirmFunding',
      'rejectFunding',
      'confirmWithdrawal',
      'rejectWithdrawal',
      'confirmTransfer',
      'rejectTransfer',
      'suspend',
      'activate',
    ],
  },
  {
    capability: 'Fund or debit wallets; create users; stop/restart mining',
    visitor: false,
    user: false,
    admin: true,
    routes: ['adjustWallet', 'createAccount', 'stopBonus', 'restartBonus'],
  },
  {
    capability: 'Edit global settings; view and set dollar rate',
    visitor: false,
    user: false,
    admin: true,
    routes: [
      'settings',
      'changeDepositDetails',
      'dollarRate',
      'setDollarRate',
      'setPrices',
      'setBonusPolicy',
      'changeContent',
    ],
  },
  {
    capability: 'Upload, edit, delete products',
    visitor: false,
    user: false,
    admin: true,
    routes: ['createProduct', 'changeProduct', 'setProductStock', 'deleteProduct', 'uploadProductImage'],
  },
  {
    capability: 'Report History; View Fund History',
    visitor: false,
    user: false,
    admin: true,
    routes: ['messages', 'readMessage', 'fundRequests'],
  },
];

/** Where the constants of the specification (its section 9) that the server keeps are tested. */
export const constants: Readonly<Record<string, Proof>> = {
  'BTC, PI and USDT begin at 0': ledger('account', 'begins with nothing in every currency'),
  'the bonus: 10 percent a day, 7 days, every 7 hours': [
    'libs/ledger/settings/settings.spec.ts',
    'have the specification’s values until somebody sets them',
  ],
  'the bonus is capped and paid when at least 7 hours have passed': [
    'services/worker/bonus-tick.spec.ts',
    'pays everybody to the cent',
  ],
  'account numbers are 30 and 8 digits': identity(
    'credentials',
    'a registration gives a person an id and an account number, and then a sign-in',
  ),
  'amounts are shown with 4 decimals, others with up to 2': [
    'libs/ledger/money.spec.ts',
    "describe('display'",
  ],
  'a remote store is tried for 120000 ms, an upload for 600000 ms': [
    'libs/files/retry.spec.ts',
    'has the limits of the specification',
  ],
  'a session that is suspended or signed out is over at once': identity(
    'sessions',
    'a session that is ended is over at once, for both tokens',
  ),
};

/** Where the codes of an identity service (section 8) come to its own client. */
const toolkit = (name: string): Proof => api('identity-toolkit/identity-toolkit', name);
export const identityCodes: Readonly<Record<string, Proof>> = {
  'EMAIL_EXISTS is email-already-in-use': toolkit("refused('email-already-in-use')"),
  'INVALID_LOGIN_CREDENTIALS is invalid-credential': toolkit("refused('invalid-credential')"),
  'EMAIL_NOT_FOUND is user-not-found': toolkit("refused('user-not-found')"),
  'TOO_MANY_ATTEMPTS_TRY_LATER is too-many-requests': toolkit("refused('too-many-requests')"),
  'TOKEN_EXPIRED is user-token-expired': toolkit("refused('user-token-expired')"),
  'USER_DISABLED is user-disabled': toolkit("refused('user-disabled')"),
  'PASSWORD_DOES_NOT_MEET_REQUIREMENTS is password-does-not-meet-requirements': toolkit(
    "refused('password-does-not-meet-requirements')",
  ),
};
