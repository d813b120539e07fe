import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { ATTEMPT_LIMITS, type Hasher } from '#identity';
import { quickHasher } from '#identity/testing';
import { sessionContext, visitorContext } from '../access/context.js';
import { confirmTransferPin } from '../access/guessing.js';
import { openAccessWorld, registered, signIn, somebody, type AccessWorld } from '../testing/index.js';
import { Register, RegisterHandler } from './register.js';

/** A hasher that does nothing before it is let, and remembers in which order it was asked. */
function heldHasher() {
  const asked: ('hash' | 'verify')[] = [];
  const waiting: (() => void)[] = [];
  let isHeld = false;
  const turn = async (what: 'hash' | 'verify') => {
    asked.push(what);
    if (isHeld) await new Promise<void>((go) => waiting.push(go));
  };
  const hasher: Hasher = {
    hash: async (...given) => {
      await turn('hash');
      return quickHasher.hash(...given);
    },
    verify: async (...given) => {
      await turn('verify');
      return quickHasher.verify(...given);
    },
  };
  return {
    hasher,
    asked,
    hold: () => {
      asked.length = 0;
      isHeld = true;
    },
    /** Lets the one go on that was asked for first; false when there is none. */
    letOne: () => waiting.shift()?.(),
    letAll: () => {
      isHeld = false;
      for (const go of waiting.splice(0)) go();
    },
  };
}

const PER_HOUR = 3;
let hashes: ReturnType<typeof heldHasher>;
let world: AccessWorld;
beforeEach(async () => {
  hashes = heldHasher();
  world = await openAccessWorld({ hasher: hashes.hasher, registrationsPerHour: PER_HOUR });
});
afterEach(() => world.close());

/** Registers somebody from an address. */
const registerFrom = (address: string, person = somebody()) =>
  new RegisterHandler(world).execute(new Register(visitorContext({ address, agent: 'Test/1.0' }), person));
const asked = async (count: number) => {
  while (hashes.asked.length < count) await setImmediate();
};

describe('many who register at once', () => {
  test('are hashed one after the other, and a sign-in waits behind one of them at most', async () => {
    const { email, password } = await registered(world);
    hashes.hold();
    const crowd = Array.from({ length: 50 }, (_, n) => registerFrom(`198.51.100.${n}`));
    await asked(1);
    let isIn = false;
    const signingIn = signIn(world, { email, password }).finally(() => (isIn = true));
    while (!isIn) {
      hashes.letOne();
      await setImmediate();
    }
    await signingIn;
    expect(hashes.asked.indexOf('verify')).toBeLessThanOrEqual(1);
    hashes.letAll();
    expect((await Promise.allSettled(crowd)).every(({ status }) => status === 'fulfilled')).toBe(true);
  });

  test('from one network are refused after so many, an admin’s not, and from elsewhere neither', async () => {
    const home = (n: number) => `2001:db8:1:2::${n}`;
    for (let n = 1; n <= PER_HOUR; n += 1) await registerFrom(home(n));
    const details = { retryAfterSeconds: 1_200 };
    await expect(registerFrom(home(9))).rejects.toMatchObject({ code: 'rate_limited', details });
    await registerFrom('2001:db8:1:3::1');
    const admin = sessionContext({ userId: randomUUID(), role: 'admin', sessionId: randomUUID() });
    for (let n = 0; n <= PER_HOUR; n += 1)
      await new RegisterHandler(world).execute(new Register(admin, somebody()));
  });

  test('for whom there is no room are not counted', async () => {
    const home = '192.0.2.7';
    hashes.hold();
    const crowd = Array.from({ length: 1_001 }, (_, n) => registerFrom(`198.51.${n >> 8}.${n & 255}`));
    await asked(1);
    for (let n = 0; n <= PER_HOUR; n += 1)
      await expect(registerFrom(home)).rejects.toMatchObject({ code: 'overloaded' });
    hashes.letAll();
    await Promise.all(crowd);
    await registerFrom(home);
  });

  test('with an e-mail that somebody has cost no hash, and are told the same as ever', async () => {
    const { email } = await registered(world);
    hashes.hold();
    await expect(registerFrom('198.51.100.1', somebody(email.toUpperCase()))).rejects.toMatchObject({
      code: 'email_exists',
      message: 'User already exists',
    });
    const weak = { ...somebody(email), password: '12345' };
    await expect(registerFrom('198.51.100.2', weak)).rejects.toMatchObject({ code: 'password_policy' });
    expect(hashes.asked).toEqual([]);
  });
});

describe('where there is no room', () => {
  const ROOM = 128;

  test('the right password is refused as long as need be, and costs no attempt', async () => {
    const { email, password } = await registered(world);
    hashes.hold();
    const crowd = Array.from({ length: ROOM }, (_, n) =>
      world.identity.credentials.verifyPassword(`${n}@example.org`, 'x').catch(() => 'refused'),
    );
    await asked(1);
    for (let n = 0; n < 2 * ATTEMPT_LIMITS.pair.burst; n += 1)
      await expect(signIn(world, { email, password })).rejects.toMatchObject({ code: 'overloaded' });
    hashes.letAll();
    await Promise.all(crowd);
    const { tokens } = await signIn(world, { email, password });
    expect(tokens.session.role).toBe('user');
  });

  test('a pin is refused, and keeps all its tries', async () => {
    const { userId } = await registered(world);
    await world.identity.transferPins.set(userId, '1234');
    hashes.hold();
    const crowd = Array.from({ length: ROOM }, () => world.identity.transferPins.set(randomUUID(), '1234'));
    await asked(1);
    const caller = {
      ...sessionContext({ userId, role: 'user', sessionId: randomUUID() }),
      client: { address: '192.0.2.1', agent: 'Test/1.0' },
    };
    for (let n = 0; n < 10; n += 1)
      await expect(confirmTransferPin(world, caller, '1234')).rejects.toMatchObject({ code: 'overloaded' });
    hashes.letAll();
    await Promise.all(crowd);
    expect(await world.identity.transferPins.stateOf(userId)).toBe('set');
    await expect(confirmTransferPin(world, caller, '4321')).rejects.toMatchObject({
      details: { triesLeft: 4 },
    });
  });
});
