import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RouteName } from '#contracts';
import {
  credit,
  join,
  keyed,
  PASSWORD,
  PIN,
  problemIn,
  saveWalletAddress,
  setPin,
  startLode,
  transferTo,
  type Lode,
  type Person,
} from '../lode/testing/index.js';

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
    ['a transfer without its pin', 'requestTransfer', transfer, 400, 'validation_failed'],
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
