import type { z } from 'zod';
import type { routes, RouteName } from '#contracts';

type Declared = typeof routes;
type BodyOf<Name extends RouteName> = Declared[Name] extends { readonly body: infer Body } ? Body : never;
/** Routes that take a body of JSON. */
export type NamesWithBody = { [Name in RouteName]: BodyOf<Name> extends never ? never : Name }[RouteName];

const person = {
  firstname: 'Ann',
  lastname: 'Okafor',
  email: 'ann@example.org',
  phone: '+41 44 000 00 00',
  password: 'correct horse battery',
};
const because = (reason: string) => ({ reason });
const [evidence, image, ownerImage, recommended] = ['E', 'M', 'O', 'R'].map((letter) =>
  letter.repeat(35),
) as [string, string, string, string];
const product = {
  amount: '249.99',
  ownerName: 'Mary Okafor',
  productName: 'Rig One',
  description: 'A rig for beginners.',
  title: 'Rig One',
  subtitle: 'Small and quiet',
};

const CREDENTIAL = 'Fp3QXn1sQyC0mBqk7vZr2A';
const signed = {
  id: CREDENTIAL,
  response: { clientDataJSON: 'eyJ0eXBlIjoi', authenticatorData: 'SZYN5YgOjGh0', signature: 'MEUCIQDx' },
};

