// What things are, become and may be, whatever screen asks: entities, states, validation, roles and constants.
import {
  access,
  api,
  catalogue,
  display,
  identity,
  journey,
  ledger,
  model,
  part,
  requests,
  settings,
  site,
  toasts,
  toolkit,
  wallet,
  web,
} from './tests.mjs';

const WITHDRAWN = api('requests/withdrawals', 'confirming pays what was set aside, for ever');
const ASKED = api('requests/withdrawals', 'sets the amount aside and shows where it is to be paid');
const ADDRESS = api(
  'settings/settings',
  'a fund request keeps the address of its moment, in the list, by itself and in the file',
);
const FORMS = site('sign-in and registration refuse in their own words, and take what is right');
const CONTACT = site('the contact form refuses what is missing, sends the rest and says so for five seconds');
const SENT = api('transfers/transfers', 'to a customer: it arrives, and both sides see it');
const REGISTERED = identity(
  '* a registration gives a person an id and an account number, and then a sign-in',
);
const PRODUCT = api('products/products', 'that an admin uploads is seen by everyone, with its images');

/** The entities of the specification whose fields are named there. */
const FIELDS = [
  'user',
  'WalletTransaction',
  'transaction',
  'withdrawal request',
  'funding request',
  'transfer',
  'product',
  'contact details',
  'deposit addresses',
  'message',
  'dollar rate',
];

const entities = part('Entity', [
  ...FIELDS.map((entity) => [
    `the fields of a ${entity}`,
    [['libs/contracts/fields.spec.ts', `every field of a ${entity} is told by the API`]],
  ]),
  ['an account number is 30 and 8 digits', [REGISTERED]],
  [
    'a new customer has nothing in the wallet and in every currency',
    [ledger('account', 'begins with nothing in every currency')],
  ],
  ['a user has totals of requests and of what was withdrawn', [WITHDRAWN]],
  ['a user has amountSpend and totalSpent', [WITHDRAWN], { adr: 45 }],
  [
    'a user has walletAddress and image',
    [
      api('people/people', 'has the address that withdrawals go to, for its owner alone to change'),
      api('people/people', 'shows an image that its owner uploaded for it, and no other'),
    ],
  ],
  [
    'a user has bonusDays, startDate, endDate and updatedTime',
    [api('processes/processes', 'starts the bonus cycle, once; an admin has none')],
  ],
  [
    'a transaction has amount, currency, type, customer, balance and when',
    [
      api(
        'transactions/transactions',
        'a customer’s statement has every movement, in the log’s order, with the balance that it left',
      ),
    ],
  ],
  [
    'a request has an id of 34 characters; products and messages have one of 35',
    [catalogue('ids of requests have 34 characters, those of products and messages 35')],
  ],
  [
    'a withdrawal has amount, currency, wallet address and convertedAmount',
    [
      ASKED,
      api('requests/withdrawals', 'of the request are those that stay in it, whatever an admin sets later'),
    ],
  ],
  ['a fund request has evidence, and address', [ADDRESS], { adr: 45 }],
  ['a request has loanPurpose and userRole', [ADDRESS, WITHDRAWN], { adr: 45 }],
  [
    'a transfer has bank, account, holder, narration, kind and balance',
    [api('transfers/transfers', 'to a bank: the customer types the name'), SENT],
  ],
  [
    'the pin of a transfer is in no event',
    [api('transfers/transfers', 'leaves no pin and no bank details in the log')],
    { adr: 45 },
  ],
  ['a product has its texts, images, isActive and isOutOfStock', [PRODUCT]],
  [
    'contact and deposit details are one record',
    [api('settings/settings', 'contact and deposit addresses are what was given last, each by itself')],
  ],
  [
    'a contact message has nine fields, and is not read at first',
    [api('messages/messages', 'of a visitor is sent, and listed with what they wrote')],
  ],
  [
    'the dollar rate is a number, for admins to see',
    [
      api(
        'settings/settings',
        'the dollar rate is set, shown to admins alone, and not changed by an empty one',
      ),
    ],
  ],
  [
    'instants have one shape, which is not that of seconds and nanoseconds',
    [api('http/lists', 'has what is between two instants')],
    { adr: 45 },
  ],
]);

