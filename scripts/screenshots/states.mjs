/**
 * What screens come to show besides a page that is loaded: what is opened on them, refused, sent, empty, on its way or
 * failed. Each state is one row: who sees it and at which page, what is done `before` that is loaded, the `act` that brings
 * it about, and what is `shown` once it is there. Some are what goes wrong on purpose: what `fails` may be answered with
 * 503, what `breaks` may complain. `isBare` is outside the frame that pages have, `isComing` never gets all of it, `isWindow`
 * is taken as the window shows it, and `isAgain` is brought about anew for each size.
 */
import { pagePaths as paths, routes } from '../../dist/libs/contracts/index.js';
import { coming } from './camera.mjs';
import { guards } from './guards.mjs';
import { pagesOf } from './pages.mjs';
import { PASSWORD, SUSPENDED } from './people.mjs';
import {
  all,
  answer,
  answerAt,
  AWAY,
  button,
  chooseFile,
  choose,
  contentAt,
  fill,
  heading,
  holdReads,
  inDialog,
  leave,
  letThrough,
  open,
  OVER,
  press,
  refuseReads,
  refuseSends,
  retry,
  signInAgain,
  text,
  toast,
} from './steps.mjs';

/** Pages of a customer: each is looked at by somebody who has done nothing yet, while it comes, and when it can't. */
const ofEachPage = pagesOf('customer').flatMap((name) => [
  { name: `${name}-new`, who: 'newcomer', path: paths[name] },
  {
    name: `${name}-failed`,
    who: 'newcomer',
    path: paths[name],
    before: refuseReads,
    shown: retry,
    fails: true,
  },
  {
    name: `${name}-coming`,
    who: 'customer',
    path: paths[name],
    before: holdReads,
    shown: coming,
    isComing: true,
  },
]);

const { dashboard, transactions, settings, support, fund, transfer, withdraw } = paths;
const view = open(/^View request/);
/** What is opened over a page; it is taken as the window shows it. */
const opened = [
  {
    name: 'fund-request',
    path: transactions,
    act: view,
    shown: inDialog('Fund request'),
  },
  ...['withdrawalHistory', 'transferHistory'].map((history) => ({
    name: `${history}-details`,
    path: paths[history],
    act: view,
    shown: inDialog('Transaction Details'),
  })),
  {
    name: 'open-request',
    path: dashboard,
    act: view,
    shown: inDialog(/Details|request/),
  },
  { name: 'wallet-transactions', path: `${paths.assets}?wallet=USDT`, shown: inDialog('USDT transactions') },
  {
    name: 'account-menu',
    path: dashboard,
    act: open(/^Account of/),
    shown: (page) => page.getByRole('menuitem').first(),
  },
  {
    name: 'filters',
    path: transactions,
    act: open('Add filter'),
    shown: (page) => page.getByRole('menuitem').first(),
  },
  { name: 'menu', path: dashboard, act: open('Menu'), shown: button('Close menu'), sizes: ['phone'] },
  {
    name: 'palette',
    path: dashboard,
    act: ({ page }) => page.keyboard.press('Control+K'),
    shown: (page) => page.getByRole('option').first(),
  },
  {
    name: 'palette-empty',
    path: dashboard,
    act: async ({ page }) => {
      await page.keyboard.press('Control+K');
      await page.getByRole('combobox').fill('nothing of the kind');
    },
    shown: text('Nothing is called that.'),
  },
  {
    name: 'shortcuts',
    path: dashboard,
    act: ({ page }) => page.keyboard.press('?'),
    shown: inDialog('Keyboard shortcuts'),
  },
  {
    name: 'session-over',
    path: dashboard,
    act: all(({ page }) => page.route('**/api/**', (route) => route.fulfill(OVER)), leave),
    shown: inDialog('Your session is over'),
  },
].map((state) => ({ who: 'customer', isWindow: true, ...state }));

/** What nothing is in, and what is wrong with what was typed. */
const typed = [
  {
    name: 'filtered',
    path: `${transactions}?status=Pending&currency=BTC`,
    shown: button(/^Remove filter Status/),
  },
  {
    name: 'filtered-empty',
    who: 'newcomer',
    path: `${transactions}?status=rejected&currency=PI`,
    shown: text('No logs available.'),
  },
  {
    name: 'statement-empty',
    path: `${paths.statement}?from=2019-01-01&to=2019-12-31`,
    shown: text('No logs available.'),
  },
  {
    name: 'statement-backwards',
    path: `${paths.statement}?from=2019-01-01&to=2018-12-31`,
    shown: text(/^A period can’t end/),
  },
  {
    name: 'fund-refused',
    path: fund,
    act: press('Submit request'),
    shown: text(/^Please enter a valid upload/),
  },
  {
    name: 'withdraw-too-much',
    path: withdraw,
    act: all(choose(/^USDT/), fill({ 'Amount, USD': '999999' })),
    shown: text('Insufficient USDT wallet balance!'),
  },
  {
    name: 'transfer-bank',
    path: transfer,
    act: all(fill({ 'Account number': '9900000001' }), choose('International'), press('Submit transfer')),
    shown: text('Incomplete information'),
  },
  {
    name: 'transfer-customer',
    path: transfer,
    act: async ({ page, numberOf }) =>
      page.getByLabel('Account number').fill(await numberOf('jonas@lode.example')),
    shown: text('An account here: the money stays on the platform.'),
  },
  {
    name: 'password-refused',
    path: settings,
    act: press('Change password'),
    shown: text(/^Please enter|Incomplete/),
  },
  { name: 'crop', path: settings, act: chooseFile('Profile image'), shown: button('Use picture') },
].map((state) => ({ who: 'customer', ...state }));

