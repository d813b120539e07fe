/**
 * States of what guards an account: the second factor, passkeys, the e-mail address, and what the bell tells of them. What the
 * service would answer is written here, as nobody in the demonstration has any of it; the rows are those of `states.mjs`.
 */
import { pagePaths as paths, routes } from '../../dist/libs/contracts/index.js';
import { openNotifications } from './pages.mjs';
import { PASSWORD } from './people.mjs';
import {
  all,
  button,
  changedAt,
  contentAt,
  answerAt,
  fill,
  heading,
  inForm,
  leave,
  open,
  OVER,
  press,
  refusal,
  send,
  signInAgain,
  text,
} from './steps.mjs';

const hoursFromNow = (hours) => new Date(Date.now() + hours * 3_600_000).toISOString();
const CODES = Array.from(
  { length: 10 },
  (_, nth) => `${'abcdefghij'[nth]}7kq-m2xz-${'qrstuvwxyz'[nth]}4np-h6ty`,
);
const PASSKEYS = [
  { passkeyId: 'a'.repeat(32), name: 'Work laptop', addedAt: hoursFromNow(-900), usedAt: hoursFromNow(-3) },
  { passkeyId: 'b'.repeat(32), name: 'Telephone', addedAt: hoursFromNow(-30) },
];
const rpId = 'localhost';
const challenge = 'c2lnbiB0aGlz';
const timeout = 300_000;
const toSign = {
  challenge,
  timeout,
  rpId,
  allowCredentials: [{ id: 'a2V5', type: 'public-key', transports: ['internal'] }],
  userVerification: 'required',
};
const toMake = {
  rp: { id: rpId, name: 'Lode' },
  user: { id: 'YW1hcmE', name: 'amara@lode.example', displayName: 'amara@lode.example' },
  challenge,
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  timeout,
  excludeCredentials: [],
  authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  attestation: 'none',
};

const nothing = { balance: '0.00', available: '0.00', held: '0.00' };
/** The account of somebody who has nothing left, and asked for nothing that waits. */
const emptied = changedAt(routes.account, {
  wallet: nothing,
  sendable: { BTC: '0.00', PI: '0.00', USDT: '0.00' },
  totals: {
    bonus: '0.00',
    funded: '0.00',
    openRequests: 0,
    requests: 0,
    transferred: '0.00',
    withdrawn: '0.00',
  },
});

/** What somebody has as a second factor: nothing, but for what is said. */
const factor = (changes) =>
  contentAt(routes.secondFactor, {
    isOn: true,
    hasApp: false,
    recoveryCodesLeft: 7,
    passkeys: [],
    passkeysRefused: null,
    rpId,
    isDue: false,
    ...changes,
  });
const noFactor = (changes = {}) => factor({ isOn: false, recoveryCodesLeft: 0, ...changes });
const begun = contentAt(routes.beginSecondFactor, {
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/Lode:amara%40lode.example?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Lode',
  message: 'Confirm it by a first code.',
});
const confirmed = contentAt(routes.confirmSecondFactor, {
  recoveryCodes: CODES,
  message: 'The second factor is on.',
});
const begin = send('Set up a second factor', { 'Your password': PASSWORD }, 'Set up');
const confirm = send('Confirm the second factor', { 'Code that the app shows': '123456' }, 'Switch on');
const codes = (page) => page.getByRole('region', { name: 'Recovery codes' });
const beginPasskey = all(send('Add a passkey', { 'Your password': PASSWORD }, 'Add a passkey'), ({ page }) =>
  page.getByLabel('Name of the passkey').fill('Work laptop'),
);
/** The browser is told by its person that no passkey is made or used. */
const cancel = ({ page }) =>
  page.evaluate(() => {
    const canceled = () => Promise.reject(new globalThis.DOMException('No.', 'NotAllowedError'));
    Object.assign(globalThis.navigator.credentials, { create: canceled, get: canceled });
  });

