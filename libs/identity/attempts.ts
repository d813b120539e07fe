import { LodeError, type Clock } from '#kernel';
import { networkOf } from './addresses.js';
import { createBuckets, createMemory, type Buckets } from './buckets.js';
import { storeLimits, type Allowance } from './port.js';

export type AttemptLimits = {
  /** One network's failures at one account: somebody guesses a password. */
  readonly pair: Allowance;
  /** One network's failures at any account: somebody tries a list of stolen passwords. */
  readonly address: Allowance;
  /** Failures at one account from networks that never got in there: many machines guess together. */
  readonly account: Allowance;
  /** Buckets of each kind that are remembered; the one used longest ago is forgotten first. */
  readonly remembered: number;
};

export const ATTEMPT_LIMITS: AttemptLimits = {
  pair: { burst: 5, everyMs: 60_000 },
  address: { burst: 30, everyMs: 10_000 },
  account: { burst: 50, everyMs: 120_000 },
  remembered: 100_000,
};

/** Those of a second factor's codes: whoever tries one has shown the password, and three of a million are good at a time. */
export const CODE_ATTEMPT_LIMITS: AttemptLimits = {
  ...ATTEMPT_LIMITS,
  pair: { burst: 5, everyMs: 15 * 60_000 },
  account: { burst: 20, everyMs: 60 * 60_000 },
};

/** Who tries: an account by any one name for it (a folded e-mail, a user id), from an address. */
export type Attempt = { readonly account: string; readonly address: string };

export type Attempts = {
  /** Whether the attempt comes from one of the account's own networks, as far as is remembered. */
  readonly isOwn: (attempt: Attempt) => boolean;
  /** Whether others have tried so much that an attempt is refused, unless it comes from one of the account's own networks. */
  readonly isBesieged: (attempt: Attempt) => boolean;
  /** Takes the attempt's network for one of the account's own, as was known before the process began. */
  readonly knowOwn: (attempt: Attempt) => void;
  /**
   * Counts an attempt before it is made, as if it failed, so that many at once can't slip through. Refuses with
   * `too_many_attempts`, whose details have `retryAfterSeconds`; a refused attempt counts for nothing.
   */
  readonly begin: (attempt: Attempt) => void;
  /** Takes the count back: it was the owner. From now on strangers can't keep this network out of the account. */
  readonly succeeded: (attempt: Attempt) => void;
  /** Takes the count back: nobody looked at what was tried, for want of room. */
  readonly notLookedAt: (attempt: Attempt) => void;
};

/**
 * Limits guessing without letting a stranger lock a customer out: what others do from elsewhere never counts against a
 * network that the customer has signed in from. It forgets when the process ends; what is known of networks from before is
 * for `knowOwn`.
 */
export function createAttempts(clock: Clock, limits: AttemptLimits = ATTEMPT_LIMITS): Attempts {
  const pairs = createBuckets(clock, limits.pair, limits.remembered);
  const addresses = createBuckets(clock, limits.address, limits.remembered);
  const accounts = createBuckets(clock, limits.account, limits.remembered);
  const own = createMemory<readonly string[]>(limits.remembered);

  const namesOf = ({ account, address }: Attempt) => {
    const network = networkOf(address);
    const isOwn = own.get(account)?.includes(network) === true;
    return { network, pairKey: `${network} ${account}`, isOwn };
  };

  const know = ({ account, address }: Attempt) => {
    const network = networkOf(address);
    const others = (own.get(account) ?? []).filter((known) => known !== network);
    own.set(account, [network, ...others].slice(0, storeLimits.networksPerPerson));
  };

  return {
    isOwn: (attempt) => namesOf(attempt).isOwn,
    isBesieged: (attempt) => !namesOf(attempt).isOwn && accounts.waitMs(attempt.account) > 0,
    knowOwn: know,
    begin: (attempt) => {
      const { network, pairKey, isOwn } = namesOf(attempt);
      const waitMs = Math.max(
        pairs.waitMs(pairKey),
        addresses.waitMs(network),
        isOwn ? 0 : accounts.waitMs(attempt.account),
      );
      if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1_000));
      pairs.add(pairKey, -1);
      addresses.add(network, -1);
      if (!isOwn) accounts.add(attempt.account, -1);
    },
    notLookedAt: (attempt) => {
      const { network, pairKey, isOwn } = namesOf(attempt);
      pairs.add(pairKey, 1);
      addresses.add(network, 1);
      if (!isOwn) accounts.add(attempt.account, 1);
    },
    succeeded: (attempt) => {
      const { network, pairKey, isOwn } = namesOf(attempt);
      pairs.fill(pairKey);
      addresses.add(network, 1);
      if (!isOwn) accounts.add(attempt.account, 1);
      know(attempt);
    },
  };
}

/** `Attempts`, of which those at one account count together in all programs. */
export type GuardedAttempts = {
  /**
   * As `Attempts.begin`. When only others have tried too much, `isFromOwn` is asked whether the attempt's network is one of
   * the account's own, as is known from before: then it is let through.
   */
  readonly begin: (attempt: Attempt, isFromOwn: () => Promise<boolean>) => Promise<void>;
  readonly succeeded: (attempt: Attempt) => Promise<void>;
  readonly notLookedAt: (attempt: Attempt) => Promise<void>;
};

/** Attempts that this program limits by itself, by network, and by account together with others where there are any. */
export function guardAttempts(local: Attempts, together: Buckets | undefined): GuardedAttempts {
  return {
    begin: async (attempt, isFromOwn) => {
      if (local.isBesieged(attempt) && (await isFromOwn())) local.knowOwn(attempt);
      local.begin(attempt);
      if (local.isOwn(attempt)) return;
      try {
        const waitMs = (await together?.take(attempt.account)) ?? 0;
        if (waitMs === 0) return;
        if (!(await isFromOwn())) throw tooMany(Math.ceil(waitMs / 1_000));
      } catch (error) {
        local.notLookedAt(attempt);
        throw error;
      }
      // It counts against nobody but its own network from here on.
      local.notLookedAt(attempt);
      local.knowOwn(attempt);
      local.begin(attempt);
    },
    succeeded: async (attempt) => {
      const isCounted = !local.isOwn(attempt);
      local.succeeded(attempt);
      if (isCounted) await together?.giveBack(attempt.account);
    },
    notLookedAt: async (attempt) => {
      const isCounted = !local.isOwn(attempt);
      local.notLookedAt(attempt);
      if (isCounted) await together?.giveBack(attempt.account);
    },
  };
}

function tooMany(retryAfterSeconds: number): LodeError {
  return new LodeError(
    'too_many_attempts',
    `Too many attempts. Please try again in ${retryAfterSeconds} s.`,
    {
      retryAfterSeconds,
    },
  );
}
