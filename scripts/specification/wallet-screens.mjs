// What a customer sees.
import { api, failing, journey, part, requests, secondFactor, wallet, web } from './tests.mjs';

const dashboard = { screen: '/auth/dashboard' };
const FRAME = wallet(
  'the frame has every place, the actions of a customer, and on a phone the first four of them',
);
const PLACES = [
  'web/src/app/shell/navigation.spec.ts',
  'a customer has the places and actions of the product, in its order*',
];
const OPEN = wallet('the dashboard has every open request, and the ways to new ones');
const FIRST = requests('a withdrawal needs a wallet address, and at most the available amount');
const WITHDRAWALS = requests('the withdrawal history lists the request with its details');
const FUND = wallet('the fund form says where to pay, or that there is nowhere yet');
const FUNDINGS = wallet('the history of fund requests says where each deposit went');
const TRANSFER = requests('a transfer needs a pin, and finds the receiver by account number');
const TRANSFERS = requests('the transfer history lists the request and leads back to the dashboard');
const ASSETS = wallet('each wallet opens what moved it');
const SETTINGS = wallet('settings change who one is, how one looks, and how one signs in');
const SUPPORT = wallet('a message to support is sent');
const OUT = wallet('whoever signs out is on the public page, and has to sign in again');
const REFUSED = journey('* a form that is not filled in is refused in its own words');
const DECIDED = journey('* a request arrives live, is confirmed, and the balance follows without a reload');

const frame = part('Frame', [
  ['a side menu that collapses, and is closed at a width of 768 or less', [FRAME], dashboard],
  [
    'the menu: Dashboard, Funding History, Fund Account, Withdrawal Request History, Settings, Support, Logout',
    [FRAME, PLACES],
    dashboard,
  ],
  [
    'the avatar is the first letter of the first name until there is a profile image',
    [FRAME, web('app/shell/avatar', 'is the profile image, and the first letter until that is there')],
    dashboard,
  ],
  [
    'quick actions: Fund, Transfer, Withdraw, Transaction, Assets, Support, Settings, Logout',
    [FRAME, PLACES],
    dashboard,
  ],
  ['the browser keeps the id of who is signed in under the name token', [FRAME], dashboard],
  [
    'a button says Please wait while what it does is under way',
    [SUPPORT],
    { screen: '/auth/account-support/dashboard' },
  ],
  ['on a phone a bar with the first four of them', [FRAME, PLACES], dashboard],
  ['Logout leads a customer to /', [OUT], { screen: '/' }],
  [
    'a page that needs a session leads to sign-in and back',
    [
      OUT,
      [
        'web/e2e/site.e2e.spec.ts',
        'sign-in and registration refuse in their own words, and take what is right',
      ],
    ],
    { screen: '/login' },
  ],
  [
    'an id in an address shows nobody else’s',
    [FUNDINGS, web('app/wallet/assets', 'shows nobody else’s')],
    { screen: '/fund-request-history/:userId' },
  ],
]);

const home = part('Dashboard', [
  ['Total Asset Balance in BTC, with PI and USDT in details that close', [FRAME], dashboard],
  ['Total Withdrawal', [FRAME], dashboard],
  [
    '"New Request" leads to the choice of what to ask for, with the open requests',
    [OPEN],
    { screen: '/auth/loan/dashboard' },
  ],
  [
    'open requests of every kind',
    [OPEN, api('transactions/transactions', 'open requests of all kinds are in one list, newest first')],
    dashboard,
  ],
  ['a balance says why it is what it is', [journey('* the balance says why it is what it is')], dashboard],
]);

const funding = part('Fund Wallet', [
  [
    '/auth/fund-account/dashboard asks for amount, currency and evidence',
    [REFUSED, DECIDED],
    { screen: '/auth/fund-account/dashboard' },
  ],
  [
    'the deposit address of the currency and its network, to copy and as a QR code',
    [
      FUND,
      web(
        'features/funding/deposit-address',
        'shows where a deposit goes and over which network, to copy and as a code made here',
      ),
    ],
    { screen: '/auth/fund-account/dashboard' },
  ],
  [
    '/auth/transaction/dashboard is a customer’s funding history',
    [journey('* a rejected request moves nothing')],
    { screen: '/auth/transaction/dashboard' },
  ],
  [
    '/fund-request-history/:userId: S/N, Created, Address, Amount, status',
    [FUNDINGS],
    { screen: '/fund-request-history/:userId' },
  ],
  [
    'the address is the one that deposits went to when the request was made',
    [
      FUNDINGS,
      api(
        'settings/settings',
        'a fund request keeps the address of its moment, in the list, by itself and in the file',
      ),
    ],
    { screen: '/fund-request-history/:userId', adr: 45 },
  ],
]);