const inSettings = [
  {
    name: 'second-factor-begun',
    before: all(noFactor(), begun),
    act: begin,
    shown: inForm('Confirm the second factor'),
  },
  {
    name: 'second-factor-wrong',
    before: all(
      noFactor(),
      begun,
      answerAt(routes.confirmSecondFactor, refusal(401, 'second_factor_wrong', 'The code is wrong.')),
    ),
    act: all(begin, confirm),
    shown: text('The code is wrong.'),
  },
  {
    name: 'second-factor-codes',
    before: all(noFactor(), begun, confirmed),
    act: all(begin, confirm),
    shown: codes,
  },
  {
    name: 'second-factor-on',
    before: factor({ hasApp: true }),
    shown: inForm('Change the second factor'),
  },
  {
    name: 'passkeys',
    before: factor({ passkeys: PASSKEYS }),
    shown: (page) => page.getByRole('list', { name: 'Passkeys' }),
  },
  {
    name: 'passkey-begun',
    before: all(noFactor(), contentAt(routes.beginPasskey, toMake)),
    act: beginPasskey,
    shown: inForm('Make the passkey'),
  },
  {
    name: 'passkey-canceled',
    before: all(noFactor(), contentAt(routes.beginPasskey, toMake)),
    act: all(beginPasskey, cancel, press('Make the passkey')),
    shown: text(/^No passkey was made\./),
  },
  {
    name: 'passkey-removal',
    before: factor({ hasApp: true, passkeys: PASSKEYS }),
    act: open('Remove Work laptop'),
    shown: inForm('Remove a passkey'),
  },
  {
    name: 'passkeys-refused',
    before: noFactor({ passkeysRefused: 'insecure', rpId: null }),
    shown: text('No passkey can be added here'),
  },
  {
    name: 'passkeys-of-another-host',
    before: factor({ passkeys: PASSKEYS, rpId: 'wallet.lode.example' }),
    shown: text('No passkey can be added here'),
  },
  {
    name: 'email-waits',
    before: contentAt(routes.emailChange, {
      pending: { email: 'amara.nwosu@lode.example', expiresAt: hoursFromNow(24) },
    }),
    shown: text('A new address waits for its link'),
  },
  {
    name: 'data-refused',
    before: noFactor(),
    act: press('Download my data'),
    shown: (page) => inForm('Download my data')(page).getByText('Please enter your password.'),
  },
  { name: 'close-not-empty', shown: text('Your account has money or open requests') },
  { name: 'close-asked', before: emptied, shown: button('Close account') },
  {
    name: 'close',
    before: all(emptied, noFactor()),
    act: open('Close account'),
    shown: inForm('Close account'),
  },
  {
    name: 'close-refused',
    before: all(emptied, noFactor()),
    act: all(open('Close account'), press('Close it for ever')),
    shown: text('Please type the e-mail address of your account.'),
  },
].map((state) => ({ ...state, name: `settings-${state.name}`, path: paths.settings }));

