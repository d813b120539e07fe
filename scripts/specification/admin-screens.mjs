// What an admin sees.
import {
  api,
  approving,
  audit,
  desks,
  evidence,
  eventsList,
  failingAdmins,
  figures,
  keyboard,
  ledger,
  outcomes,
  part,
  people,
  platform,
  system,
  web,
} from './tests.mjs';

const dashboard = { screen: '/auth/dashboard' };
const users = { screen: '/auth/User/dashboard' };
const person = { screen: '/auth/User/dashboard/:userId' };
const funds = { screen: '/auth/transaction/dashboard' };
const withdrawals = { screen: '/withdrawal-request-history/:userId' };

const transfers = { screen: '/transfer-history/:userId' };

const TRANSFERS = failingAdmins(
  'is told that a transfer was neither confirmed nor rejected, and then that it was',
);
const PLACES = [
  'web/src/app/shell/navigation.spec.ts',
  'an admin has the places and actions of the product, and those of the back office behind them',
];
const OVERVIEW = desks('the dashboard says what waits longest, and lists all requests');
const FOUND = people('finds somebody in the user log, and comes to their page');
const FUNDED = people('credits and debits by hand, and is refused more than there is');
const MINING = people('stops and restarts mining');
const BLOCKED = people('blocks somebody, who is signed out at once, and lets them in again');
/** That an act failed once, and was done when it was tried again. */
const failedOnce = (what) => outcomes(`is told that ${what}, and then that it was`);
const listTaken = (name) => outcomes(`is told that the list of ${name} was not made a file, and then has it`);
const SELECTED = outcomes(
  'is told that what is selected was neither confirmed nor rejected, and then which of it was',
);
const APPROVED = desks(
  'a withdrawal is approved with what its payment is found by, and another one is rejected',
);
const RACED = desks('of two admins who decide the same request at once one is told that it is closed');
const TOGETHER = desks('what is selected is decided together, and each tells what came of it');

const frame = part('Admin', [
  [
    'the menu: Dashboard, User Management, Funds Management, Withdrawal, Settings, and what came to them',
    [OVERVIEW, PLACES],
    dashboard,
  ],
  [
    'quick actions: Manage Users, All Transactions, Withdrawals, Funding, Settings',
    [OVERVIEW, PLACES],
    dashboard,
  ],
  ['on a phone a bar with the first four of them', [OVERVIEW, PLACES], dashboard],
  [
    'the logo leads to /auth/dashboard/admin, and Logout to /login',
    [people('comes to the dashboard by the logo, and from Logout to the sign-in page')],
    { screen: '/login' },
  ],
]);

const home = part('Admin dashboard', [
  ['Total Users with Create User, Total Funding, Pending Withdrawals', [OVERVIEW], dashboard],
  ['a paged list of all requests', [OVERVIEW], dashboard],
  ['the list of all requests is taken away as a file', [listTaken('requests')], dashboard],
  [
    'Global Settings: phone, e-mail, address, and the deposit addresses of BTC, USDT and PI',
    [desks('the dashboard has the settings that hold for all, of which one is changed there')],
    dashboard,
  ],
  [
    'what needs somebody, and what waits longest',
    [
      OVERVIEW,
      web('features/overview/overview', 'what is well is told in one line, and what is not in its own words'),
    ],
    dashboard,
  ],
]);

