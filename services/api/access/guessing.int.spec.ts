import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ATTEMPT_LIMITS } from '#identity';
import {
  dataFolder,
  join,
  newPerson,
  PASSWORD,
  problemIn,
  startLode,
  startProgram,
  TIME_OF_DAY_ALONE,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

let lode: Lode;
let ann: Person;

beforeAll(async () => {
  // Room for guesses comes back with time.
  jest.useFakeTimers(TIME_OF_DAY_ALONE);
  lode = await startLode({ proxies: ['127.0.0.1'] });
  ann = await join(lode.visitor, 'Ann');
});
afterAll(async () => {
  jest.useRealTimers();
  await lode.stop();
});

/** Tries to sign in from an address, as the proxy in front tells it. */
const signInFrom = (address: string, email: string, password: string) =>
  lode.visitor.call('signIn', { body: { email, password }, headers: { 'X-Forwarded-For': address } });
const statusFrom = async (address: string, email: string, password: string) =>
  (await signInFrom(address, email, password)).status;
/** Guesses at an account from an address, one after the other; gives the statuses. */
async function guess(address: string, emails: readonly string[]): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const email of emails) statuses.push(await statusFrom(address, email, 'wrong'));
  return statuses;
}

test('at one account after a restart shuts nobody out of a network that they have signed in from before', async () => {
  const folder = dataFolder();
  const proxied = { LODE_PROXIES: '127.0.0.1' };
  const ip = (address: string) => ({ headers: { 'X-Forwarded-For': address } });
  const home = '192.0.2.1';
  let program = await startProgram(folder.path, proxied);
  try {
    const body = newPerson('Dora');
    const credentials = { email: body.email, password: PASSWORD };
    await program.visitor.get('register', { body });
    await program.visitor.get('signIn', { body: credentials, ...ip(home) });
    program.child.kill('SIGTERM');
    await program.ended;

    program = await startProgram(folder.path, proxied);
    const { pair, account } = ATTEMPT_LIMITS;
    const wrong = { ...credentials, password: 'wrong' };
    for (let n = 0; n <= account.burst; n += 1)
      await program.visitor.call('signIn', {
        body: wrong,
        ...ip(`198.51.100.${Math.floor(n / pair.burst)}`),
      });
    const late = await program.visitor.call('signIn', { body: credentials, ...ip('203.0.113.1') });
    expect(problemIn(late)).toMatchObject({ status: 429, code: 'too_many_attempts' });
    await program.visitor.get('signIn', { body: credentials, ...ip(home) });
  } finally {
    program.child.kill('SIGKILL');
    await program.ended;
    await folder.remove();
  }
});

describe('guessing', () => {
  test('at one account from many networks shuts them all out, and the customer goes on signing in', async () => {
    const home = '192.0.2.1';
    expect(await statusFrom(home, ann.email, PASSWORD)).toBe(200);
    const { pair, account } = ATTEMPT_LIMITS;
    const networks = Array.from({ length: account.burst / pair.burst }, (_, n) => `198.51.100.${n + 1}`);
    for (const network of networks) {
      const emails = Array<string>(pair.burst).fill(ann.email);
      expect(await guess(network, emails)).toEqual(emails.map(() => 401));
    }
    const late = await signInFrom('203.0.113.1', ann.email, PASSWORD);
    expect(problemIn(late)).toMatchObject({ status: 429, code: 'too_many_attempts' });
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await statusFrom(home, ann.email, PASSWORD)).toBe(200);
  });

  test('from one network at many accounts shuts that network out of all of them, and nobody else', async () => {
    const bob = await join(lode.visitor, 'Bob');
    const { burst } = ATTEMPT_LIMITS.address;
    const stranger = '203.0.113.7';
    const emails = Array.from({ length: burst }, () => `${randomUUID()}@example.org`);
    expect(await guess(stranger, emails)).toEqual(emails.map(() => 401));
    expect(await guess(stranger, [`${randomUUID()}@example.org`])).toEqual([429]);
    expect(problemIn(await signInFrom(stranger, bob.email, PASSWORD)).code).toBe('too_many_attempts');
    expect(await statusFrom('203.0.113.8', bob.email, PASSWORD)).toBe(200);
  });

  test('all addresses of an IPv6 network count as one', async () => {
    const carl = await join(lode.visitor, 'Carl');
    const { burst } = ATTEMPT_LIMITS.pair;
    for (let n = 0; n < burst; n += 1)
      expect(await statusFrom(`2001:db8:1:2::${n + 1}`, carl.email, 'wrong')).toBe(401);
    expect(await statusFrom('2001:db8:1:2:ffff::9', carl.email, PASSWORD)).toBe(429);
    expect(await statusFrom('2001:db8:1:3::1', carl.email, PASSWORD)).toBe(200);
  });
});
