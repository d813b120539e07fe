// What people and programs are told, in the very words. The server says each of most of them in one suite; what a
// customer or visitor meets on a screen is met there, too.
import {
  catalogue,
  desks,
  failing,
  failingAdmins,
  journey,
  part,
  people,
  platform,
  requests,
  site,
  toolkit,
  wallet,
  web,
} from './tests.mjs';

const FORMS = site('sign-in and registration refuse in their own words, and take what is right');
const SETTINGS = wallet('settings change who one is, how one looks, and how one signs in');
const TRANSFER = requests('a transfer needs a pin, and finds the receiver by account number');
const FIRST = requests('a withdrawal needs a wallet address, and at most the available amount');
const DECIDED = journey('* a request arrives live, is confirmed, and the balance follows without a reload');

const settings = { screen: '/auth/account-setting/dashboard', in: SETTINGS };
const transfer = { screen: '/auth/transfer/dashboard', in: TRANSFER };
const withdrawal = { screen: '/auth/withdrawal-request/dashboard', in: FIRST };
const login = { screen: '/login', in: FORMS };
const register = { screen: '/register', in: FORMS };
const unsaved = {
  screen: '/auth/account-setting/dashboard',
  in: failing('is told that settings were not saved, and that a session could not be ended'),
};
const unasked = {
  screen: '/auth/fund-account/dashboard',
  in: failing('is told that a fund request was not taken, keeps it, and can send it once it works again'),
};
const unsent = {
  screen: '/auth/transfer/dashboard',
  in: failing('is told that a number could not be looked up, and that a transfer was not sent'),
};
const suspended = {
  screen: '/login',
  in: wallet('who is suspended is told of it where they come back to, and goes on once that is over'),
};
const blocked = {
  screen: '/auth/User/dashboard/:userId',
  in: people('blocks somebody, who is signed out at once, and lets them in again'),
};
const mining = { ...blocked, in: people('stops and restarts mining') };
const funds = { screen: '/auth/transaction/dashboard' };
const transfers = {
  screen: '/transfer-history/:userId',
  in: failingAdmins('is told that a transfer was neither confirmed nor rejected, and then that it was'),
};
const unapproved = {
  screen: '/withdrawal-request-history/:userId',
  in: failingAdmins('is told that a withdrawal would leave too little, and that its customer is not there'),
};
const products = {
  screen: '/upload/product',
  in: platform('uploads a product, which goes out of stock, and off the site'),
};
const unuploaded = {
  screen: '/upload/admin',
  in: failingAdmins('is told that a product was not uploaded, and then that it was'),
};
const reports = {
  screen: '/auth/account-support/dashboard',
  in: platform('reads a report, and sets the dollar rate'),
};
const unchanged = {
  ...reports,
  in: failingAdmins('is told that the dollar rate and the platform’s details were not changed'),
};