const ofPeople = part('Users', [
  ['/auth/User/dashboard lists everybody, found by a search and a status', [FOUND], users],
  ['all whom the list has are taken away as a file', [listTaken('users')], users],
  [
    'a person is shown with balances, open requests, sessions, bonus and notes',
    [
      FOUND,
      web(
        'app/admin/person',
        'shows who somebody is, what they have and what waits, and why a balance is so',
      ),
      web('app/admin/person', 'sessions are ended one by one, and all at once'),
      web('app/admin/person', 'something is noted about somebody, with both outcomes'),
    ],
    person,
  ],
  [
    'Block User and Activate, which is in force at once',
    [BLOCKED, people('says when a user could not be blocked'), failedOnce('a user was not activated')],
    person,
  ],
  [
    'mining is stopped and restarted',
    [MINING, failedOnce('mining was not stopped'), failedOnce('mining was not restarted')],
    person,
  ],
  [
    'wallets are credited and debited: a negative amount debits, zero is skipped',
    [
      FUNDED,
      ledger('funding', 'credits what is positive, debits what is negative, skips zero, in the order given'),
    ],
    person,
  ],
  [
    'a second factor that was lost is taken off',
    [
      failedOnce('a lost second factor was not taken off'),
      web(
        'app/admin/person',
        'a lost second factor is taken off with a reason, and not by whoever decides on money alone',
      ),
    ],
    person,
  ],
  [
    'notes about a person',
    [people('notes something about somebody'), failedOnce('a note was not saved')],
    person,
  ],
  [
    '/auth/create-new-account/dashboard registers a customer',
    [people('registers a customer, unless the e-mail is taken')],
    { screen: '/auth/create-new-account/dashboard' },
  ],
  [
    'a new customer sets the password by a link that no admin sees',
    [
      people('registers a customer who sets the first password by a link that was mailed, and signs in'),
      web(
        'app/admin/users',
        'registers somebody who sets the password by a link, which nobody here has seen',
      ),
    ],
    { screen: '/auth/create-new-account/dashboard' },
  ],
  [
    'a password that an admin chose is for the first sign-in',
    [
      people('has whoever was registered so choose another password before anything else'),
      web(
        'app/own-password',
        'whoever has a password that an admin chose sees nothing but the form of another one, until it is set',
      ),
    ],
    { screen: '/auth/dashboard' },
  ],
  [
    'sessions of a person are ended one by one, or all',
    [
      people('signs somebody out on one device, and everywhere'),
      failedOnce('a session was not ended'),
      failedOnce('a sign-out everywhere was not done'),
      web('app/admin/person', 'sessions are ended one by one, and all at once'),
    ],
    person,
  ],
  [
    '/auth/fund-account/dashboard chooses whom to fund, with View Fund History',
    [people('chooses whom to fund on the page of funding')],
    { screen: '/auth/fund-account/dashboard' },
  ],
  [
    'admins are invited by a link that is used once and can be revoked',
    [
      people('invites an admin by a link, and revokes another'),
      failedOnce('an invitation was not issued'),
      failedOnce('an invitation was not revoked'),
      api('access/invitations', 'that are revoked make nobody an admin, and are revoked once'),
      [
        'libs/application/registration/registration.int.spec.ts',
        'by an invitation that is cut off is finished by nobody once that was revoked',
      ],
    ],
    { screen: '/auth/invitations/dashboard' },
  ],
  [
    '/auth/account-setting/dashboard: their own profile, password, second factor and sessions',
    [people('has settings of their own')],
    { screen: '/auth/account-setting/dashboard' },
  ],
]);