const message = fill({ Message: 'When are they back?' });
/** What a toast says, beside what it speaks of: brought about at each size, as places differ. */
const told = [
  {
    name: 'support-sent',
    path: support,
    act: all(message, press('Send message')),
    shown: toast('Message sent successfully!'),
  },
  {
    name: 'support-not-sent',
    path: support,
    before: refuseSends,
    act: all(message, press('Send message')),
    shown: toast('Something went wrong.'),
    fails: true,
  },
  {
    name: 'profile-saved',
    path: settings,
    act: press('Save profile'),
    shown: toast('User info updated successfully!'),
  },
  {
    name: 'fund-not-sent',
    path: fund,
    before: refuseSends,
    act: all(fill({ 'Amount, USD': '100' }), chooseFile('Payment evidence'), press('Submit request')),
    shown: toast(/^There was an error/),
    fails: true,
  },
  {
    name: 'withdraw-not-sent',
    path: withdraw,
    before: refuseSends,
    act: all(
      choose(/^USDT/),
      fill({ 'Amount, USD': '10', 'Transfer pin or password': '4821' }),
      press('Submit request'),
    ),
    shown: toast(/^There was an error/),
    fails: true,
  },
  {
    name: 'statement-file-failed',
    path: paths.statement,
    act: all(({ page }) => page.route('**/statement?**', (route) => route.fulfill(AWAY)), press('CSV')),
    shown: toast(/^A part of Lode/),
    fails: true,
  },
].map((state) => ({ who: 'customer', isWindow: true, isAgain: true, ...state }));

/** Without a network, without the service, without a place or the right to it. */
const away = [
  {
    name: 'offline',
    path: dashboard,
    act: ({ page }) => page.context().setOffline(true),
    shown: text(/^You are offline/),
  },
  {
    name: 'away',
    path: dashboard,
    before: answerAt(routes.live, AWAY),
    act: ({ page }) => page.route('**/api/**', (route) => route.fulfill(AWAY)),
    shown: text(/^Lode is away for a moment\. What you see/),
    fails: true,
  },
  {
    name: 'clock-wrong',
    path: dashboard,
    before: contentAt(routes.clock, {
      accepted: false,
      clock: '2020-01-01T00:00:00.000Z',
      known: new Date().toISOString(),
    }),
    shown: text('The clock of the server is wrong.'),
  },
  { name: 'not-open', path: paths.adminDashboard, shown: heading('Not open to you') },
  {
    name: 'not-open-of-others',
    path: '/fund-request-history/somebody-else',
    shown: heading('Not open to you'),
  },
  {
    name: 'nowhere',
    path: '/auth/nothing',
    shown: heading('Unexpected Application Error!'),
    isNowhere: true,
    isBare: true,
  },
  {
    name: 'broken',
    path: dashboard,
    before: answerAt(routes.account, answer({})),
    shown: heading('Unexpected Application Error!'),
    breaks: true,
    isBare: true,
  },
].map((state) => ({ who: 'customer', ...state }));