const told = (nth, kind, sentence) => ({
  id: `event-${nth}`,
  kind,
  sentence,
  reason: null,
  amount: null,
  currency: null,
  requestId: null,
  created: hoursFromNow(-5 * nth),
  position: String(1_000_000 - nth),
});
const elsewhere = [
  {
    name: 'transfer-passkey',
    path: paths.transfer,
    before: factor({ passkeys: PASSKEYS }),
    act: open('Use a passkey'),
    shown: text(/^Your browser asks for your passkey/),
  },
  {
    name: 'withdraw-passkey',
    path: paths.withdraw,
    before: factor({ passkeys: PASSKEYS }),
    act: open('Use a passkey'),
    shown: text(/^Your browser asks for your passkey/),
  },
  {
    name: 'withdraw-waits',
    path: paths.withdraw,
    before: changedAt(routes.account, { moneyOut: { until: hoursFromNow(20), why: 'email_changed' } }),
    shown: text('Money out waits'),
  },
  {
    name: 'dashboard-unverified',
    path: paths.dashboard,
    before: changedAt(routes.account, { isEmailVerified: false, verifyFirst: ['withdraw', 'transfer'] }),
    shown: text('Please verify your e-mail address.'),
  },
  {
    name: 'notifications-security',
    path: paths.dashboard,
    before: contentAt(routes.notifications, {
      items: [
        told(1, 'SignedIn', 'Somebody signed in as you from a network where you never did.'),
        told(
          2,
          'EmailChangeAsked',
          'Another e-mail address was asked for. It is yours once the link that was sent there is used.',
        ),
        told(3, 'PasswordChanged', 'Your password was changed.'),
        told(4, 'TransferPinSet', 'A transfer pin was set for your account.'),
      ],
      first: 1,
      next: null,
      previous: null,
    }),
    act: openNotifications,
    shown: text(/Somebody signed in as you/),
    isWindow: true,
  },
  {
    name: 'notifications-none',
    path: paths.dashboard,
    before: contentAt(routes.notifications, { items: [], first: 1, next: null, previous: null }),
    act: openNotifications,
    shown: text('Nothing yet.'),
    isWindow: true,
  },
  {
    name: 'session-over-passkey',
    path: paths.dashboard,
    act: async (given) => {
      await given.page.route('**/api/**', (route) => route.fulfill(OVER));
      await asksMore({ passkey: toSign })(given);
      await all(leave, signInAgain)(given);
    },
    shown: button('Use your passkey'),
    isWindow: true,
  },
];

/** A password that is right is not all that is asked for. */
function asksMore(changes = {}) {
  return contentAt(routes.signIn, {
    challenge: 'x'.repeat(43),
    expiresAt: hoursFromNow(1),
    message: 'A code is asked for.',
    ...changes,
  });
}
const signIn = all(fill({ 'E-mail': 'amara@lode.example', Password: PASSWORD }), press('Login'));
const code = (page) => page.getByLabel('Code', { exact: true });
const atSignIn = [
  { name: 'login-code', before: asksMore(), act: signIn, shown: code },
  {
    name: 'login-code-wrong',
    before: all(
      asksMore(),
      answerAt(routes.finishSignIn, refusal(401, 'second_factor_wrong', 'The code is wrong.')),
    ),
    act: all(signIn, ({ page }) => code(page).fill('123456'), press('Continue')),
    shown: text('Login failed: The code is wrong.'),
  },
  {
    name: 'login-passkey',
    before: asksMore({ passkey: toSign }),
    act: signIn,
    shown: button('Use your passkey'),
  },
  {
    name: 'login-passkey-canceled',
    before: asksMore({ passkey: toSign }),
    act: all(signIn, cancel, press('Use your passkey')),
    shown: text(/^No passkey was used\./),
  },
].map((state) => ({ who: 'visitor', path: paths.login, ...state }));

const TITLE = 'Set up your second factor';
const useApp = open('Use an authenticator app instead');
const first = [
  { name: 'second-factor-first', before: noFactor({ isDue: true }), shown: heading(TITLE) },
  {
    name: 'second-factor-first-passkey',
    before: all(noFactor({ isDue: true }), contentAt(routes.beginPasskey, toMake)),
    act: beginPasskey,
    shown: inForm('Make the passkey'),
  },
  {
    name: 'second-factor-first-begun',
    before: all(noFactor({ isDue: true }), begun),
    act: all(useApp, begin),
    shown: inForm('Confirm the second factor'),
  },
  {
    name: 'second-factor-first-codes',
    before: all(noFactor({ isDue: true }), begun, confirmed),
    act: all(useApp, begin, confirm),
    shown: codes,
  },
].map((state) => ({ who: 'admin', path: paths.dashboard, ...state }));

/** Every state of what guards an account. */
export const guards = [
  ...[...inSettings, ...elsewhere].map((state) => ({ who: 'customer', ...state })),
  ...atSignIn,
  ...first,
];