/** An example of the body of each route that takes one, for the OpenAPI document. */
export const examples: { readonly [Name in NamesWithBody]: z.input<BodyOf<Name>> } = {
  register: { ...person, confirmPassword: person.password },
  signIn: { email: person.email, password: person.password },
  finishSignIn: { challenge: 'wqU3GJf0m5b1S2s8l7Xr9p4Kc6Yd0ZtEaHnBvQoLjIk', code: '287082' },
  beginPasskey: { password: person.password },
  addPasskey: {
    name: 'Telephone',
    passkey: {
      id: CREDENTIAL,
      response: {
        clientDataJSON: 'eyJ0eXBlIjoi',
        attestationObject: 'o2NmbXRkbm9uZQ',
        transports: ['internal'],
      },
    },
  },
  askPasskey: { for: 'withdrawal' },
  removePasskey: { passkey: signed },
  beginSecondFactor: { password: person.password },
  confirmSecondFactor: { code: '287082' },
  removeSecondFactor: { password: person.password, code: '287082' },
  removeLostSecondFactor: { reason: 'Lost the telephone; known to us in person.' },
  renewRecoveryCodes: { password: person.password, code: 'mzxw-6ytb-oimz-xw6y' },
  changeDuty: { duty: 'support', reason: 'Answers customers from May on.' },
  stepUp: { proof: { code: '287082' } },
  createAccount: person,
  inviteAdmin: { duty: 'support' },
  revokeInvitation: because('Sent to the wrong address.'),
  addNote: { text: 'Called about the payout fee and agreed to it.' },
  suspend: because('Asked for by phone.'),
  activate: because('The documents came.'),
  stopBonus: because('Asked for by the customer.'),
  runBonusTick: because('The last run failed.'),
  restartBonus: because('Stopped by mistake.'),
  changeProfile: { phone: '+41 44 000 00 01' },
  changeProfileImage: { fileId: image },
  cancelWalletAddress: { currency: 'BTC' },
  saveWalletAddress: {
    walletAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    currency: 'BTC',
    proof: { password: 'correct horse' },
  },
  downloadOwnData: { proof: { password: person.password } },
  eraseAccount: { reason: 'Asked for by their owner, in writing.' },
  closeAccount: { proof: { password: person.password } },
  readNotifications: { position: '41' },
  changePreferences: { language: 'en-GB', timeZone: 'Africa/Lagos', theme: 'dark' },
  changePassword: { oldPassword: person.password, newPassword: 'battery horse correct' },
  requestPasswordReset: { email: person.email },
  resetPassword: {
    token: 'wqU3GJf0m5b1S2s8l7Xr9p4Kc6Yd0ZtEaHnBvQoLjIk',
    newPassword: 'battery horse correct',
  },
  requestEmailChange: { email: 'ann.miller@example.net', proof: { password: 'correct horse' } },
  confirmEmailChange: { token: 'wqU3GJf0m5b1S2s8l7Xr9p4Kc6Yd0ZtEaHnBvQoLjIk' },
  verifyEmail: { token: 'wqU3GJf0m5b1S2s8l7Xr9p4Kc6Yd0ZtEaHnBvQoLjIk' },
  setTransferPin: { pin: '4711', password: person.password },
  adjustWallet: { amounts: { BTC: '100.00' }, reason: 'Paid twice.' },
  adjustWallets: {
    items: [
      { key: 'gift-1', userId: '5b1c0a4e-1f2d-4c3b-8a79-6e5d4c3b2a19', amounts: { BTC: '10.00' } },
      {
        key: 'gift-2',
        userId: '7d3e2f1a-0b9c-4d8e-9f7a-6b5c4d3e2f1a',
        amounts: { BTC: '-5.00' },
        reason: 'Too much.',
      },
    ],
    reason: 'A gift to all.',
  },
  decideRequests: {
    items: [
      {
        key: 'run-1',
        userId: '5b1c0a4e-1f2d-4c3b-8a79-6e5d4c3b2a19',
        requestId: 'kD93hsU2mQpX7vB0aLr5TzYc8WnEj41GfO',
        kind: 'Funding',
      },
      {
        key: 'run-2',
        userId: '7d3e2f1a-0b9c-4d8e-9f7a-6b5c4d3e2f1a',
        requestId: 'Zq1Xw8Rt5Yb2Nc7Md4Kf9Ls0Hg3Jp6VaUe',
        kind: 'withdrawal',
      },
    ],
    verdict: 'confirm',
    reason: 'Found on the statement.',
  },
  requestFunding: { amount: '100.00', currency: 'BTC', evidenceId: evidence },
  approveAdjustment: because('It was paid twice.'),
  rejectAdjustment: because('It was paid once.'),
  approveChange: because('Checked with the bank.'),
  rejectChange: because('Not what was agreed.'),
  confirmFunding: because('Found on the statement.'),
  rejectFunding: because('No such payment.'),
  requestWithdrawal: { amount: '50.00', currency: 'BTC', proof: { pin: '4711' } },
  confirmWithdrawal: {
    ...because('Paid.'),
    payoutReference: '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b',
  },
  rejectWithdrawal: because('The address is wrong.'),
  requestTransfer: {
    transferType: 'local',
    bankName: 'First Bank',
    accountNumber: '3000000001',
    amount: '25.00',
    currency: 'BTC',
    narration: 'rent',
    pin: '4711',
  },
  confirmTransfer: because('Checked.'),
  rejectTransfer: because('The receiver is unknown.'),
  changeDepositDetails: { btcWallet: 'bc1qexample0000000000000000000000000000000', reason: 'A new wallet.' },
  setDollarRate: { rate: '0.925', reason: 'The rate of the day.' },
  setPrices: { prices: { BTC: '30000' }, reason: 'The market moved.' },
  setBonusPolicy: {
    policy: { rate: '0.10', windowDays: 8, everyHours: 24, capDays: 7, currency: 'BTC' },
    reason: 'As announced.',
  },
  setApprovalLimits: {
    tiers: { BTC: [{ above: '1000.00', approvals: 2 }] },
    expireHours: 72,
    reason: 'Large amounts are looked at twice.',
  },
  setAdminAccess: { needsSecondFactor: true, reason: 'Passwords alone are not enough.' },
  changeContent: { content: { footer: { tagline: 'Every balance explained.' } } },
  previewContent: { page: 'site', content: { footer: { tagline: 'Every balance explained.' } } },
  createProduct: { ...product, image, ownerImage, recommendedImages: [recommended] },
  changeProduct: { title: 'Rig One, second edition' },
  setProductStock: { isOutOfStock: true },
  sendMessage: {
    name: 'Ann Okafor',
    email: person.email,
    phone: person.phone,
    businessType: 'Mining',
    subject: 'Rigs',
    message: 'When are they back?',
  },
  readMessage: {},
  unreadMessage: {},
  forgetMessage: because('Asked for by the sender.'),
  discardParked: { eventId: '00000000-0000-4000-8000-000000000000', reason: 'Its account was erased.' },
  replayParked: { stream: 'account-5b1c0a4e-1f2d-4c3b-8a79-6e5d4c3b2a19' },
};