const person = {
  'First name': 'Iris',
  'Last name': 'Berg',
  'E-mail': 'iris@lode.example',
  Phone: '+46 8 555 0100',
  Password: 'lode-demo-2',
  'Confirm password': 'lode-demo-2',
};
const contact = {
  Name: 'Iris Berg',
  'E-mail': 'iris@lode.example',
  'Business type': 'Farming',
  Phone: '+46 8 555 0100',
  Message: 'When do you open?',
};
/** The forms of the site, refused and sent, and who is kept out. */
const ofSite = [
  {
    name: 'login-refused',
    path: paths.login,
    act: press('Login'),
    shown: text('Email and password are required'),
  },
  {
    name: 'login-wrong',
    path: paths.login,
    act: all(fill({ 'E-mail': 'nobody@lode.example', Password: 'a wrong password' }), press('Login')),
    shown: text(/^Login failed: /),
  },
  {
    name: 'login-away',
    path: paths.login,
    before: answerAt(routes.signIn, AWAY),
    act: all(fill({ 'E-mail': 'nobody@lode.example', Password: 'a password' }), press('Login')),
    shown: text(/^Login failed: /),
    fails: true,
  },
  {
    name: 'register-refused',
    path: paths.register,
    act: press('Register'),
    shown: text('Incomplete information'),
  },
  {
    name: 'register-done',
    path: paths.register,
    act: async (given) => {
      // Where it leads is not gone to.
      await given.page.route(`**${paths.login}`, (route) => route.fulfill({ status: 204 }));
      await all(fill(person), press('Register'))(given);
    },
    shown: text('Registration successful. Redirecting to login...'),
  },
  { name: 'register-invited', path: `${paths.registerAdmin}#invitation=x`, shown: button('Register') },
  {
    name: 'contact-refused',
    path: paths.contact,
    act: press('Send message'),
    shown: text('Please enter your name.'),
  },
  {
    name: 'contact-sent',
    path: paths.contact,
    act: all(fill(contact), press('Send message')),
    shown: text('Message sent successfully!'),
  },
  {
    name: 'forgot-sent',
    path: paths.forgotPassword,
    act: all(fill({ 'E-mail': 'nobody@lode.example' }), ({ page }) =>
      page.locator('form [type=submit]').click(),
    ),
    shown: (page) => page.locator('.told[data-kind]'),
  },
  {
    name: 'reset-by-link',
    path: `${paths.resetPassword}#x`,
    shown: (page) => page.locator('form [type=submit]'),
  },
  {
    name: 'site-menu',
    path: paths.site,
    act: open('Menu'),
    shown: (page) => page.getByRole('navigation', { name: 'Main' }),
    sizes: ['phone'],
    isWindow: true,
  },
  {
    name: 'site-nowhere',
    path: '/nothing',
    shown: heading('Unexpected Application Error!'),
    isNowhere: true,
    isBare: true,
  },
].map((state) => ({ who: 'visitor', ...state }));

const ofReturning = [
  {
    name: 'login-session-over',
    who: 'newcomer',
    path: paths.login,
    before: answerAt(routes.refresh, OVER),
    shown: text('Your session is over. Please sign in again.'),
  },
];

const ofSuspended = [
  {
    name: 'suspended',
    who: 'suspended',
    path: dashboard,
    act: all(({ suspend }) => suspend(), leave, signInAgain),
    shown: text('Account suspended. Please contact admin.'),
    isWindow: true,
  },
  {
    name: 'login-suspended',
    who: 'suspended',
    path: paths.login,
    act: all(fill({ 'E-mail': SUSPENDED.email, Password: PASSWORD }), press('Login')),
    shown: text('Account suspended. Please contact admin.'),
  },
];

/** Pages that ask for nothing before something was typed. */
const ASK_NOTHING = ['createUser', 'uploadProduct', 'streams'];
const ofAdmins = [
  // Whether an admin may work at all, and with which duty, is asked before anything else.
  ...pagesOf('admin')
    .filter((name) => !ASK_NOTHING.includes(name))
    .flatMap((name) => [
      {
        name: `${name}-admin-failed`,
        who: 'admin',
        sizes: ['phone'],
        path: paths[name],
        before: all(refuseReads, letThrough(routes.secondFactor), letThrough(routes.me)),
        shown: retry,
        fails: true,
      },
      {
        name: `${name}-admin-coming`,
        who: 'admin',
        sizes: ['phone'],
        path: paths[name],
        before: all(holdReads, letThrough(routes.secondFactor), letThrough(routes.me)),
        shown: coming,
        isComing: true,
      },
    ]),
  {
    name: 'away-from-the-start',
    who: 'admin',
    path: dashboard,
    before: answerAt(routes.refresh, AWAY),
    shown: heading('Lode is away for a moment'),
    fails: true,
    isBare: true,
  },
  {
    name: 'decision',
    who: 'admin',
    path: transactions,
    act: open(/^Decide request/),
    shown: inDialog('Transaction Action'),
    isWindow: true,
  },
  {
    name: 'events-in-one-list',
    who: 'admin',
    path: `${paths.events}?view=all`,
    shown: (page) => page.getByRole('region', { name: 'All events' }).getByRole('row').nth(5),
  },
  {
    name: 'site-content-preview',
    who: 'admin',
    path: `${paths.siteContent}?section=plans&show=preview&width=phone`,
    shown: (page) => page.frameLocator('iframe').getByRole('heading', { name: 'Choose Your Mining Plan' }),
  },
  {
    name: 'site-content-wrong',
    who: 'admin',
    path: paths.siteContent,
    act: fill({ Title: '' }),
    shown: (page) => page.getByText('Please enter a title.').first(),
  },
];

/** Every state that there is. */
export const states = [
  ...ofEachPage,
  ...opened,
  ...typed,
  ...told,
  ...away,
  ...ofSite,
  ...ofReturning,
  ...ofSuspended,
  ...ofAdmins,
  ...guards,
];