const states = part('State', [
  ['a request is created Pending and open', [ledger('funding', 'waits for a decision and moves nothing')]],
  ['confirm gives confirmed, closed and confirmedAt', [WITHDRAWN]],
  [
    'reject gives rejected and closed',
    [api('requests/withdrawals', 'rejecting gives what was set aside back')],
  ],
  [
    'a closed request is decided no more',
    [api('requests/withdrawals', 'eight times at once, approving and rejecting, exactly one is done')],
  ],
  [
    'withdrawal confirm: wallet, total, transactions record and currency balance in one step',
    [model('the wallet, beside a model of it, answers and holds what the model says, after every command')],
  ],
  [
    'withdrawal confirm leaves at least 1',
    [
      api(
        'requests/withdrawals',
        'is refused beyond what can be withdrawn, and what can be withdrawn is what is told',
      ),
    ],
  ],
  [
    'withdrawal confirm writes a debit with the balance',
    [
      api(
        'transactions/transactions',
        'a customer’s statement has every movement, in the log’s order, with the balance that it left',
      ),
    ],
  ],
  [
    'funding confirm: wallet, credit record and currency balance',
    [
      ledger(
        'funding',
        'confirmed: the wallet moves by the amount and the balance by its worth, from the deposits',
      ),
    ],
  ],
  [
    'a request is seen to be confirmed, and its money in the wallet',
    [journey('* a request arrives live, is confirmed, and the balance follows without a reload')],
    { screen: '/auth/dashboard' },
  ],
  ['transfer starts Pending, confirm settles it on both sides', [SENT], { adr: 45 }],
  [
    'transfer reject closes it',
    [api('transfers/transfers', 'against it: what was set aside is available again')],
  ],
  [
    'a correction is an adjustment, and no transfer of a negative amount',
    [
      api('transfers/transfers', 'with a negative amount is refused'),
      ledger('funding', 'credits what is positive, debits what is negative, skips zero, in the order given'),
    ],
    { adr: 45 },
  ],
  [
    'a user is suspended and activated',
    [
      [
        'libs/application/access/access.int.spec.ts',
        'is closed and opened by a reconciliation, however often',
      ],
      api('people/people', 'is out at once and stays out until let in again'),
    ],
  ],
  [
    'a session ends when the person is disabled',
    [['libs/application/access/access.int.spec.ts', 'is closed to whoever wants to go on with a session']],
  ],
  ['a session ends when its token expires', [identity('* an access token expires: *')]],
  [
    'a session that is suspended or signed out is over at once',
    [identity('* a session that is ended is over at once, for both tokens')],
  ],
  [
    'a session that is over asks for the password, and keeps what was typed',
    [
      web(
        'app/shell/session',
        'when the session is over a dialog signs in again, and what was typed is still there',
      ),
    ],
  ],
  [
    'the bonus cycle begins at the first sign-in',
    [api('processes/processes', 'starts the bonus cycle, once; an admin has none')],
  ],
  [
    'stop sets the days to all, restart begins anew',
    [api('people/people', 'is stopped: all days count as paid; and begun anew')],
  ],
  [
    'a product is created active and in stock',
    [['libs/ledger/product/product.spec.ts', 'is created active and in stock']],
  ],
  [
    'the first withdrawal asks for a wallet address',
    [api('requests/withdrawals', 'needs a saved wallet address first, whatever the request says')],
  ],
]);

