import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { routes, type Access, type RouteName } from '#contracts';
import { createAuthenticator } from '#identity/testing';
import { ACCESS_TOKEN_MS } from '#identity';
import { until } from '#kernel/testing';
import { defaultBonusPolicy } from '#ledger';
import { startSmtp, tokenIn, type SmtpDouble } from '#mail/testing';
import {
  challengeFor,
  totpOf,
  createProduct,
  credit,
  dataFolder,
  follow,
  formOf,
  join,
  joinEnrolled,
  keyed,
  newPerson,
  newProduct,
  passTime,
  PASSWORD,
  PDF,
  PIN,
  PNG,
  problemIn,
  quietApi,
  requestFunding,
  requestTransfer,
  requestWithdrawal,
  saveWalletAddress,
  setPin,
  signIn,
  startLode,
  testedOn,
  transferTo,
  upload,
  TIME_OF_DAY_ALONE,
  type Answer,
  type Ask,
  type Client,
  type Given,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';
import type { ProjectionFeed } from '#projections';
import { accessTable } from '../testing/access-table.js';

/** Everybody who can stand before a route. Whose things are asked for is always Ann. */
const callers = ['visitor', 'forger', 'expired', 'ended', 'ann', 'bob', 'admin'] as const;
type CallerName = (typeof callers)[number];
type Outcome = 'allowed' | readonly [status: number, code: string];

const noToken: Readonly<Partial<Record<CallerName, Outcome>>> = {
  visitor: [401, 'token_missing'],
  forger: [401, 'token_invalid'],
  expired: [401, 'token_expired'],
  ended: [401, 'token_invalid'],
};

/** No customer's account number. */
const BANK_ACCOUNT = '9900000001';

/** How the images of everybody came here. */
const uploadOf = {
  productImage: 'uploadProductImage',
  recommendedImage: 'uploadRecommendedImage',
  siteMedia: 'uploadSiteMedia',
} as const;

/** The period of a statement. */
const YEAR = { from: '2026-01-01', to: '2026-12-31' };

/** What each kind of access means for each of them. */
const rules: Readonly<Record<Access, Readonly<Partial<Record<CallerName, Outcome>>>>> = {
  visitor: {},
  anyone: { ...noToken, visitor: 'allowed' },
  'signed-in': noToken,
  user: { ...noToken, admin: [403, 'not_permitted'] },
  admin: { ...noToken, ann: [403, 'not_permitted'], bob: [403, 'not_permitted'] },
  owner: { ...noToken, bob: [403, 'not_permitted'] },
  self: { ...noToken, bob: [403, 'not_permitted'], admin: [403, 'not_permitted'] },
};

const newMessage = {
  name: 'Vera',
  email: 'vera@example.org',
  phone: '+41',
  businessType: 'Trade',
  message: 'Hello',
};

const names = Object.keys(routes) as RouteName[];
/** What ends sessions of whoever asks, or is given to one person a few times. */
const endsSessions: readonly RouteName[] = [
  'closeAccount',
  'downloadOwnData',
  'addPasskey',
  'askPasskey',
  'beginPasskey',
  'removePasskey',
  'signOut',
  'signOutEverywhere',
  'endOtherSessions',
  'changePassword',
  'beginSecondFactor',
  'confirmSecondFactor',
  'removeSecondFactor',
  'renewRecoveryCodes',
];
/** What is on servers is backed up by their own means. */
const backsUpElsewhere = testedOn.some((server) => server !== 'redis');
const cases = names.flatMap((name) => {
  const [access] = accessTable[name];
  const given: Outcome = name === 'makeBackup' && backsUpElsewhere ? [409, 'backups_elsewhere'] : 'allowed';
  return callers.map((caller) => ({ name, access, caller, outcome: rules[access][caller] ?? given }));
});

type QueryName = {
  [Name in RouteName]: (typeof routes)[Name] extends { readonly method: 'GET' } ? Name : never;
}[RouteName];

/**
 * What each query shows an admin who asks for something of Ann: what only she and admins are given, which is noted first;
 * a list over everyone; or nothing of a person that is not given to whoever is signed in.
 */
const shownToAdmins: Readonly<Record<QueryName, 'a person' | 'everyone' | 'nobody'>> = {
  account: 'a person',
  accountAsOf: 'a person',
  accountEvents: 'a person',
  caseFile: 'a person',
  causation: 'a person',
  event: 'a person',
  evidenceFile: 'a person',
  file: 'a person',
  evidenceUses: 'a person',
  fundRequest: 'a person',
  notes: 'a person',
  notifications: 'a person',
  openRequests: 'a person',
  ownFundRequests: 'a person',
  ownTransactions: 'a person',
  ownTransfers: 'a person',
  ownWithdrawals: 'a person',
  profileImage: 'a person',
  receivedTransfers: 'a person',
  sessionsOf: 'a person',
  statement: 'a person',
  stream: 'a person',
  transfer: 'a person',
  why: 'a person',
  withdrawable: 'a person',
  withdrawal: 'a person',
  bonusPreview: 'everyone',
  events: 'everyone',
  approvals: 'everyone',
  changes: 'everyone',
  approvalsNeeded: 'nobody',
  fundRequests: 'everyone',
  invitations: 'everyone',
  requests: 'everyone',
  mails: 'everyone',
  messages: 'everyone',
  parkedEvents: 'everyone',
  people: 'everyone',
  stalledTransfers: 'everyone',
  backups: 'everyone',
  verification: 'everyone',
  dailySums: 'everyone',
  requestsByAge: 'everyone',
  systemEngines: 'everyone',
  systemSettings: 'everyone',
  tickResults: 'everyone',
  totals: 'everyone',
  transactions: 'everyone',
  transfers: 'everyone',
  trialBalance: 'everyone',
  trialPostings: 'everyone',
  withdrawals: 'everyone',
  accountHolder: 'nobody',
  admins: 'nobody',
  allProducts: 'nobody',
  clock: 'nobody',
  contact: 'nobody',
  content: 'nobody',
  contentVersion: 'nobody',
  counters: 'nobody',
  figures: 'nobody',
  depositAddresses: 'nobody',
  dollarRate: 'nobody',
  emailChange: 'nobody',
  healthLive: 'nobody',
  healthReady: 'nobody',
  jobs: 'nobody',
  live: 'nobody',
  load: 'nobody',
  me: 'nobody',
  metrics: 'nobody',
  ownSecurityEvents: 'nobody',
  ownSessions: 'nobody',
  passwordPolicy: 'nobody',
  prices: 'nobody',
  product: 'nobody',
  productByName: 'nobody',
  productImage: 'nobody',
  products: 'nobody',
  projections: 'nobody',
  reactors: 'nobody',
  recommendedImage: 'nobody',
  settings: 'nobody',
  settingsHistory: 'nobody',
  siteMedia: 'nobody',
  secondFactor: 'nobody',
  transferPin: 'nobody',
};

/** At the address that the program is at unless it is told another. */
const device = createAuthenticator('http://localhost:3000');
/** What no passkey signed. */
const unsigned = {
  id: 'none',
  response: { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA' },
};

describe('who may call what', () => {
  let lode: Lode;
  let ann: Person;
  let bob: Person;
  let smtp: SmtpDouble;
  let backups: ReturnType<typeof dataFolder>;
  let messageId: string;
  let clients: Readonly<Record<CallerName, Client>>;

  beforeAll(async () => {
    jest.useFakeTimers(TIME_OF_DAY_ALONE);
    smtp = await startSmtp();
    backups = dataFolder();
    lode = await startLode({
      smtpUrl: smtp.url,
      unverifiedMayNot: ['fund'],
      backupFolder: backups.path,
    });
    const expired = await join(lode.visitor, 'Eve');
    const forged = `${expired.api.token?.slice(0, 3) ?? ''}${'A'.repeat(43)}`;
    const now = Date.now();
    await passTime(lode.visitor, ACCESS_TOKEN_MS, (ms) => jest.setSystemTime(now + ms));
    ann = await join(lode.visitor, 'Ann');
    bob = await join(lode.visitor, 'Bob');
    ({ messageId } = await ann.api.get('sendMessage', { body: newMessage, headers: keyed() }));
    const { admin } = lode;
    for (const person of [ann, bob]) {
      await lode.visitor.get('verifyEmail', { body: { token: tokenIn(await smtp.hadTo(person.email, 1)) } });
      await saveWalletAddress(person);
      await setPin(person);
      await credit(admin, person, { BTC: '1000' });
    }
    const ended = await signIn(lode.visitor, ann);
    await lode.visitor.get('signOut', { headers: { Cookie: ended.cookie } });
    clients = {
      visitor: lode.visitor,
      forger: lode.visitor.as(forged),
      expired: lode.visitor.as(expired.api.token),
      ended: ended.api,
      ann: ann.api,
      bob: bob.api,
      admin: admin.api,
    };
  });

  afterAll(async () => {
    jest.useRealTimers();
    await lode.stop();
    await backups.remove();
    await smtp.stop();
  });

  /** The id of an event that is in the log. */
  async function anEventId(): Promise<string> {
    const { items } = await clients.admin.get('events', { query: { person: ann.userId } });
    return items[0]?.id ?? '';
  }

  /** A request of `name` about Ann that nothing is wrong with but, perhaps, who sends it. */
  async function asked(name: RouteName, caller: CallerName, client = clients[caller]): Promise<Ask> {
    const { userId } = ann;
    switch (name) {
      case 'register':
      case 'createAccount':
        return { body: newPerson('Carl') };
      case 'changePassword':
        return { body: { oldPassword: PASSWORD, newPassword: `new ${PASSWORD}` } };
      case 'requestPasswordReset':
        return { body: { email: ann.email } };
      case 'resetPassword':
        return { body: { token: await resetToken(), newPassword: `new ${PASSWORD}` } };
      case 'requestEmailChange':
        return { body: { email: newPerson('Next').email, proof: { password: PASSWORD } } };
      case 'confirmEmailChange':
        return { body: { token: await emailChangeToken() } };
      case 'verifyEmail':
        return { body: { token: await verificationToken() } };
      case 'finishSignIn': {
        const enrolled = await joinEnrolled(lode.visitor, 'Sid');
        const challenge = await challengeFor(lode.visitor, enrolled);
        return { body: { challenge, code: totpOf(enrolled.secret) } };
      }
      case 'beginSecondFactor':
        return { body: { password: PASSWORD } };
      case 'confirmSecondFactor': {
        const begun = await client.call('beginSecondFactor', { body: { password: PASSWORD } });
        const { secret = '' } = begun.json as Partial<Given<'beginSecondFactor'>>;
        return { body: { code: totpOf(secret) } };
      }
      case 'beginPasskey':
        return { body: { password: PASSWORD } };
      case 'addPasskey': {
        const begun = await client.call('beginPasskey', { body: { password: PASSWORD } });
        const options = { challenge: 'none', rp: { id: 'localhost' }, ...(begun.json as object) };
        return { body: { name: 'Telephone', passkey: device.make(options) } };
      }
      case 'askPasskey':
        await client.call('addPasskey', await asked('addPasskey', caller, client));
        return { body: { for: 'security' } };
      case 'removePasskey': {
        await client.call('askPasskey', await asked('askPasskey', caller, client));
        const state = await client.call('secondFactor');
        const { passkeys = [] } = state.json as Partial<Given<'secondFactor'>>;
        const signed = await client.call('askPasskey', { body: { for: 'second factor' } });
        const options = {
          challenge: 'none',
          rpId: 'localhost',
          allowCredentials: [],
          ...(signed.json as object),
        };
        const passkeyId = passkeys[0]?.passkeyId ?? '0'.repeat(32);
        const passkey = passkeys.length === 0 ? unsigned : device.sign(options);
        return { params: { passkeyId }, body: { passkey } };
      }
      case 'removeLostSecondFactor':
        return { params: { userId }, body: { reason: 'a test' } };
      case 'removeSecondFactor':
      case 'renewRecoveryCodes': {
        const begun = await client.call(
          'confirmSecondFactor',
          await asked('confirmSecondFactor', caller, client),
        );
        const { recoveryCodes: [code = 'none'] = [] } = begun.json as Partial<Given<'confirmSecondFactor'>>;
        return { body: { password: PASSWORD, code } };
      }
      case 'setTransferPin':
        return { body: { pin: PIN, password: PASSWORD } };
      case 'endOwnSession':
        return { params: { sessionId: 'none' } };
      case 'endSessionOf':
        return { params: { userId, sessionId: 'none' } };
      case 'sessionsOf':
        return { params: { userId } };
      case 'endSessionsOf':
        return { params: { userId: (await join(lode.visitor, 'Dora')).userId } };
      case 'signIn':
        return { body: { email: ann.email, password: PASSWORD } };
      case 'refresh':
      case 'signOut':
        return { headers: { Cookie: (await signIn(lode.visitor, ann)).cookie } };
      case 'account':
      case 'accountAsOf':
      case 'accountEvents':
      case 'ownFundRequests':
      case 'ownWithdrawals':
      case 'ownTransfers':
      case 'receivedTransfers':
      case 'ownTransactions':
      case 'notifications':
      case 'openRequests':
      case 'withdrawable':
        return { params: { userId } };
      case 'evidenceUses':
      case 'fundRequest': {
        const { requestId, position } = await requestFunding(ann);
        return { params: { userId, requestId }, headers: { 'Lode-Position': position } };
      }
      case 'accountHolder':
        return { params: { accountNumber: (await bob.api.get('me')).accountNumber } };
      case 'requestWithdrawal':
        return { body: { amount: '2', currency: 'BTC', proof: { password: PASSWORD } }, headers: keyed() };
      case 'withdrawal': {
        const { requestId, position } = await requestWithdrawal(ann, '2');
        return { params: { userId, requestId }, headers: { 'Lode-Position': position } };
      }
      case 'confirmWithdrawal':
      case 'rejectWithdrawal': {
        const { requestId } = await requestWithdrawal(ann, '2');
        return { params: { userId, requestId }, body: {}, headers: keyed() };
      }
      case 'requestTransfer':
        return { body: transferTo(BANK_ACCOUNT, '2'), headers: keyed() };
      case 'transfer': {
        const { requestId, position } = await requestTransfer(ann, BANK_ACCOUNT, '2');
        return { params: { userId, requestId }, headers: { 'Lode-Position': position } };
      }
      case 'confirmTransfer':
      case 'rejectTransfer': {
        const { requestId } = await requestTransfer(ann, BANK_ACCOUNT, '2');
        return { params: { userId, requestId }, body: {}, headers: keyed() };
      }
      case 'statement':
        return { params: { userId }, query: YEAR };
      case 'why':
        return { params: { userId, currency: 'USD' } };
      case 'event':
      case 'causation':
        return { params: { eventId: await anEventId() } };
      case 'stream':
        return { params: { stream: `account-${userId}` } };
      case 'caseFile':
        return { params: { userId } };
      case 'dailySums':
        return { query: { from: '2026-01-01', to: '2026-01-03' } };
      case 'trialPostings':
        return { query: { account: 'deposits', currency: 'USD' } };
      case 'uploadEvidence':
        return { form: formOf(new Uint8Array(PDF)) };
      case 'uploadProductImage':
      case 'uploadRecommendedImage':
      case 'uploadProfileImage':
      case 'uploadSiteMedia':
        return { form: formOf(PNG) };
      case 'productImage':
      case 'recommendedImage':
      case 'siteMedia':
        return { params: { name: await imageFor(name) } };
      case 'createProduct':
        return { body: await newProduct({ ...lode.admin, api: clients.admin }), headers: keyed() };
      case 'changeProduct':
        return { params: await newProductId(), body: { title: 'New' }, headers: keyed() };
      case 'setProductStock':
        return { params: await newProductId(), body: { isOutOfStock: true }, headers: keyed() };
      case 'deleteProduct':
        return { params: await newProductId(), headers: keyed() };
      case 'product':
        return { params: await newProductId() };
      case 'productByName':
        await newProductId();
        return { params: { name: 'Rig One' } };
      case 'profileImage': {
        const { position } = await clients.ann.get('changeProfileImage', await newProfileImage());
        return { params: { userId }, headers: { 'Lode-Position': position } };
      }
      case 'changeProfileImage':
        return newProfileImage();
      case 'file':
      case 'evidenceFile':
        return { params: { fileId: await upload(caller === 'bob' ? bob : ann) } };
      case 'requestFunding': {
        const evidenceId = await upload(caller === 'bob' ? bob : ann);
        return { body: { amount: '10', currency: 'BTC', evidenceId }, headers: keyed() };
      }
      case 'confirmFunding':
      case 'rejectFunding': {
        const { requestId } = await requestFunding(ann);
        return { params: { userId, requestId }, body: {}, headers: keyed() };
      }
      case 'tickResults':
        return { params: { slot: '2026-01-03T13:00:00.000Z' }, query: {} };
      case 'runBonusTick':
        return { body: { reason: 'a test' } };
      case 'runJob':
        return { params: { job: 'file-sweep' } };
      case 'rebuildModel':
      case 'cancelRebuild':
        return { params: { model: 'totals' } };
      case 'parkedEvents':
        return { params: { model: 'totals' } };
      case 'discardParked':
        return { params: { model: 'totals' }, body: { eventId: await anEventId(), reason: 'a test' } };
      case 'replayParked':
        return { params: { model: 'totals' }, body: {} };
      case 'adjustWallet':
        return { params: { userId }, body: { amounts: { PI: '1' }, reason: 'a test' }, headers: keyed() };
      case 'approvalsNeeded':
        return { query: { currency: 'BTC', amount: '1000' } };
      case 'approveAdjustment':
      case 'rejectAdjustment':
        return {
          params: { userId, requestId: await adjustmentThatWaits() },
          body: {},
          headers: keyed(),
        };
      case 'approveChange':
      case 'rejectChange':
        return { params: { changeId: await changeThatWaits() }, body: {}, headers: keyed() };
      case 'adjustWallets': {
        const item = { key: 'one', userId, amounts: { PI: '1' }, reason: 'a test' };
        return { body: { items: [item] } };
      }
      case 'notes':
        return { params: { userId } };
      case 'addNote':
        return { params: { userId }, body: { text: 'Called us.' }, headers: keyed() };
      case 'revokeInvitation': {
        const { invitationId } = await clients.admin.get('inviteAdmin');
        return { params: { invitationId }, body: {}, headers: keyed() };
      }
      case 'decideRequests': {
        const { requestId } = await requestFunding(ann);
        const items = [{ key: requestId, userId, requestId, kind: 'Funding' }];
        return { body: { items, verdict: 'confirm' } };
      }
      case 'sendMessage':
        return { body: newMessage, headers: keyed() };
      case 'readMessage':
      case 'unreadMessage':
      case 'forgetMessage':
        return { params: { messageId }, body: {}, headers: keyed() };
      case 'suspend':
      case 'activate':
        return {
          params: { userId: (await join(lode.visitor, 'Eve')).userId },
          body: {},
          headers: keyed(),
        };
      case 'changeDuty': {
        const { token } = await clients.admin.get('inviteAdmin', { body: { duty: 'support' } });
        const { userId: other } = await join(lode.visitor, 'Olga', token);
        return { params: { userId: other }, body: { duty: 'auditor', reason: 'a test' }, headers: keyed() };
      }
      case 'eraseAccount': {
        const { userId: other } = await join(lode.visitor, 'Oscar');
        await clients.admin.get('suspend', { params: { userId: other }, body: {}, headers: keyed() });
        return { params: { userId: other }, body: { reason: 'a test' } };
      }
      case 'stopBonus':
      case 'restartBonus':
        return { params: { userId }, body: { reason: 'a test' }, headers: keyed() };
      case 'changeProfile':
        return { params: { userId }, body: { phone: '+41 1' }, headers: keyed() };
      case 'readNotifications':
        return { params: { userId }, body: { position: '1' }, headers: keyed() };
      case 'changePreferences':
        return { params: { userId }, body: { timeZone: 'Africa/Lagos' }, headers: keyed() };
      case 'cancelWalletAddress':
        return { params: { userId }, body: {}, headers: keyed() };
      case 'closeAccount':
      case 'stepUp':
      case 'downloadOwnData':
        return { body: { proof: { password: PASSWORD } } };
      case 'saveWalletAddress':
        return {
          params: { userId },
          body: { walletAddress: 'bc1qann', proof: { password: PASSWORD } },
          headers: keyed(),
        };
      case 'changeDepositDetails':
        return { body: { phoneNumber: '+41', reason: 'a test' }, headers: keyed() };
      case 'setDollarRate':
        return { body: { rate: '0.9', reason: 'a test' }, headers: keyed() };
      case 'setPrices':
        return { body: { prices: { PI: '1' }, reason: 'a test' }, headers: keyed() };
      case 'setAdminAccess':
        return { body: { needsSecondFactor: false }, headers: keyed() };
      case 'setApprovalLimits':
        return { body: { expireHours: 72, reason: 'As agreed' }, headers: keyed() };
      case 'setBonusPolicy':
        return { body: { policy: defaultBonusPolicy, reason: 'a test' }, headers: keyed() };
      case 'changeContent':
        return { body: { content: { team: null } }, headers: keyed() };
      case 'previewContent':
        return { body: { page: 'site', content: { team: null } } };
      case 'contentVersion':
        return { params: { revision: await newContentVersion() } };
      default:
        return {};
    }
  }

  /** An adjustment of Ann's wallet that another admin asked for, above a limit that is there for it alone. */
  async function adjustmentThatWaits(): Promise<string> {
    const limited = (tiers: readonly { above: string; approvals: number }[]) =>
      clients.admin.get('setApprovalLimits', {
        body: { tiers: { USDT: [...tiers] }, reason: 'As agreed' },
        headers: keyed(),
      });
    const other = await twinOf('admin');
    await limited([{ above: '1', approvals: 2 }]);
    const { waiting } = await other.get('adjustWallet', {
      params: { userId: ann.userId },
      body: { amounts: { USDT: '2' }, reason: 'a test' },
      headers: keyed(),
    });
    await limited([]);
    return waiting?.requestId ?? 'none';
  }

  /** A price that another admin asked for. */
  async function changeThatWaits(): Promise<string> {
    const price = `${randomInt(2, 1_000_000)}.5`;
    const body = { prices: { PI: price }, reason: 'a test' };
    const { changeId } = await (await twinOf('admin')).get('setPrices', { body, headers: keyed() });
    return changeId ?? 'none';
  }

  /** A version of the site's texts, which was made just now. */
  async function newContentVersion(): Promise<string> {
    const fees = { title: 'Fees', text: newMessage.message };
    for (const section of [fees, null])
      await clients.admin.get('changeContent', { body: { content: { fees: section } }, headers: keyed() });
    const query = { part: 'content', limit: '1' };
    const { items } = await clients.admin.get('settingsHistory', { query });
    return String(items[0]?.revision);
  }

  /** The secret of the link that somebody is sent who has lost the password. */
  async function resetToken(): Promise<string> {
    const { email } = await join(lode.visitor, 'Rita');
    await lode.visitor.get('requestPasswordReset', { body: { email } });
    await smtp.hadTo(email, 2);
    const own = smtp.received.filter(({ to }) => to.includes(email));
    return tokenIn(own.find(({ raw }) => raw.includes('Subject: Set a new password'))!);
  }

  /** The secret of the link that a new customer is sent. */
  async function verificationToken(): Promise<string> {
    return tokenIn(await smtp.hadTo((await join(lode.visitor, 'Vera')).email, 1));
  }

  /** The secret of the link that somebody is sent to another e-mail address. */
  async function emailChangeToken(): Promise<string> {
    const { api } = await join(lode.visitor, 'Mona');
    const { email } = newPerson('Next');
    await api.get('requestEmailChange', { body: { email, proof: { password: PASSWORD } } });
    return tokenIn(await smtp.hadTo(email, 1));
  }

  /** An image of Ann’s, to be shown as her own. */
  async function newProfileImage(): Promise<Ask> {
    const { fileId } = await clients.ann.get('uploadProfileImage', { form: formOf(PNG) });
    return { params: { userId: ann.userId }, body: { fileId }, headers: keyed() };
  }

  /** A product of which queries know already. */
  async function newProductId(): Promise<{ productId: string }> {
    // Not by a session that may have ended in the meantime.
    const admin = { ...lode.admin, api: clients.admin };
    const { productId, position } = await createProduct(admin);
    await lode.visitor.get('products', { headers: { 'Lode-Position': position } });
    return { productId };
  }

  /** The name of an image that an admin has uploaded. */
  async function imageFor(name: keyof typeof uploadOf): Promise<string> {
    const { url } = await clients.admin.get(uploadOf[name], { form: formOf(PNG) });
    return url.split('/').at(-1) ?? '';
  }

  /** Somebody of the same kind whose sessions nobody else asks with. */
  async function twinOf(caller: CallerName): Promise<Client> {
    if (caller === 'ann' || caller === 'bob') return (await join(lode.visitor, 'Tom')).api;
    if (caller !== 'admin') return clients[caller];
    // No owner: each of those is sent a mail of every change of what holds for all.
    const { token } = await clients.admin.get('inviteAdmin', { body: { duty: 'finance' } });
    return (await join(lode.visitor, 'Tina', token)).api;
  }

  test.each(cases)('$name ($access) for $caller', async ({ name, caller, outcome }) => {
    const client = endsSessions.includes(name) ? await twinOf(caller) : clients[caller];
    if (name === 'live' && outcome === 'allowed') {
      const stream = await follow(client);
      const [first] = await stream.until((frames) => frames.length > 0);
      expect(first).toMatchObject({ event: 'hello' });
      stream.close();
      return;
    }
    const answer = await client.call(name, await asked(name, caller, client));
    if (outcome === 'allowed')
      expect([answer.status, answer.text]).toEqual([routes[name].status, expect.anything()]);
    else expect(refusalIn(answer)).toEqual(outcome);
  });

  /** What is refused of these requests of an admin’s while nothing can be noted: the clock is not accepted. */
  async function withheld(requests: readonly (readonly [name: RouteName, ask: Ask])[]) {
    const now = Date.now();
    jest.setSystemTime(now + 10 * 60_000);
    try {
      const codes = [];
      for (const [name, ask] of requests) {
        const { status, text } = await clients.admin.call(name, ask);
        codes.push(status === 503 && text.includes('"code":"unavailable"') ? 'withheld' : status);
      }
      return codes;
    } finally {
      jest.setSystemTime(now);
      await lode.visitor.call('healthReady');
    }
  }

  test('an admin is given what is one person’s when that can be noted, and only then', async () => {
    const queries = (Object.keys(shownToAdmins) as QueryName[]).filter(
      // Its answer has no end.
      (name) => name !== 'live' && (rules[accessTable[name][0]].admin ?? 'allowed') === 'allowed',
    );
    const requests = [];
    for (const name of queries) requests.push([name, await asked(name, 'admin')] as const);
    const expected = queries.map((name) => [
      name,
      shownToAdmins[name] === 'a person' ? 'withheld' : expect.any(Number),
    ]);
    const found = await withheld(requests);
    expect(queries.map((name, n) => [name, found[n]])).toEqual(expected);
  });

  test.each<[what: string, ask: (person: Person) => Promise<readonly [RouteName, Ask]>]>([
    ['an event', async ({ userId }) => ['event', { params: { eventId: (await openingOf(userId)).id } }]],
    [
      'what it caused',
      async ({ userId }) => ['causation', { params: { eventId: (await openingOf(userId)).id } }],
    ],
    ['the person’s events', async ({ userId }) => ['events', { query: { person: userId } }]],
    ['events of a stream', async ({ userId }) => ['events', { query: { stream: `account-${userId}` } }]],
    ['events by who did it', async ({ userId }) => ['events', { query: { actor: userId } }]],
    [
      'events of a command',
      async ({ userId }) => ['events', { query: { commandId: (await openingOf(userId)).meta.commandId } }],
    ],
    ['a search', async ({ email }) => ['people', { query: { search: email } }]],
    ['a stream', async ({ userId }) => ['stream', { params: { stream: `access-${userId}` } }]],
    ['a file', async (person) => ['file', { params: { fileId: await upload(person) } }]],
  ])('and %s is noted with whose it is', async (_, ask) => {
    const person = await join(lode.visitor, 'Zoe');
    await saveWalletAddress(person);
    await until(async () => (await openingOf(person.userId)).id !== '');
    const [name, asked] = await ask(person);
    expect(await notedOf(person)).toEqual([]);
    expect((await clients.admin.call(name, asked)).status).toBe(200);
    await until(async () => (await notedOf(person)).length > 0);
    expect(await notedOf(person)).toEqual([['PersonRead', lode.admin.userId]]);
  });

  test('and a list as a file with everybody whom the address names', async () => {
    const [one, two] = [await join(lode.visitor, 'Zed'), await join(lode.visitor, 'Zoe')];
    const query = { person: one.userId, stream: `account-${two.userId}`, format: 'csv' } as const;
    expect((await clients.admin.call('events', { query })).status).toBe(200);
    const taken = async () => {
      const { items } = await clients.admin.get('events', { query: { type: 'ListExported', limit: '100' } });
      return items.flatMap(({ data: { about } }) =>
        about === one.userId || about === two.userId ? [about] : [],
      );
    };
    await until(async () => (await taken()).length > 1);
    expect(new Set(await taken())).toEqual(new Set([one.userId, two.userId]));
  });

  /** The first event of a person's account, from a list over everyone. */
  async function openingOf(userId: string) {
    const { items } = await clients.admin.get('events', { query: { type: 'AccountOpened', limit: '100' } });
    return items.find(({ stream }) => stream === `account-${userId}`) ?? { id: '', meta: { commandId: '' } };
  }

  /** What the log says was shown of a person, and to whom. */
  async function notedOf({ userId }: Person) {
    const { items } = await clients.admin.get('events', { query: { type: 'PersonRead', limit: '100' } });
    return items
      .filter(({ data }) => data['about'] === userId)
      .map(({ type, data }) => [type, data['userId']]);
  }

  test("an id of one customer's says nothing to another, whether it exists or not", async () => {
    const [fileId, { requestId }] = [await upload(ann), await requestFunding(ann)];
    const other = '0'.repeat(35);
    const { userId } = ann;
    const pairs: readonly [RouteName, Ask, Ask][] = [
      ['file', { params: { fileId } }, { params: { fileId: other } }],
      ['account', { params: { userId } }, { params: { userId: other } }],
      ['ownFundRequests', { params: { userId } }, { params: { userId: other } }],
      ['why', { params: { userId, currency: 'USD' } }, { params: { userId: other, currency: 'USD' } }],
      ['accountEvents', { params: { userId } }, { params: { userId: other } }],
      ['statement', { params: { userId }, query: YEAR }, { params: { userId: other }, query: YEAR }],
      ['notifications', { params: { userId } }, { params: { userId: other } }],
      ['receivedTransfers', { params: { userId } }, { params: { userId: other } }],
      ...(
        [
          ['readNotifications', { upTo: '1' }],
          ['changePreferences', { theme: 'dark' }],
          ['cancelWalletAddress', { currency: 'BTC' }],
        ] as const
      ).map(([name, body]): [RouteName, Ask, Ask] => [
        name,
        { params: { userId }, body, headers: keyed() },
        { params: { userId: other }, body, headers: keyed() },
      ]),
      [
        'requestFunding',
        { body: { amount: '10', currency: 'BTC', evidenceId: fileId }, headers: keyed() },
        { body: { amount: '10', currency: 'BTC', evidenceId: other }, headers: keyed() },
      ],
      [
        'confirmFunding',
        { params: { userId, requestId }, body: {}, headers: keyed() },
        { params: { userId: other, requestId: other.slice(1) }, body: {}, headers: keyed() },
      ],
    ];
    for (const [name, existing, unknown] of pairs) {
      const [one, two] = [await bob.api.call(name, existing), await bob.api.call(name, unknown)];
      expect(problemIn(one)).toEqual(problemIn(two));
    }
  });

  test('a customer who is signed in finds only what is their own in lists', async () => {
    await requestFunding(bob);
    await requestFunding(ann);
    const { position } = await requestFunding(bob);
    const { items } = await bob.api.get('ownFundRequests', {
      params: { userId: bob.userId },
      headers: { 'Lode-Position': position },
    });
    expect(new Set(items.map((item) => item.userId))).toEqual(new Set([bob.userId]));
  });

  test("a request is its customer's: an admin who names another customer finds none", async () => {
    const { requestId } = await requestFunding(ann);
    const ask = { params: { userId: bob.userId, requestId }, body: {}, headers: keyed() };
    expect(refusalIn(await clients.admin.call('confirmFunding', ask))).toEqual([404, 'request_not_found']);
    expect(refusalIn(await clients.admin.call('rejectFunding', ask))).toEqual([404, 'request_not_found']);
  });
});

describe('the table of routes', () => {
  /** Served beside the contract: documentation, and pages when there is a front end. */
  const beside = /^\/(?:api\/docs|api\/openapi\.json)/;

  test('is what the server answers to, no more and no less', async () => {
    const app = await quietApi({ ports: unusedPorts() });
    const served = routesIn(app.getHttpAdapter().getInstance().printRoutes({ commonPrefix: false }));
    await app.close();
    const declared = names.map((name) => `${routes[name].method} ${routes[name].path}`);
    expect(
      served.filter((route) => !route.startsWith('HEAD ') && !beside.test(route.split(' ')[1] ?? '')).sort(),
    ).toEqual(declared.sort());
  });
});

function unused(): never {
  throw new Error('nobody calls this');
}

/** Ports of an API that nobody calls: it is only looked at. */
function unusedPorts(): object {
  const projections: ProjectionFeed = {
    waitFor: unused,
    overwrite: unused,
    status: unused,
    onChanges: () => () => undefined,
    onRebuilt: () => () => undefined,
    rebuild: unused,
    cancelRebuild: unused,
    parked: unused,
    discard: unused,
    replay: unused,
  };
  return { projections };
}

/** `METHOD /path` of each route in Fastify's drawing of its tree. */
function routesIn(drawing: string): readonly string[] {
  const path: string[] = [];
  return drawing.split('\n').flatMap((line) => {
    const [, indent = '', piece = '', methods = ''] =
      /^([│├└─ ]*)(\S.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    if (piece === '') return [];
    path.splice(indent.length / 4 - 1, Infinity, piece);
    return methods === '' ? [] : methods.split(', ').map((method) => `${method} ${path.join('')}`);
  });
}

function refusalIn(answer: Answer): readonly [number, string] {
  const { status, code } = problemIn(answer);
  expect(status).toBe(answer.status);
  return [status, code];
}