const requests = part('Requests', [
  ['/auth/transaction/dashboard is the management of funds', [RACED, TOGETHER], funds],
  [
    '"Transaction Action" asks to reject or confirm',
    [RACED, failedOnce('a fund request was not confirmed'), failedOnce('a fund request was not rejected')],
    funds,
  ],
  [
    '/withdrawal-request-history/:userId with an admin’s own id lists those of all customers',
    [APPROVED],
    withdrawals,
  ],
  [
    '"Transaction Details" approves and rejects',
    [APPROVED, failedOnce('a withdrawal was not approved'), failedOnce('a withdrawal was not rejected')],
    withdrawals,
  ],
  [
    'the customer sees what a payout is found by',
    [
      APPROVED,
      api(
        'requests/withdrawals',
        'what a payment is found by is kept with it, shown to the customer, and the same when it is sent again',
      ),
      web('app/wallet/withdrawal-history', 'a withdrawal that was paid says what its payment is found by'),
    ],
    withdrawals,
  ],
  [
    'several are decided together, and each tells what came of it',
    [
      TOGETHER,
      SELECTED,
      web(
        'features/desk/bulk',
        'what is selected is listed with its sums, sent with one reason, and told of one by one',
      ),
    ],
    funds,
  ],
  ['the list is gone through and decided by keys', [APPROVED], withdrawals],
  [
    'a key each confirms and rejects, one request or those that are selected, by keyboard alone',
    [
      keyboard('a request is confirmed, and another rejected, by a key each'),
      keyboard('what is selected is decided together'),
      web(
        'features/desk/bulk',
        'the key of a confirmation opens a row, confirms it in its dialog, and asks about what is selected',
      ),
    ],
    funds,
  ],
  [
    '/transfer-history/:userId with an admin’s own id lists those of all customers; "Confirm or Reject Transaction" decides',
    [TRANSFERS],
    transfers,
  ],
  [
    'a history with a customer’s id is that customer’s alone, with a way back',
    [failingAdmins('finds a customer’s own transfers by the customer’s id, and the way back')],
    transfers,
  ],
  [
    '/fund-request-history and /withdrawal-request-history with a customer’s id are that customer’s alone',
    [failingAdmins('finds a customer’s own fund requests and withdrawals by the customer’s id')],
    withdrawals,
  ],
  [
    'evidence is looked at where it is decided: zoomed and turned',
    [evidence('a picture is looked at closely beside its decision, with the keyboard alone')],
    funds,
  ],
  [
    'a PDF is looked at page by page, and does nothing of its own',
    [
      evidence('a PDF with scripts, links and very many pages shows its first page, and does nothing'),
      evidence('the frame has no origin, and hears nobody but the page around it'),
    ],
    funds,
  ],
  [
    'the same file in another request is told',
    [
      evidence(
        'a file that another customer sent as well is told beside the decision, and leads to that request',
      ),
      web(
        'features/decision/evidence-uses',
        'warns of another customer who sent the same file, and leads to that request',
      ),
      web('features/decision/evidence-uses', 'never takes a failure for a file that was not used'),
    ],
    funds,
  ],
  [
    'one verdict decides many requests, each by itself and once',
    [
      api(
        'bulk/decisions',
        'one verdict about requests of all kinds: each is decided by itself, and is found decided',
      ),
      api(
        'bulk/decisions',
        'sent again under its keys nothing is decided twice, and another verdict is refused',
      ),
    ],
  ],
]);

const history = part('Audit', [
  [
    'events are found by any filter, each with what caused it',
    [audit('finds an event, sees all of it beside the list, and goes where it leads')],
    { screen: '/auth/audit/events' },
  ],
  [
    'new events wait behind a button, and columns are chosen',
    [
      web('features/audit/explorer', 'new events wait behind a button'),
      web('features/audit/explorer', 'columns are chosen, and are in the address'),
    ],
  ],
  [
    'an event is shown with what it booked, what caused it, and figures that are not rounded',
    [
      web(
        'features/audit/explorer',
        'one of them is shown with its postings, causes, states, text and place in the chain',
      ),
    ],
  ],
  [
    'what is shown is taken away as a file',
    [audit('takes away what is shown')],
    { screen: '/auth/audit/events' },
  ],
  [
    'all events are in one list, whose rows are made as they are come to',
    [eventsList('scrolls through twenty thousand events in one list, of which few are ever there')],
    { screen: '/auth/audit/events' },
  ],
  [
    'a stream is read with its chain verified',
    [audit('reads a stream with its chain checked as it is read')],
    { screen: '/auth/audit/streams' },
  ],
  [
    'any account is shown as of any moment',
    [audit('travels in anybody’s account')],
    { screen: '/auth/audit/account/:userId' },
  ],
  [
    'the trial balance, as of any moment, with the postings behind a figure',
    [audit('sees that the books balance, then and now, and what is behind a figure')],
    { screen: '/auth/audit/trial-balance' },
  ],
  [
    'who decided what, when and why, and what was guarded',
    [
      audit('sees who decided what and why, and what was guarded'),
      web('features/audit/explorer', 'what the page of * asks for is what the service takes'),
    ],
    { screen: '/auth/audit/activity' },
  ],
  [
    'figures come from sums by day, which are what the trial balance says',
    [api('sums/sums', 'are what the trial balance says, a row a day and currency')],
    { adr: 59 },
  ],
  [
    'money by day, open requests by age, bonus expense, lag and commands as charts, each with its table',
    [
      figures('sees them as charts, and by keyboard as tables of the days that the address names'),
      web('features/figures/figures', 'has every chart as a table, which whoever hears the page gets'),
    ],
    { screen: '/auth/figures/dashboard' },
  ],
  [
    'all of a person’s own streams as a case file, to print and to check without Lode',
    [
      figures('has all of a person’s own streams as a case file'),
      web(
        'features/case-file/case-file',
        'a case has all events in order, how each stream ends, and is printed once it is whole',
      ),
      api('audit/case-file', 'is accepted by the auditor’s own program, and not once it was changed'),
    ],
    { screen: '/auth/audit/case/:userId' },
  ],
]);