const validation = part('Rule', [
  ['sign-in needs e-mail and password', [FORMS], { screen: '/login' }],
  ['sign-in needs an account', [catalogue('User data not found. Please contact admin.')]],
  ['sign-in needs an account that is active', [catalogue('Account suspended. Please contact admin.')]],
  ['registration needs every field', [FORMS], { screen: '/register' }],
  ['passwords must match', [FORMS], { screen: '/register' }],
  [
    'an e-mail that exists is refused and not submitted again',
    [FORMS, api('access/sessions', 'eight times at once with one e-mail makes one person')],
    { screen: '/register', adr: 45 },
  ],
  [
    'a contact message needs name, e-mail, business type, phone and message',
    [CONTACT, api('messages/messages', 'of a visitor needs *')],
    { screen: '/Contact-us' },
  ],
  [
    'a product needs all but recommended images',
    [
      api('products/products', 'without * is refused, missing or blank'),
      api('products/products', 'needs no recommended images'),
    ],
  ],
  ['product images are images only', [api('files/files', 'a PDF is evidence only: *')]],
  [
    'an account number is looked up at exactly 10 characters',
    [
      api('transfers/transfers', 'gives the customer’s name and nothing else'),
      web(
        'features/transfer/transfer',
        'is looked up at exactly ten characters, and a customer needs no bank',
      ),
    ],
  ],
  [
    'SWIFT/BIC/IBAN is asked for abroad',
    [api('transfers/transfers', 'with no SWIFT code abroad is refused')],
  ],
  [
    'the account name of a customer is not typed',
    [api('transfers/transfers', 'to a customer: the name is the server’s, the amount is set aside')],
  ],
  [
    'a withdrawal needs an address',
    [
      web(
        'features/withdrawal/withdrawal',
        'shows where it goes and over which network, and asks for nothing without an address',
      ),
    ],
  ],
  [
    'a withdrawal above what there is can’t be submitted',
    [requests('a withdrawal needs a wallet address, and at most the available amount')],
    { screen: '/auth/withdrawal-request/dashboard' },
  ],
  [
    'a fund request needs an amount that is not zero',
    [
      ['web/src/features/funding/fund-form.spec.tsx', 'refuses * as an amount and sends nothing'],
      ledger('funding', 'refuses * US dollars'),
    ],
  ],
  [
    'a fund request needs a file, an image or a PDF',
    [
      journey('* a form that is not filled in is refused in its own words'),
      api('files/files', 'files uploadEvidence refuses *'),
    ],
    { screen: '/auth/fund-account/dashboard' },
  ],
  [
    'admin entries: negative debits, zero is skipped',
    [ledger('funding', 'credits what is positive, debits what is negative, skips zero, in the order given')],
  ],
  [
    'only non-empty profile fields are saved',
    [
      api('people/people', 'keeps what is left out or empty'),
      ['web/src/features/settings/settings.spec.tsx', 'a profile saves what is filled in and nothing else'],
    ],
  ],
  [
    'a password change asks for the old password',
    [api('access/security', 'a wrong old password changes nothing, and can’t be guessed')],
  ],
  ['an empty dollar rate is ignored', [settings('ignore an empty dollar rate')]],
  [
    'a text is not a date because it looks like one',
    [['libs/contracts/typed.spec.ts', 'is taken with blanks cut off: "2026-01-01T10:00:00"']],
    { adr: 45 },
  ],
  [
    'the password policy may ask for a minimum of 6, a maximum, and four kinds of characters',
    [
      ['libs/identity/password-policy.spec.ts', 'may ask for the six characters that it asked for before'],
      api('access/security', 'is kept by whoever registers, is registered, or changes theirs'),
    ],
    { adr: 42 },
  ],
]);

const OTHERS = "an id of one customer's says nothing to another, whether it exists or not";
const roles = part('Role', [
  ...[
    'Public pages, contact form',
    'Own records',
    'Fund, transfer, withdraw',
    'All transfers, withdrawals, funding, users',
    'Approve, reject, confirm requests; Block User; Suspend/Activate',
    'Fund or debit wallets; create users; stop/restart mining',
    'Edit global settings; view and set dollar rate',
    'Upload, edit, delete products',
    'Report History; View Fund History',
  ].map((capability) => [capability, [catalogue(capability)]]),
  [
    'somebody else’s records are nobody’s business',
    [access(OTHERS), access('a customer who is signed in finds only what is their own in lists')],
  ],
]);

