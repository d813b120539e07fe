import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RouteName } from '#contracts';
import {
  challengeFor,
  credit,
  enrol,
  join,
  joinEnrolled,
  keyed,
  PASSWORD,
  PIN,
  problemIn,
  saveWalletAddress,
  setPin,
  startLode,
  totpOf,
  transferTo,
  type Enrolled,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

const BANK_ACCOUNT = 'DE75512108001245126199';
const WRONG = 'a wrong password';

let lode: Lode;
let ann: Person;
beforeAll(async () => {
  lode = await startLode({ proxies: ['127.0.0.1'] });
});
afterAll(() => lode.stop());
beforeEach(async () => {
  ann = await join(lode.visitor, 'Ann');
  await credit(lode.admin, ann, { BTC: '100' });
  await saveWalletAddress(ann);
  await setPin(ann);
});

/** What a stolen access token can send, and whatever it comes with. */
const send = (name: RouteName, body: object, headers = keyed()) =>
  ann.api.call(name, {
    ...(name === 'saveWalletAddress' ? { params: { userId: ann.userId } } : {}),
    body,
    headers,
  });
const withdrawal = { amount: '10', currency: 'BTC' };
const { pin: _, ...transfer } = transferTo(BANK_ACCOUNT, '10');
const address = { walletAddress: 'bc1qthief' };
const eventsOf = async (stream: string) =>
  (await lode.admin.api.get('stream', { params: { stream: `${stream}-${ann.userId}` } })).events
    .map(({ type }) => type)
    // The cycle of the bonus begins by itself, whenever a reactor gets to it.
    .filter((type) => !type.startsWith('Bonus'));

describe('with a stolen access token alone', () => {
  test.each<readonly [what: string, name: RouteName, body: object, status: number, code: string]>([
    ['a withdrawal without proof', 'requestWithdrawal', withdrawal, 403, 'proof_missing'],
    ['one with nothing in it', 'requestWithdrawal', { ...withdrawal, proof: {} }, 403, 'proof_missing'],
    ['a guessed pin', 'requestWithdrawal', { ...withdrawal, proof: { pin: '0000' } }, 403, 'pin_wrong'],
    [
      'a guessed password',
      'requestWithdrawal',
      { ...withdrawal, proof: { password: WRONG } },
      401,
      'invalid_credentials',
    ],
    [
      'a right pin beside a wrong password',
      'requestWithdrawal',
      { ...withdrawal, proof: { pin: PIN, password: WRONG } },
      401,
      'invalid_credentials',
    ],
    ['a transfer without its pin', 'requestTransfer', transfer, 403, 'proof_missing'],
    ['one with a guessed pin', 'requestTransfer', { ...transfer, pin: '0000' }, 403, 'pin_wrong'],
    ['another address without proof', 'saveWalletAddress', address, 403, 'proof_missing'],
    [
      'another address by the pin alone',
      'saveWalletAddress',
      { ...address, proof: { pin: PIN } },
      400,
      'validation_failed',
    ],
    [
      'another address by a guess',
      'saveWalletAddress',
      { ...address, proof: { password: WRONG } },
      401,
      'invalid_credentials',
    ],
    ['another pin', 'setTransferPin', { pin: '1234', password: WRONG }, 401, 'invalid_credentials'],
    [
      'another password',
      'changePassword',
      { oldPassword: WRONG, newPassword: 'the thief’s own' },
      401,
      'invalid_credentials',
    ],
  ])('%s is refused, and nothing is written of it', async (_what, name, body, status, code) => {
    const before = await eventsOf('account');
    expect(problemIn(await send(name, body))).toMatchObject({ status, code });
    expect(await eventsOf('account')).toEqual(before);
  });
});

describe('what proves who asks', () => {
  test('is the pin or the password for a withdrawal, and no part of the request that is asked for', async () => {
    const headers = keyed();
    const first = await send('requestWithdrawal', { ...withdrawal, proof: { pin: PIN } }, headers);
    expect(first.status).toBe(201);
    // Answered from the log before any proof is looked at, whatever comes in its place.
    for (const proof of [undefined, { pin: '0000' }, { password: WRONG }, { password: PASSWORD }]) {
      const again = await send('requestWithdrawal', { ...withdrawal, proof }, headers);
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    }
    const other = await send('requestWithdrawal', { ...withdrawal, amount: '11' }, headers);
    expect(problemIn(other).code).toBe('idempotency_key_reused');
    expect((await send('requestWithdrawal', { ...withdrawal, proof: { password: PASSWORD } })).status).toBe(
      201,
    );
    expect(await eventsOf('access')).not.toContain('TransferPinRefused');
  });

  test('is not asked for again by the repeat of a transfer or of an address', async () => {
    const keys = [keyed(), keyed()] as const;
    for (const [name, body, key] of [
      ['requestTransfer', { ...transfer, pin: PIN }, keys[0]],
      ['saveWalletAddress', { ...address, proof: { password: PASSWORD } }, keys[1]],
    ] as const)
      expect((await send(name, body, key)).status).toBeLessThan(300);
    for (const [name, body, key] of [
      ['requestTransfer', { ...transfer, pin: '0000' }, keys[0]],
      ['saveWalletAddress', address, keys[1]],
    ] as const)
      expect((await send(name, body, key)).headers.get('idempotency-replayed')).toBe('true');
  });

  test('counts as a try of the pin, and as one of the password at a sign-in', async () => {
    const network = { ...keyed(), 'X-Forwarded-For': '198.51.100.7' };
    const by = (proof: object) =>
      send('requestWithdrawal', { ...withdrawal, proof }, { ...network, ...keyed() });
    for (const code of [...Array<string>(4).fill('pin_wrong'), 'pin_locked', 'pin_locked'])
      expect(problemIn(await by({ pin: '0000' })).code).toBe(code);
    expect(problemIn(await by({ pin: PIN })).code).toBe('pin_locked');

    for (let n = 0; n < 5; n++)
      expect(problemIn(await by({ password: WRONG })).code).toBe('invalid_credentials');
    expect(problemIn(await by({ password: PASSWORD }))).toMatchObject({
      status: 429,
      code: 'too_many_attempts',
    });
    const { email } = ann;
    const signIn = await lode.visitor.call('signIn', {
      body: { email, password: PASSWORD },
      headers: network,
    });
    expect(problemIn(signIn).code).toBe('too_many_attempts');
    // The owner, from a network of their own, is kept out by none of it.
    expect((await send('requestWithdrawal', { ...withdrawal, proof: { password: PASSWORD } })).status).toBe(
      201,
    );
  });
});

describe('where a second factor is on', () => {
  const NEXT = 'another horse';
  let enrolled: Enrolled;
  beforeEach(async () => {
    enrolled = await enrol(ann);
  });
  type Given = { readonly password: string; readonly code?: string };
  /** Each change of what guards the account, with what proves it. */
  const changes: readonly (readonly [what: string, name: RouteName, bodyOf: (given: Given) => object])[] = [
    ['another address', 'saveWalletAddress', (proof) => ({ ...address, proof })],
    ['another pin', 'setTransferPin', (proof) => ({ pin: '1234', ...proof })],
    [
      'another password',
      'changePassword',
      ({ password, ...code }) => ({ oldPassword: password, newPassword: NEXT, ...code }),
    ],
  ];
  const codeOf = async (answer: ReturnType<typeof send>) => problemIn(await answer).code;

  test.each(changes)(
    '%s is refused without a good code, and none is used up',
    async (_what, name, bodyOf) => {
      const { secret, taken, recoveryCodes } = enrolled;
      const [account, access] = [await eventsOf('account'), await eventsOf('access')];
      const ask = (given: Given) => codeOf(send(name, bodyOf(given)));
      expect(await ask({ password: PASSWORD })).toBe('proof_missing');
      const good = totpOf(secret);
      expect(await ask({ password: WRONG, code: good })).toBe('invalid_credentials');
      expect(await ask({ password: PASSWORD, code: '000000' })).toBe('second_factor_wrong');
      expect(await ask({ password: PASSWORD, code: taken })).toBe('second_factor_wrong');
      expect(await ask({ password: PASSWORD, code: recoveryCodes[0] ?? '' })).toBe('second_factor_wrong');
      expect(await eventsOf('account')).toEqual(account);
      expect(await eventsOf('access')).toEqual([...Array<string>(4).fill('SignInRefused'), ...access]);
      expect(await ann.api.get('secondFactor')).toMatchObject({ isOn: true, recoveryCodesLeft: 10 });
      expect((await send(name, bodyOf({ password: PASSWORD, code: good }))).status).toBe(200);
    },
  );

  test.each(changes)('%s takes a code once, and its repeat none', async (_what, name, bodyOf) => {
    const code = totpOf(enrolled.secret);
    const headers = keyed();
    const proof = { password: PASSWORD, code };
    expect((await send(name, bodyOf(proof), headers)).status).toBe(200);
    for (const repeated of [{ password: PASSWORD }, proof, { password: PASSWORD, code: '000000' }]) {
      const again = await send(name, bodyOf(repeated), headers);
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    }
    const password = name === 'changePassword' ? NEXT : PASSWORD;
    const other = { ...address, proof: { password, code } };
    expect(await codeOf(send('saveWalletAddress', other))).toBe('second_factor_wrong');
    expect(await eventsOf('access')).toContain('SignInRefused');
  });

  test('codes are counted as at the second step of a sign-in, and money asks for none', async () => {
    const network = { 'X-Forwarded-For': '198.51.100.9' };
    const by = (code: string) =>
      send(
        'saveWalletAddress',
        { ...address, proof: { password: PASSWORD, code } },
        { ...keyed(), ...network },
      );
    for (let n = 0; n < 5; n++) expect(await codeOf(by('000000'))).toBe('second_factor_wrong');
    expect(await codeOf(by(totpOf(enrolled.secret)))).toBe('too_many_attempts');
    const challenge = await challengeFor(lode.visitor, ann);
    const step = await lode.visitor.call('finishSignIn', {
      body: { challenge, code: totpOf(enrolled.secret) },
      headers: network,
    });
    expect(problemIn(step).code).toBe('too_many_attempts');
    expect((await send('requestWithdrawal', { ...withdrawal, proof: { pin: PIN } })).status).toBe(201);
  });

  test('a code that is given where none is on must be right as well', async () => {
    ann = await join(lode.visitor, 'Ann');
    const given = { ...address, proof: { password: PASSWORD, code: '000000' } };
    expect(await codeOf(send('saveWalletAddress', given))).toBe('second_factor_missing');
    expect((await send('saveWalletAddress', { ...address, proof: { password: PASSWORD } })).status).toBe(200);
  });
});

describe('an address per currency', () => {
  const BTC = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
  const OTHER = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
  const USDT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  let checked: Lode;
  let bob: Person;
  beforeAll(async () => {
    checked = await startLode({ networks: { BTC: 'bitcoin', USDT: 'ethereum', PI: 'stellar' } });
    bob = await join(checked.visitor, 'Bob');
    await credit(checked.admin, bob, { BTC: '100', USDT: '100' });
  });
  afterAll(() => checked.stop());
  const ofBob = (body: object) => ({ params: { userId: bob.userId }, body, headers: keyed() });
  const save = (walletAddress: string, currency?: string) =>
    bob.api.call('saveWalletAddress', ofBob({ walletAddress, currency, proof: { password: PASSWORD } }));
  const withdraw = (currency: string, more: object = {}) =>
    bob.api.call('requestWithdrawal', {
      body: { amount: '1', currency, proof: { password: PASSWORD }, ...more },
      headers: keyed(),
    });
  const payouts = async () => {
    const { head } = await checked.admin.api.get('projections');
    return (await bob.api.get('me', { headers: { 'Lode-Position': head } })).walletAddresses;
  };

  test('is one of the currency’s network, the first in force at once, another one after a day, unless it is canceled', async () => {
    for (const [address, currency] of [
      [USDT, 'BTC'],
      [BTC, 'USDT'],
      [BTC.replace('8f3t4', '8f3t5'), 'BTC'],
      ['mine', undefined],
    ] as const)
      expect(problemIn(await save(address, currency))).toMatchObject({
        status: 400,
        code: 'validation_failed',
      });
    expect((await save(BTC, 'BTC')).status).toBe(200);
    expect((await withdraw('BTC')).status).toBe(201);
    expect(problemIn(await withdraw('USDT')).code).toBe('wallet_address_missing');
    expect((await save(USDT, 'USDT')).status).toBe(200);

    const before = Date.now();
    expect((await save(OTHER, 'BTC')).status).toBe(200);
    const told = await payouts();
    expect(told).toMatchObject({
      BTC: { address: BTC, network: 'bitcoin', next: { address: OTHER } },
      USDT: { address: USDT, network: 'ethereum', next: null },
      PI: { address: null, network: 'stellar', next: null },
    });
    expect(Date.parse(told.BTC.next?.from ?? '')).toBeGreaterThanOrEqual(before + 86_400_000);
    expect(problemIn(await withdraw('BTC', { walletAddress: OTHER })).code).toBe('wallet_address_differs');
    expect((await withdraw('BTC', { walletAddress: BTC })).status).toBe(201);

    expect((await bob.api.call('cancelWalletAddress', ofBob({ currency: 'BTC' }))).status).toBe(200);
    expect((await payouts()).BTC).toEqual({ address: BTC, network: 'bitcoin', next: null });
  });

  test('costs no code of a second factor where it is none of the network', async () => {
    const eve = await joinEnrolled(checked.visitor, 'Eve');
    const proof = { password: PASSWORD, code: totpOf(eve.secret) };
    const saving = (walletAddress: string) => ({
      params: { userId: eve.userId },
      body: { walletAddress, currency: 'BTC', proof },
      headers: keyed(),
    });
    expect(problemIn(await eve.api.call('saveWalletAddress', saving(USDT))).code).toBe('validation_failed');
    expect((await eve.api.call('saveWalletAddress', saving(BTC))).status).toBe(200);
  });

  test('of a deposit is told with its network, and with none where it is of another', async () => {
    const body = { btcWallet: BTC, ethWallet: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', reason: 'a test' };
    await checked.admin.api.get('changeDepositDetails', { body, headers: keyed() });
    expect(await bob.api.get('depositAddresses')).toEqual({
      addresses: { BTC, PI: null, USDT: body.ethWallet },
      networks: { BTC: 'bitcoin', PI: 'stellar', USDT: 'none' },
    });
  });

  test('is shown as waiting where it fits the network, also beside none in force, and can be canceled there', async () => {
    bob = await join(checked.visitor, 'Bo');
    for (const address of [BTC, USDT]) expect((await save(address)).status).toBe(200);
    const usdt = { address: null, network: 'ethereum' };
    expect(await payouts()).toMatchObject({
      BTC: { address: BTC, next: null },
      USDT: { ...usdt, next: { address: USDT } },
    });
    expect((await bob.api.call('cancelWalletAddress', ofBob({ currency: 'USDT' }))).status).toBe(200);
    expect((await payouts()).USDT).toEqual({ ...usdt, next: null });
  });

  test('waits also where an address of another network waits for all currencies', async () => {
    bob = await join(checked.visitor, 'Bea');
    for (const [address, currency] of [
      [BTC, undefined],
      [USDT, undefined],
      [OTHER, 'BTC'],
    ] as const)
      expect((await save(address, currency)).status).toBe(200);
    expect((await payouts()).BTC).toMatchObject({ address: BTC, next: { address: OTHER } });
  });
});