const UPLOADED = platform('uploads a product, which goes out of stock, and off the site');
const REPORTED = platform('reads a report, and sets the dollar rate');
const PRICED = platform('sets prices and the bonus policy, and is told what is out of bounds');
const TOLD = platform('changes where customers pay to, and what the site says');
const DRAFTED = platform(
  'sees the site with what is typed before it is saved, and what keeps it from being saved',
);
const TABBED = platform(
  'sees it on a phone behind a tab, scrolled to what is written, and what a version would bring back',
);
const ENGINES = system('has a backup made and everything verified, and sees the engines and settings');

const JOBS = system('runs another job, and has all tried again that reactors could not do');

const SECONDED =
  'it waits for a second admin, who finds it among what needs attention, approves it, and everybody sees it';

const ofPlatform = part('Platform', [
  [
    'what holds for all waits for a second admin where there is one, and is taken back by whoever asked',
    [
      approving(SECONDED),
      approving('one’s own is taken back, and changes nothing'),
      api(
        'settings/changes',
        'deposit addresses, the dollar rate, bonus policy, limits, duties and a bonus that begins anew wait as well',
      ),
    ],
    { screen: '/auth/approvals/dashboard' },
  ],
  [
    'Report History, whose messages are opened and marked as read',
    [
      REPORTED,
      failedOnce('a report was not marked as read'),
      failedOnce('a report was not marked as unread'),
    ],
    { screen: '/auth/account-support/dashboard' },
  ],
  [
    'a report is forgotten for ever',
    [
      failedOnce('a report was not forgotten'),
      web('features/reports/reports', 'opens a message with all its fields, marks it read, and forgets it'),
    ],
    { screen: '/auth/account-support/dashboard' },
  ],
  [
    'the reports are taken away as a file',
    [listTaken('reports')],
    { screen: '/auth/account-support/dashboard' },
  ],
  ['the dollar rate is shown and set', [REPORTED], { screen: '/auth/account-support/dashboard' }],
  ['/upload/admin uploads a product', [UPLOADED], { screen: '/upload/admin' }],
  [
    '/upload/product switches and deletes products',
    [UPLOADED, failedOnce('a product was not taken out of stock'), failedOnce('a product was not deleted')],
    { screen: '/upload/product' },
  ],
  [
    'a product is edited',
    [
      failedOnce('a product was not edited'),
      web(
        'features/products/products',
        'a product goes out of stock, is changed, and is deleted after a question',
      ),
    ],
    { screen: '/upload/product' },
  ],
  ['prices are set with a reason', [PRICED], { screen: '/auth/prices/dashboard' }],
  [
    'the bonus policy, with what it would pay',
    [
      PRICED,
      web(
        'features/bonus-policy/bonus-policy',
        'works out at once what a typed policy would pay, and sets it with a reason',
      ),
    ],
    { screen: '/auth/bonus-policy/dashboard' },
  ],
  ['contact and deposit details', [TOLD], { screen: '/auth/deposit-details/dashboard' }],
  ['the site’s texts, each change a version', [TOLD], { screen: '/auth/site-content/dashboard' }],
  [
    'the site with texts that nobody has saved yet, beside them and on a phone behind a tab',
    [DRAFTED, TABBED],
    { screen: '/auth/site-content/dashboard' },
  ],
  [
    'what a version changed is compared and restored',
    [
      TABBED,
      web(
        'features/site-content/site-content',
        'shows what a version changed and restores it, with defaults for what it did not have',
      ),
      api('settings/settings', 'gives what the site said after any change of its texts'),
    ],
  ],
  [
    'a picture of the site is uploaded into its place',
    [
      outcomes('is told that a picture of the site was not uploaded, and then has it in its place'),
      web(
        'features/site-content/site-content',
        'a picture is uploaded into its place, and one that was not leaves it as it was',
      ),
    ],
    { screen: '/auth/site-content/dashboard' },
  ],
  [
    'the mails of late, without what they say',
    [
      TOLD,
      web('features/mails/mails', 'lists mails with what became of them, and opens one'),
      api('mail/mail', 'are shown to admins page by page, and neither what they say nor a link'),
    ],
    { screen: '/auth/mails/dashboard' },
  ],
]);