const calls = part('Call', [
  [
    'sign in, create an account, sign out',
    [
      toolkit('signs up, and the account is one of Lode’s'),
      toolkit('signs in somebody who registered with Lode, and out'),
    ],
  ],
  [
    're-authenticate with the old password and update it',
    [
      toolkit('changes the password: other clients are signed out at their next request'),
      api('access/security', 'a new password ends the other sessions, and the old one is worth nothing'),
    ],
  ],
  [
    'products are listed, written, changed and deleted',
    [
      PRODUCT,
      api(
        'products/products',
        'changes what it is told to and keeps the rest; asked for what is so it changes nothing',
      ),
      api('products/products', 'that was deleted is gone, and stays so'),
    ],
  ],
  [
    'lists are ordered by when, newest first',
    [api('http/lists', 'goes back from a page to the one before, in either order')],
  ],
  [
    'a customer is found by account number',
    [api('transfers/transfers', 'gives the customer’s name and nothing else')],
  ],
  [
    'wallet address, pin, profile and image are written',
    [
      wallet('settings change who one is, how one looks, and how one signs in'),
      api('access/security', 'a transfer pin is set with the password'),
    ],
    { screen: '/auth/account-setting/dashboard' },
  ],
  [
    'evidence comes back to its owner and to admins alone',
    [api('files/files', 'evidence comes back to its owner and to admins, and to nobody else')],
  ],
  ['files can be asked for in parts', [api('files/files', 'some bytes of a file can be asked for')]],
  [
    'the identity service may be asked as its own client does',
    [
      toolkit('refreshes its tokens, and the one before is used up'),
      toolkit('deletes an account that holds nothing, and not one that holds money'),
    ],
    { adr: 13 },
  ],
  [
    'by phone, by a link or by another provider nobody signs in',
    [toolkit('every other way in, and every other change')],
    { adr: 13 },
  ],
]);

const constants = part('Constant', [
  [
    'the bonus: 10 percent a day, 7 days, every 7 hours',
    [settings('have the specification’s values until somebody sets them')],
  ],
  [
    'the bonus is capped and paid when at least 7 hours have passed',
    [
      [
        'services/worker/bonus-tick.spec.ts',
        'pays everybody to the cent, run late, again, by several workers, behind the log, with the clock jumping',
      ],
    ],
  ],
  ['amounts are shown with 4 decimals, others with up to 2', [['libs/ledger/money.spec.ts', 'display *']]],
  [
    'a date is written YYYY-MM-DD HH:mm',
    [display('without a choice an instant is written in UTC, whatever the browser is set to')],
  ],
  ["an age is 'Just now', minutes, hours, days under 30, then a date", [display('after * ms')]],
  ['a toast is default, success, info, warning or error', [toasts('a toast is of one of five types')]],
  [
    'a toast stands at the top right for 5000 ms, and waits under the pointer and behind another window',
    [
      toasts(
        'a toast stands at the top right for 5,000 ms, which do not run under the pointer or behind another window',
      ),
    ],
  ],
  [
    'a toast is dismissed when it is dragged by 80 percent',
    [toasts('a toast goes when it is dragged by 80 percent of its width, and no less')],
  ],
  ['a page has 10 rows', [catalogue('a page has 10 rows')]],
  [
    'a remote store is tried for 120000 ms, an upload for 600000 ms',
    [['libs/files/retry.spec.ts', 'work with a remote store has the limits of the specification']],
  ],
  ['a message goes after 5000 ms', [CONTACT], { screen: '/Contact-us' }],
  [
    'a slide is shown for 120000 ms',
    [site('the slides go on every two minutes to the last and stay there, unless they are stopped')],
    { screen: '/' },
  ],
  [
    'sign-in follows registration after 2 seconds',
    [['web/src/app/site/account.spec.ts', 'two seconds after a registration the sign-in page comes']],
  ],
  ['sign-in follows registration', [journey('* a customer registers and signs in')], { screen: '/login' }],
]);

export const rules = [...entities, ...states, ...validation, ...roles, ...calls, ...constants];
