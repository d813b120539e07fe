import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ATTEMPT_LIMITS, createAttempts, type Attempt, type AttemptLimits, type Attempts } from '#identity';

const LIMITS: AttemptLimits = { ...ATTEMPT_LIMITS, remembered: 5_000 };
const OWNER: Attempt = { account: 'ann@example.org', address: '192.0.2.1' };

/** Seconds to wait, or undefined when the attempt was let through. */
function tryOnce(attempts: Attempts, attempt: Attempt): number | undefined {
  try {
    attempts.begin(attempt);
    return undefined;
  } catch (error) {
    const { code, details } = error as { code: string; details: { retryAfterSeconds: number } };
    expect(code).toBe('too_many_attempts');
    return details.retryAfterSeconds;
  }
}

function signIn(attempts: Attempts, attempt: Attempt): void {
  attempts.begin(attempt);
  attempts.succeeded(attempt);
}

const address = (n: number) => `198.51.${n >> 8}.${n & 255}`;

describe('limits on attempts', () => {
  test('one who guesses at one account gets a burst, then one attempt at a time', () => {
    let now = 0;
    const attempts = createAttempts(() => now, LIMITS);
    const { burst, everyMs } = ATTEMPT_LIMITS.pair;
    for (let n = 0; n < burst; n += 1) expect(tryOnce(attempts, OWNER)).toBeUndefined();
    expect(tryOnce(attempts, OWNER)).toBe(everyMs / 1_000);
    now += everyMs - 1;
    expect(tryOnce(attempts, OWNER)).toBe(1);
    now += 1;
    expect(tryOnce(attempts, OWNER)).toBeUndefined();
    expect(tryOnce(attempts, OWNER)).toBe(everyMs / 1_000);
  });

  test('a clock that goes back and forth gives no attempt more than the time that has passed', () => {
    let now = 0;
    const attempts = createAttempts(() => now, LIMITS);
    const { burst, everyMs } = ATTEMPT_LIMITS.pair;
    let count = 0;
    for (let n = 0; n < 10 * burst; n += 1) {
      now = n % 2 === 0 ? 4 * everyMs : 0;
      if (tryOnce(attempts, OWNER) === undefined) count += 1;
    }
    expect(count).toBe(burst);
  });

  test('one who goes through a list of accounts is limited by address', () => {
    const attempts = createAttempts(() => 0, LIMITS);
    const at = (n: number) => ({ account: `${n}@example.org`, address: OWNER.address });
    const { burst, everyMs } = ATTEMPT_LIMITS.address;
    for (let n = 0; n < burst; n += 1) expect(tryOnce(attempts, at(n))).toBeUndefined();
    expect(tryOnce(attempts, at(burst))).toBe(everyMs / 1_000);
    expect(tryOnce(attempts, { account: 'ann@example.org', address: '192.0.2.2' })).toBeUndefined();
  });

  test('one who has a whole IPv6 network is one', () => {
    const attempts = createAttempts(() => 0, LIMITS);
    const from = (n: number) => ({ account: OWNER.account, address: `2001:db8:1:2::${n.toString(16)}` });
    for (let n = 0; n < ATTEMPT_LIMITS.pair.burst; n += 1) expect(tryOnce(attempts, from(n))).toBeUndefined();
    expect(tryOnce(attempts, from(99))).toBeGreaterThan(0);
    expect(tryOnce(attempts, { ...OWNER, address: '2001:db8:1:3::1' })).toBeUndefined();
  });

  test('many who guess at one account together are limited by account', () => {
    const attempts = createAttempts(() => 0, LIMITS);
    const { burst } = ATTEMPT_LIMITS.account;
    const from = (n: number) => ({ account: OWNER.account, address: address(n) });
    for (let n = 0; n < burst; n += 1) expect(tryOnce(attempts, from(n))).toBeUndefined();
    expect(tryOnce(attempts, from(burst))).toBeGreaterThan(0);
  });

  test('a refused attempt does not make the wait longer', () => {
    const attempts = createAttempts(() => 0, LIMITS);
    for (let n = 0; n < ATTEMPT_LIMITS.pair.burst; n += 1) attempts.begin(OWNER);
    const waits = Array.from({ length: 20 }, () => tryOnce(attempts, OWNER));
    expect(new Set(waits).size).toBe(1);
  });

  test('success gives the count back, but to a stranger not more than that', () => {
    const attempts = createAttempts(() => 0, LIMITS);
    for (let n = 0; n < ATTEMPT_LIMITS.address.burst * 3; n += 1) signIn(attempts, OWNER);
    const stranger = { account: 'stranger@example.org', address: '192.0.2.9' };
    let guesses = 0;
    for (let n = 0; n < 200; n += 1) {
      if (tryOnce(attempts, stranger) === undefined) attempts.succeeded(stranger);
      if (tryOnce(attempts, { account: `victim ${n}`, address: stranger.address }) === undefined)
        guesses += 1;
    }
    expect(guesses).toBeLessThanOrEqual(ATTEMPT_LIMITS.address.burst);
  });

  test('what nobody had room to look at costs no attempt, of any kind', () => {
    const attempts = createAttempts(() => 0, LIMITS);
    const { pair, address: network, account } = ATTEMPT_LIMITS;
    for (let n = 0; n < network.burst + account.burst; n += 1) {
      expect(tryOnce(attempts, OWNER)).toBeUndefined();
      attempts.notLookedAt(OWNER);
    }
    for (let n = 0; n < pair.burst; n += 1) expect(tryOnce(attempts, OWNER)).toBeUndefined();
    expect(tryOnce(attempts, OWNER)).toBeGreaterThan(0);
  });

  test('whatever strangers do from elsewhere, the owner’s usual address is never refused', () => {
    const strange = fc.record({ from: fc.nat(2_000), account: fc.constantFrom(OWNER.account, 'bob', 'eve') });
    const step = fc.oneof(
      { weight: 8, arbitrary: fc.record({ strange, times: fc.integer({ min: 1, max: 40 }) }) },
      { weight: 1, arbitrary: fc.record({ owner: fc.constant(true) }) },
      { weight: 1, arbitrary: fc.record({ wait: fc.nat(600_000) }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let now = 0;
        const attempts = createAttempts(() => now, LIMITS);
        signIn(attempts, OWNER);
        for (const one of steps) {
          if ('wait' in one) now += one.wait;
          else if ('owner' in one) signIn(attempts, OWNER);
          else
            for (let n = 0; n < one.times; n += 1)
              tryOnce(attempts, { account: one.strange.account, address: address(one.strange.from + n) });
        }
        for (let n = 0; n < ATTEMPT_LIMITS.pair.burst; n += 1)
          expect(tryOnce(attempts, OWNER)).toBeUndefined();
      }),
    );
  });

  test('in any stretch of time one network gets no more guesses at an account than its allowance', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(120_000), { minLength: 1, maxLength: 200 }), (waits) => {
        let now = 0;
        let through = 0;
        const attempts = createAttempts(() => now, LIMITS);
        for (const wait of waits) {
          now += wait;
          if (tryOnce(attempts, OWNER) === undefined) through += 1;
        }
        const { burst, everyMs } = ATTEMPT_LIMITS.pair;
        expect(through).toBeLessThanOrEqual(burst + Math.floor(now / everyMs));
      }),
    );
  });

  test('who has waited as long as was asked is let through', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(30_000), { maxLength: 50 }), (waits) => {
        let now = 0;
        const attempts = createAttempts(() => now, LIMITS);
        for (const wait of waits) {
          now += wait;
          const seconds = tryOnce(attempts, OWNER);
          if (seconds === undefined) continue;
          now += seconds * 1_000;
          expect(tryOnce(attempts, OWNER)).toBeUndefined();
        }
      }),
    );
  });

  test('only so many buckets are remembered, and an account’s own networks are not pushed out by strangers', () => {
    const attempts = createAttempts(() => 0, { ...LIMITS, remembered: 10 });
    signIn(attempts, OWNER);
    for (let n = 0; n < 500; n += 1) tryOnce(attempts, { account: `stranger ${n}`, address: address(n) });
    for (let n = 0; n < 500; n += 1) tryOnce(attempts, { account: OWNER.account, address: address(n) });
    expect(tryOnce(attempts, { account: OWNER.account, address: '203.0.113.1' })).toBeGreaterThan(0);
    expect(tryOnce(attempts, OWNER)).toBeUndefined();
  });

  test('a clock that goes back gives nobody more and locks nobody out', () => {
    let now = 1_000_000;
    const attempts = createAttempts(() => now, LIMITS);
    for (let n = 0; n < ATTEMPT_LIMITS.pair.burst; n += 1) attempts.begin(OWNER);
    now = 0;
    expect(tryOnce(attempts, OWNER)).toBe(ATTEMPT_LIMITS.pair.everyMs / 1_000);
  });
});
