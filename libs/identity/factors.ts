import {
  accountNotFound,
  invariant,
  LodeError,
  randomSecret,
  type Clock,
  type Json,
  type Random,
} from '#kernel';
import type { PersonKeys } from './person-keys.js';
import { FORGOTTEN, type PersonalData } from './personal-data.js';
import type { IdentityStore, SecondFactorRow, SessionsEnd } from './port.js';

/** How often a change is made again because another one came between. */
const TRIES_MAX = 8;

export type FactorsParts = {
  readonly store: Pick<IdentityStore, 'secondFactorOf' | 'changeSecondFactor' | 'credentialOf'>;
  readonly personKeys: Pick<PersonKeys, 'encryptFor' | 'decryptFor'>;
  readonly clock: Clock;
  readonly random: Random;
  /** Told which sessions the store has ended. */
  readonly onEnded: (sessionIds: readonly string[]) => void;
};

/** As of when a secret was drawn that no code has confirmed. */
type Setup = {
  /** Milliseconds since the epoch. */
  readonly begunAt: number;
  /** That of the person's credential: a new password makes it another one. */
  readonly epoch: number;
};

/** An authenticator app. */
export type App = {
  readonly secret: Uint8Array;
  /** The step of the last code that was taken. */
  readonly lastStep: number;
  /** Until a first code has confirmed it. */
  readonly setup?: Setup;
};

/** What is kept of a passkey. */
export type KeptPasskey = {
  /** That of its credential; base64url. */
  readonly id: string;
  /** As COSE has it; base64url. */
  readonly publicKey: string;
  /** What its authenticator said that it has signed so far; 0 of one that doesn't count. */
  readonly counter: number;
  /** How a browser reaches it. */
  readonly transports: readonly string[];
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly addedAt: number;
  readonly usedAt?: number;
};

/** What somebody was asked to sign, and what for. */
export type PasskeyChallenge = {
  readonly hash: string;
  readonly purpose: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** As that of a set-up. */
  readonly epoch: number;
};

/** All that a person has as a second factor: it is encrypted as one text. */
export type Factors = {
  readonly app?: App;
  /** Hashes of the recovery codes that were not used. */
  readonly recovery: readonly string[];
  readonly passkeys: readonly KeptPasskey[];
  readonly challenges: readonly PasskeyChallenge[];
};

export const NO_FACTORS: Factors = { recovery: [], passkeys: [], challenges: [] };

/** A next state (nothing is kept of none), what sessions end by the same write, and what the caller is told of it. */
type Decision<T> = {
  readonly next: Factors | undefined;
  readonly ends?: SessionsEnd | undefined;
  readonly result: T;
};

/** The app that is in use, if any. */
export function appInUse({ app }: Factors): App | undefined {
  return app?.setup === undefined ? app : undefined;
}

/** Whether signing in asks for more than the password. */
export function areOn(factors: Factors): boolean {
  return appInUse(factors) !== undefined || factors.passkeys.length > 0;
}

/** What a person has. Refuses with `account_not_found` where the key is gone. */
export async function readFactors(
  { store, personKeys }: Pick<FactorsParts, 'store' | 'personKeys'>,
  userId: string,
): Promise<{ readonly row?: SecondFactorRow; readonly factors: Factors }> {
  const row = await store.secondFactorOf(userId);
  if (row === undefined) return { factors: NO_FACTORS };
  const data = await personKeys.decryptFor(userId, row.sealed);
  if (data === FORGOTTEN) throw accountNotFound();
  return { row, factors: factorsFrom(data) };
}

/** Decides on what is kept, and again when somebody changed it meanwhile: what both took is one's alone. */
export async function changeFactors<T>(
  parts: FactorsParts,
  userId: string,
  decide: (factors: Factors) => Decision<T>,
): Promise<T> {
  const { store, personKeys, random, onEnded } = parts;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const { row, factors } = await readFactors(parts, userId);
    const { next, ends, result } = decide(factors);
    if (next === undefined && row === undefined) return result;
    const nextRow = next && {
      isOn: areOn(next),
      sealed: await personKeys.encryptFor(userId, dataOf(next)),
      stamp: randomSecret(random),
    };
    const ended = await store.changeSecondFactor(userId, row?.stamp, nextRow, ends);
    if (ended === undefined) continue;
    onEnded(ended);
    return result;
  }
  throw busy();
}

/** Takes all of it away, whatever became of what it was; true when it was on. */
export async function dropFactors({ store }: Pick<FactorsParts, 'store'>, userId: string): Promise<boolean> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const row = await store.secondFactorOf(userId);
    if (row === undefined) return false;
    if ((await store.changeSecondFactor(userId, row.stamp, undefined)) !== undefined) return row.isOn;
  }
  throw busy();
}

/** What a new password counts on. Refuses with `account_not_found`. */
export async function epochOf({ store }: Pick<FactorsParts, 'store'>, userId: string): Promise<number> {
  const row = await store.credentialOf(userId);
  if (row === undefined) throw accountNotFound();
  return row.epoch;
}

function dataOf({ app, recovery, passkeys, challenges }: Factors): PersonalData {
  return {
    ...(app && { secret: Buffer.from(app.secret).toString('base64'), lastStep: app.lastStep, ...app.setup }),
    recovery,
    ...(passkeys.length > 0 && { passkeys }),
    ...(challenges.length > 0 && { challenges }),
  };
}

function factorsFrom(data: PersonalData): Factors {
  const { secret, lastStep, recovery, begunAt, epoch, passkeys = [], challenges = [] } = data;
  invariant(
    (typeof secret === 'string') === (typeof lastStep === 'number') &&
      [recovery, passkeys, challenges].every(Array.isArray),
    'a second factor has its members',
  );
  const setup = typeof begunAt === 'number' && typeof epoch === 'number' ? { setup: { begunAt, epoch } } : {};
  return {
    ...(typeof secret === 'string' &&
      typeof lastStep === 'number' && {
        app: { secret: Buffer.from(secret, 'base64'), lastStep, ...setup },
      }),
    recovery: listIn(recovery).map(String),
    // Nobody but this program writes what is encrypted here.
    passkeys: listIn(passkeys) as readonly KeptPasskey[],
    challenges: listIn(challenges) as readonly PasskeyChallenge[],
  };
}

function listIn(value: Json | undefined): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function busy(): LodeError {
  return new LodeError('overloaded', 'Too many changes of the second factor at once. Please try again.');
}