const withdrawing = part('Withdrawal', [
  [
    '/auth/withdrawal-request/dashboard asks for a wallet address first, and saves it',
    [FIRST],
    { screen: '/auth/withdrawal-request/dashboard' },
  ],
  [
    'what can be withdrawn is shown, and no more is asked for',
    [
      FIRST,
      web(
        'features/withdrawal/withdrawal',
        'refuses more than the service says can be withdrawn, and sends that much with the address that is shown',
      ),
    ],
    { screen: '/auth/withdrawal-request/dashboard' },
  ],
  [
    '/withdrawal-request-history/:userId: S/N, Created, Wallet Address, Type, Amount, status, Actions',
    [WITHDRAWALS],
    { screen: '/withdrawal-request-history/:userId' },
  ],
  [
    '"Transaction Details" shows Created, Name, Wallet Address, Amount, Type, Status, and closes',
    [WITHDRAWALS],
    { screen: '/withdrawal-request-history/:userId' },
  ],
]);

const transferring = part('Transfer', [
  [
    '/auth/transfer/dashboard: local or international, and a pin',
    [TRANSFER],
    { screen: '/auth/transfer/dashboard' },
  ],
  [
    'bank name and address, account and routing number, holder address, amount, narration',
    [
      TRANSFER,
      web(
        'features/transfer/transfer',
        'of nobody goes to a bank, whose details are needed, abroad its code too',
      ),
    ],
    { screen: '/auth/transfer/dashboard' },
  ],
  [
    'an account number is looked up at ten characters, and fills in a name that can’t be typed over',
    [
      TRANSFER,
      web(
        'features/transfer/transfer',
        'is looked up at exactly ten characters, and a customer needs no bank',
      ),
    ],
    { screen: '/auth/transfer/dashboard' },
  ],
  [
    'SWIFT/BIC/IBAN is there for international alone, and not for a customer’s number',
    [TRANSFER],
    { screen: '/auth/transfer/dashboard' },
  ],
  [
    '/transfer-history/:userId: S/N, Created, Name, Amount, Bank, Type, status',
    [TRANSFERS],
    { screen: '/transfer-history/:userId' },
  ],
  ['Transfer History has a way back', [TRANSFERS], dashboard],
]);

const others = part('Customer', [
  [
    '/auth/assets/:userId: a card of BTC, USDT and PI with four decimals',
    [
      ASSETS,
      web(
        'app/wallet/assets',
        'shows a wallet of each currency to four decimals, and what moved the one that is opened',
      ),
    ],
    { screen: '/auth/assets/:userId' },
  ],
  [
    "'Loading wallet data...' stands there until the wallets do",
    [failing('is told while wallets are loaded, and when they could not be')],
    { screen: '/auth/assets/:userId' },
  ],
  ['a card opens the transactions of its currency', [ASSETS], { screen: '/auth/assets/:userId' }],
  [
    '/auth/account-support/dashboard sends a message',
    [SUPPORT],
    { screen: '/auth/account-support/dashboard' },
  ],
  [
    '/auth/account-setting/dashboard changes the profile',
    [SETTINGS],
    { screen: '/auth/account-setting/dashboard' },
  ],
  ['a profile image is cut and uploaded', [SETTINGS], { screen: '/auth/account-setting/dashboard' }],
  [
    'a password is changed with the old one',
    [SETTINGS, api('access/security', 'a wrong old password changes nothing, and can’t be guessed')],
    { screen: '/auth/account-setting/dashboard' },
  ],
  [
    'tables have ten rows, with ways to those before and after',
    [
      web('features/requests/requests', 'an empty list says so, with both ways disabled'),
      api('testing/catalogue', 'a page has 10 rows'),
    ],
  ],
  [
    'buttons open a dialog, which Escape closes',
    [
      WITHDRAWALS,
      web('features/desk/request-desk', 'a failure keeps the dialog and repeats the same command'),
    ],
    { screen: '/withdrawal-request-history/:userId' },
  ],
  ['balances follow without a reload', [DECIDED], dashboard],
]);

const beyond = part('Beyond', [
  [
    'a statement of any period is shown, printed and taken as a file',
    [wallet('a statement of the month is shown, printed without the shell, and taken as a file')],
    { screen: '/auth/statement/dashboard' },
  ],
  [
    'the account is shown as of any moment, event by event',
    [wallet('a balance leads to the account as it was then, and the history goes step by step by keyboard')],
    { screen: '/auth/history/dashboard' },
  ],
  [
    'a customer is told what was decided, and what of it is unread',
    [wallet('the bell tells what was decided, and counts it until it was read')],
    dashboard,
  ],
  [
    'whoever wants it is asked for a second factor at sign-in',
    [
      secondFactor('a customer sets up a second factor with an app and sees the recovery codes once'),
      secondFactor('sign-in asks for a code of the second factor and accepts a recovery code'),
    ],
  ],
  [
    'dates and amounts are written as the customer chose',
    [wallet('dates and amounts are written as the account says, on whatever device')],
    { screen: '/auth/account-setting/dashboard' },
  ],
]);

export const walletScreens = [
  ...frame,
  ...home,
  ...funding,
  ...withdrawing,
  ...transferring,
  ...others,
  ...beyond,
];
