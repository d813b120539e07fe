import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes, storageCodes, type Access, type RouteName, type StorageCode } from '#contracts';
import { createIdentity } from '#identity';
import {
  confirmFunding,
  createProduct,
  credit,
  formOf,
  join,
  keyed,
  newPerson,
  newProduct,
  openIdentityOf,
  PASSWORD,
  PDF,
  PNG,
  requestFunding,
  saveWalletAddress,
  setPin,
  startLode,
  transferTo,
  upload,
  type Answer,
  type Ask,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';
import { matrix } from './rules.js';
import { isSentence, sentences, type Sentence } from './sentences.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';
/** What whoever joins in these tests proves with that it is they who ask. */
const proof = { password: PASSWORD };
const BANK_ACCOUNT = 'DE75512108001245126199';

let lode: Lode;
let ann: Person;
beforeAll(async () => {
  lode = await startLode();
  ann = await customer('Ann');
});
afterAll(() => lode.stop());

/** A customer with a wallet address, a transfer pin and 100 US dollars in BTC. */
async function customer(firstname: string): Promise<Person> {
  const person = await join(lode.visitor, firstname);
  await saveWalletAddress(person);
  await setPin(person);
  await credit(lode.admin, person, { BTC: '100' });
  return person;
}

const call = (by: Person, name: RouteName, ask: Ask) => by.api.call(name, ask);
const command = (by: Person, name: RouteName, body: object, params: Record<string, string> = {}) =>
  call(by, name, { params, body, headers: keyed() });
const asAdmin = (name: RouteName, body: object, params: Record<string, string> = {}) =>
  command(lode.admin, name, body, params);
const ofAnn = () => ({ userId: ann.userId });
const ofNobody = () => ({ userId: NOBODY, requestId: 'x'.repeat(34) });
const fundingOf = async (person: Person) => ({
  userId: person.userId,
  requestId: (await requestFunding(person)).requestId,
});
const register = (more: object = {}) =>
  lode.visitor.call('register', { body: { ...newPerson('Carl'), ...more } });

async function suspended(): Promise<Person> {
  const person = await customer('Sue');
  const { userId } = person;
  const answer = await asAdmin('suspend', {}, { userId });
  const { position } = answer.json as { readonly position: string };
  await lode.admin.api.get('totals', { headers: { 'Lode-Position': position } });
  return person;
}

/** Signs somebody in who has a password and no account. */
async function signInWithoutAccount(): Promise<Answer> {
  const store = await openIdentityOf(lode.folder);
  const { credentials } = await createIdentity({ store, isOpen: () => Promise.resolve(true) });
  const email = 'nobody@example.org';
  await credentials.activate(await credentials.reserve({ email, password: PASSWORD, role: 'user' }));
  await store.close();
  return lode.visitor.call('signIn', { body: { email, password: PASSWORD } });
}

/** What the front end alone says. */
const onScreens = ['No logs available.', 'Unexpected Application Error!'] as const satisfies Sentence[];

/** How the server comes to say each of the others. */
const said: { readonly [S in Exclude<Sentence, (typeof onScreens)[number]>]: () => Promise<Answer> } = {
  'Email and password are required': () =>
    lode.visitor.call('signIn', { body: { email: ann.email, password: '' } }),
  'Login successful': () => lode.visitor.call('signIn', { body: { email: ann.email, password: PASSWORD } }),
  'Login failed: {reason}': () =>
    lode.visitor.call('signIn', { body: { email: 'nobody@example.com', password: PASSWORD } }),
  'Account suspended. Please contact admin.': async () => {
    const { email } = await suspended();
    return lode.visitor.call('signIn', { body: { email, password: PASSWORD } });
  },
  'User data not found. Please contact admin.': signInWithoutAccount,
  'Transaction Closed': async () => {
    const request = await fundingOf(ann);
    await asAdmin('rejectFunding', {}, request);
    return asAdmin('confirmFunding', {}, request);
  },
  'Transaction approved successfully!': async () => asAdmin('confirmFunding', {}, await fundingOf(ann)),
  'Failed to approve the transaction.': () => asAdmin('confirmWithdrawal', {}, ofNobody()),
  'Transaction rejected successfully!': async () => asAdmin('rejectFunding', {}, await fundingOf(ann)),
  'Failed to reject the transaction.': () => asAdmin('rejectTransfer', {}, ofNobody()),
  'Transaction already confirmed': async () => {
    const { userId, requestId } = await fundingOf(ann);
    await confirmFunding(lode.admin, { userId }, requestId);
    return asAdmin('confirmFunding', {}, { userId, requestId });
  },
  'User blocked successfully!': async () => {
    const { userId } = await join(lode.visitor, 'Bea');
    return asAdmin('suspend', {}, { userId });
  },
  'Failed to block the user.': () => asAdmin('suspend', {}, { userId: NOBODY }),
  'Mining stopped successfully': () => asAdmin('stopBonus', {}, ofAnn()),
  'Mining restarted successfully': () => asAdmin('restartBonus', { reason: 'a test' }, ofAnn()),
  'Wallet updated successfully.': () =>
    asAdmin('adjustWallet', { amounts: { PI: '1' }, reason: 'a gift' }, ofAnn()),
  'Insufficient wallet balance': async () => {
    const person = await customer('Ines');
    return command(person, 'requestWithdrawal', { amount: '99.01', currency: 'BTC', proof });
  },
  'Insufficient {currency} wallet balance!': () =>
    command(ann, 'requestWithdrawal', { amount: '1', currency: 'USDT', proof }),
  'Data submitted successfully!': () => ann.api.call('uploadEvidence', { form: formOf(PNG) }),
  'Something went wrong.': () => command(ann, 'sendMessage', {}),
  'Passwords do not match': () => register({ confirmPassword: 'another' }),
  'Incomplete information': () => register({ lastname: '' }),
  'User already exists': () => register({ email: ann.email }),
  'Registration successful. Redirecting to login...': () => register(),
  'Registration successful': () => lode.admin.api.call('createAccount', { body: newPerson('Cleo') }),
  'Message sent successfully!': () =>
    command(ann, 'sendMessage', { subject: 'Rigs', message: 'When is it back?', businessType: 'Mining' }),
  'Your request has been submitted successfully!': async () =>
    command(ann, 'requestFunding', { amount: '5', currency: 'PI', evidenceId: await upload(ann) }),
  'There was an error submitting your request. Please try again.': () =>
    command(ann, 'requestFunding', { amount: '5', currency: 'PI', evidenceId: 'x'.repeat(35) }),
  'Please enter a valid amount and upload payment evidence.': async () =>
    command(ann, 'requestFunding', { amount: '0', currency: 'PI', evidenceId: await upload(ann) }),
  'Please enter a valid upload payment evidence.': () =>
    command(ann, 'requestFunding', { amount: '5', currency: 'PI', evidenceId: 'x'.repeat(35) }),
  'Product uploaded successfully!': async () => asAdmin('createProduct', await newProduct(lode.admin)),
  'Error uploading product': () => asAdmin('createProduct', {}),
  'Product updated successfully!': async () => {
    const { productId } = await createProduct(lode.admin);
    return asAdmin('changeProduct', { title: 'Another' }, { productId });
  },
  'Product deleted successfully!': async () => {
    const { productId } = await createProduct(lode.admin);
    return call(lode.admin, 'deleteProduct', { params: { productId }, headers: keyed() });
  },
  'Transfer submitted successfully!': () => command(ann, 'requestTransfer', transferTo(BANK_ACCOUNT, '5')),
  'Failed to submit transfer. Please try again.': () =>
    command(ann, 'requestTransfer', transferTo(BANK_ACCOUNT, '100000')),
  'No user found with this account number.': () =>
    call(ann, 'accountHolder', { params: { accountNumber: '3000000000' } }),
  'User data is incomplete.': async () => {
    const { userId } = await suspended();
    const { accountNumber } = await lode.admin.api.get('account', { params: { userId } });
    return call(ann, 'accountHolder', { params: { accountNumber } });
  },
  'Error fetching account information.': () =>
    call(ann, 'accountHolder', { params: { accountNumber: '30' } }),
  'User info updated successfully!': () => command(ann, 'changeProfile', { phone: '+41 1' }, ofAnn()),
  'Failed to update user info.': () => command(ann, 'changeProfile', { phone: 1 }, ofAnn()),
  'Profile image updated successfully!': async () => {
    const { fileId } = await ann.api.get('uploadProfileImage', { form: formOf(PNG) });
    return command(ann, 'changeProfileImage', { fileId }, ofAnn());
  },
  'Failed to upload image.': () => command(ann, 'changeProfileImage', { fileId: 'x'.repeat(35) }, ofAnn()),
  'wallet address updated': () =>
    command(ann, 'saveWalletAddress', { walletAddress: 'bc1qann', proof }, ofAnn()),
  'Error updating wallet address. Try again.': () =>
    command(ann, 'saveWalletAddress', { walletAddress: '' }, ofAnn()),
  'Password updated successfully!': async () => {
    const person = await join(lode.visitor, 'Pia');
    const body = { oldPassword: PASSWORD, newPassword: `another ${PASSWORD}` };
    return person.api.call('changePassword', { body });
  },
  'Failed to reset password.': () =>
    ann.api.call('changePassword', { body: { oldPassword: 'wrong', newPassword: `another ${PASSWORD}` } }),
  'Dollar rate updated successfully.': () => asAdmin('setDollarRate', { rate: '0.9', reason: 'a test' }),
  'Failed to update dollar rate.': () => asAdmin('setDollarRate', { rate: '-1', reason: 'a test' }),
  'No rate available. Please set one.': async () => {
    const untouched = await startLode();
    const answer = await untouched.admin.api.call('dollarRate');
    await untouched.stop();
    return answer;
  },
  'Error loading wallet data': () => call(lode.admin, 'account', { params: { userId: NOBODY } }),
  'User not found': () => call(lode.admin, 'account', { params: { userId: NOBODY } }),
  'User does not exist': () => asAdmin('confirmWithdrawal', {}, ofNobody()),
};

/** Every text in a JSON value. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const shown = sentences.filter((sentence): sentence is keyof typeof said => sentence in said);

describe('the catalogue of what a person is told', () => {
  test.each(shown)('%s', async (sentence) => {
    const { json } = await said[sentence]();
    expect(textsIn(json).filter((text) => isSentence(sentence, text))).not.toEqual([]);
  });

  test('has each sentence once', () => {
    expect([...Object.keys(said), ...onScreens].sort()).toEqual([...sentences].sort());
  });
});

describe('what a client of a file storage is told', () => {
  const told: { readonly [Code in Exclude<StorageCode, 'retry-limit-exceeded'>]: () => Promise<Answer> } = {
    unauthenticated: () => lode.visitor.call('uploadEvidence', { form: formOf(PNG) }),
    unauthorized: () => ann.api.call('uploadProductImage', { form: formOf(PNG) }),
    'quota-exceeded': async () => {
      const person = await join(lode.visitor, 'Quin');
      for (;;) {
        const answer = await person.api.call('uploadProfileImage', { form: formOf(PNG) });
        if (answer.status !== 201) return answer;
      }
    },
    'object-not-found': () => ann.api.call('file', { params: { fileId: 'x'.repeat(35) } }),
    canceled: () =>
      ann.api.call('uploadEvidence', {
        raw: `--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n${PDF.toString('latin1')}`,
        headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
      }),
  };

  test.each(Object.entries(told))('%s', async (code, ask) => {
    expect((await ask()).json).toMatchObject({ storageCode: code });
  });

  test('retry-limit-exceeded, when asked too often', async () => {
    const impatient = await startLode({ requestsPerMinute: 20 });
    try {
      let answer = await impatient.visitor.call('productImage', {
        params: { name: `${'x'.repeat(35)}.webp` },
      });
      while (answer.status === 404)
        answer = await impatient.visitor.call('productImage', { params: { name: `${'x'.repeat(35)}.webp` } });
      expect(answer.json).toMatchObject({ storageCode: 'retry-limit-exceeded' });
    } finally {
      await impatient.stop();
    }
  });

  test('is no other code', () => {
    expect([...Object.keys(told), 'retry-limit-exceeded'].sort()).toEqual([...storageCodes].sort());
  });
});

const roles = ['visitor', 'user', 'admin'] as const;
describe('the matrix of who may do what', () => {
  const mayBe: Readonly<Record<Access, readonly (keyof Pick<Row, 'visitor' | 'user' | 'admin'>)[]>> = {
    visitor: ['visitor', 'user', 'admin'],
    anyone: ['visitor', 'user', 'admin'],
    'signed-in': ['user', 'admin'],
    owner: ['user', 'admin'],
    self: ['user', 'admin'],
    user: ['user'],
    admin: ['admin'],
  };
  type Row = (typeof matrix)[number];

  test.each(matrix)('$capability', ({ visitor, user, admin, routes: names }) => {
    const told = { visitor, user, admin };
    for (const name of names) {
      const allowed = mayBe[routes[name].access];
      const kept = Object.fromEntries(roles.map((role) => [role, allowed.includes(role)]));
      expect({ name, ...kept }).toEqual({ name, ...told });
    }
  });
});

describe('the constants that show in answers', () => {
  test('ids of requests have 34 characters, those of products and messages 35', async () => {
    const { requestId } = await requestFunding(ann);
    const { productId } = await createProduct(lode.admin);
    const body = { subject: 'Rigs', message: 'When is it back?', businessType: 'Mining' };
    const { messageId } = await ann.api.get('sendMessage', { body, headers: keyed() });
    for (const [id, length] of [
      [requestId, 34],
      [productId, 35],
      [messageId, 35],
    ] as const)
      expect(id).toMatch(new RegExp(`^[A-Za-z0-9]{${length}}$`));
  });

  test('a page has 10 rows', async () => {
    for (let n = 0; n < 11; n += 1) await requestFunding(ann, `${n + 1}.00`);
    const { position } = await requestFunding(ann);
    const ask = { params: { userId: ann.userId }, headers: { 'Lode-Position': position } };
    expect((await ann.api.get('ownFundRequests', ask)).items).toHaveLength(10);
  });
});