const ofSystem = part('Operations', [
  [
    'read models against the log, each built anew',
    [system('sees how read models stand, and builds one anew')],
    { screen: '/auth/system/projections' },
  ],
  [
    'what was parked is looked at, replayed, and discarded with a reason; a rebuild is canceled once its name was typed',
    [
      system(
        'replays what a rebuild could not take once it can be read, and discards the rest with a reason',
      ),
      system('cancels a rebuild that comes no further, and what was read before is read on'),
      [
        'libs/application/operations/parked.spec.ts',
        'are discarded by an admin, which the log says with the reason, and before it happens',
      ],
      api('operations/rebuild', 'sees how it goes, and may end it'),
    ],
    { screen: '/auth/system/projections' },
  ],
  [
    'what could not be done is tried again',
    [
      JOBS,
      web('features/operations/operations', 'has all tried again that reactors could not do'),
      api('processes/processes', 'has any job run by hand, and both runs are orders in the log'),
    ],
    { screen: '/auth/system/jobs' },
  ],
  [
    'each of these acts is an event',
    [api('operations/rebuild', 'leaves what was ordered in the log, and who ordered it')],
  ],
  [
    'jobs with their runs, and what a tick paid account by account',
    [
      system('runs the bonus tick, and sees what each job did'),
      JOBS,
      web(
        'features/operations/operations',
        'has each job with its runs, and what a tick paid, account by account',
      ),
    ],
    { screen: '/auth/system/jobs' },
  ],
  [
    'engines with their health, and settings with their source',
    [ENGINES],
    { screen: '/auth/system/engines' },
  ],
  [
    'how many admins are signed in, and where, with a way to sign them out',
    [
      ENGINES,
      web(
        'features/admins/admin-sessions',
        'says how many admins are signed in, and where once it is asked for: that is noted',
      ),
    ],
    { screen: '/auth/system/engines' },
  ],
  [
    'a backup is made from the page, and the last one told',
    [ENGINES, api('operations/chores', 'a backup is made beside everything else, verified, and told')],
    { screen: '/auth/system/engines' },
  ],
  [
    'a backup is canceled, and nothing is left of one that came to nothing',
    [
      system('cancels a backup that is under way'),
      api('operations/chores', 'a backup is canceled, leaves nothing, and none is when none is under way'),
      api('operations/chores', 'a backup that fails after it was copied leaves nothing'),
      [
        'services/lode/operation/chores.int.spec.ts',
        'deletes what a killed program has left of a backup, and nothing else',
      ],
    ],
    { screen: '/auth/system/engines', adr: 61 },
  ],
  [
    'on servers the page has the procedure of a backup instead',
    [web('features/operations/operations', 'is not offered where the program makes none: servers')],
  ],
  [
    'the log is verified from the page, with how far that is, what it found, and a way to stop it',
    [
      ENGINES,
      system('cancels a check that is under way'),
      api('operations/chores', 'a check says how much it has looked at, and that nothing is wrong'),
      api('operations/chores', 'a check is canceled, and nothing is when none is under way'),
      api('operations/chores', 'what is wrong is named, by a check and by a backup'),
    ],
    { screen: '/auth/system/engines' },
  ],
]);

const ofWork = part('Back office', [
  [
    'a customer is found, funded and blocked by keyboard alone',
    [keyboard('a customer is found, funded and blocked')],
    person,
  ],
  [
    'an event is opened beside the list by keyboard alone, and the focus comes back',
    [keyboard('an event is opened beside the list, and closed')],
    { screen: '/auth/audit/events' },
  ],
  [
    'a setting is changed by keyboard alone',
    [keyboard('a price is set, with a reason')],
    { screen: '/auth/prices/dashboard' },
  ],
  [
    'events that come meanwhile wait behind a button',
    [audit('has what happens meanwhile wait behind a button')],
    { screen: '/auth/audit/events' },
  ],
]);

export const adminScreens = [
  ...frame,
  ...home,
  ...ofPeople,
  ...requests,
  ...history,
  ...ofPlatform,
  ...ofSystem,
  ...ofWork,
];