/** The messages that a test meets on a screen in Chromium. */
const onScreens = {
  'Email and password are required': login,
  'Login failed: {reason}': login,
  'Passwords do not match': register,
  'Incomplete information': register,
  'User already exists': register,
  'Registration successful. Redirecting to login...': register,
  'Please enter a valid amount and upload payment evidence.': {
    screen: '/auth/fund-account/dashboard',
    in: journey('* a form that is not filled in is refused in its own words'),
  },
  'Your request has been submitted successfully!': withdrawal,
  'Insufficient {currency} wallet balance!': withdrawal,
  'wallet address updated': withdrawal,
  'No user found with this account number.': transfer,
  'Transfer submitted successfully!': transfer,
  'User info updated successfully!': settings,
  'Profile image updated successfully!': settings,
  'Failed to upload image.': settings,
  'Password updated successfully!': settings,
  'User data not found. Please contact admin.': {
    screen: '/login',
    in: failing('is told of an account that is not there'),
  },
  'User data is incomplete.': unsent,
  'Login successful': {
    screen: '/auth/dashboard',
    in: failing('is told of a sign-in that succeeded, before the wallet is there'),
  },
  'There was an error submitting your request. Please try again.': unasked,
  'Please enter a valid upload payment evidence.': unasked,
  'Failed to submit transfer. Please try again.': unsent,
  'Error fetching account information.': unsent,
  'Failed to update user info.': unsaved,
  'Failed to reset password.': unsaved,
  'Something went wrong.': unsaved,
  'Error updating wallet address. Try again.': {
    screen: '/auth/withdrawal-request/dashboard',
    in: failing('is told that a wallet address was not saved'),
  },
  'Error loading wallet data': {
    screen: '/auth/assets/:userId',
    in: failing('is told while wallets are loaded, and when they could not be'),
  },
  'Account suspended. Please contact admin.': suspended,
  'Message sent successfully!': {
    screen: '/auth/account-support/dashboard',
    in: wallet('a message to support is sent'),
  },
  'Transaction Closed': {
    ...funds,
    in: desks('of two admins who decide the same request at once one is told that it is closed'),
  },
  'User blocked successfully!': blocked,
  'Failed to block the user.': { ...blocked, in: people('says when a user could not be blocked') },
  'Mining stopped successfully': mining,
  'Mining restarted successfully': mining,
  'Wallet updated successfully.': {
    ...blocked,
    in: people('credits and debits by hand, and is refused more than there is'),
  },
  'Registration successful': {
    screen: '/auth/create-new-account/dashboard',
    in: people('registers a customer, unless the e-mail is taken'),
  },
  'Transaction approved successfully!': { ...funds, in: DECIDED },
  'Failed to approve the transaction.': transfers,
  'Failed to reject the transaction.': transfers,
  'Transaction already confirmed': {
    ...funds,
    in: failingAdmins('is told that a request was confirmed already'),
  },
  'Insufficient wallet balance': unapproved,
  'User does not exist': unapproved,
  'Data submitted successfully!': { ...unchanged, screen: '/auth/deposit-details/dashboard' },
  'Product uploaded successfully!': { ...products, screen: '/upload/admin' },
  'Error uploading product': unuploaded,
  'Product updated successfully!': products,
  'Product deleted successfully!': products,
  'Dollar rate updated successfully.': reports,
  'Failed to update dollar rate.': unchanged,
  'No rate available. Please set one.': reports,
  'User not found': {
    screen: '/auth/User/dashboard/:userId',
    in: failingAdmins('is told that nobody has an id'),
  },
  'Transaction rejected successfully!': { ...funds, in: journey('* a rejected request moves nothing') },
};

const sentences = part('Message', [
  ...Object.entries(onScreens).map(([words, { screen, in: met }]) => [
    `"${words}"`,
    [catalogue(words), met],
    { screen },
  ]),
  [
    '"No logs available."',
    [
      journey('* a request arrives live, is confirmed, and the balance follows without a reload'),
      web('features/requests/requests', 'an empty list says so, with both ways disabled'),
    ],
    funds,
  ],
  [
    '"Unexpected Application Error!"',
    [
      journey('* an address that does not exist has its own screen'),
      web('app/crash', 'a screen that breaks says so, and why'),
    ],
    { screen: '/auth/nothing-here' },
  ],
]);

const storage = part(
  'Storage code',
  ['unauthenticated', 'unauthorized', 'quota-exceeded', 'object-not-found', 'canceled']
    .map((code) => [code, [catalogue(code)]])
    .concat([['retry-limit-exceeded', [catalogue('retry-limit-exceeded, when asked too often')]]]),
);

const GUESSED = toolkit('a wrong password and an unknown e-mail in the same words, and then any try');
const identityCodes = part('Identity code', [
  ['EMAIL_EXISTS is email-already-in-use', [toolkit('an e-mail that exists')]],
  [
    'INVALID_LOGIN_CREDENTIALS is invalid-credential, also where the password alone is wrong',
    [GUESSED],
    { adr: 45 },
  ],
  ['TOO_MANY_ATTEMPTS_TRY_LATER is too-many-requests', [GUESSED]],
  ['EMAIL_NOT_FOUND is user-not-found', [toolkit('a credential without an account')]],
  [
    'TOKEN_EXPIRED is user-token-expired, and USER_DISABLED is user-disabled',
    [toolkit('a person who is suspended, and every open session of theirs')],
  ],
  [
    'PASSWORD_DOES_NOT_MEET_REQUIREMENTS is password-does-not-meet-requirements',
    [toolkit('is told the password policy, and kept to it')],
  ],
  ['a network that fails is network-request-failed', [toolkit('by its own network, when nobody listens')]],
  ['no puzzle is asked for', [toolkit('is told that no puzzle has to be solved')], { adr: 45 }],
]);

export const messages = [...sentences, ...storage, ...identityCodes];
