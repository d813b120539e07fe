import { hash, parseOptions, verify } from '@node-rs/argon2';
import { createSemaphore, LodeError, randomSecret, type Random } from '#kernel';

/** argon2id with the memory (KiB), passes and lanes that OWASP's password storage guidance names first. */
export const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** How many hashes of a kind are made at once, and how many more may wait for it. */
type Share = { readonly atOnce: number; readonly waiting: number };

/**
 * Each kind has a share that no other takes from: whoever registers many people keeps nobody from signing in. A hash takes
 * 19 MiB and some 20 ms of a core while it is made, and nothing while it waits.
 */
export const HASH_SHARES = {
  /** New people; whoever comes last waits for less than a minute. */
  register: { atOnce: 1, waiting: 1_000 },
  signIn: { atOnce: 2, waiting: 126 },
  pin: { atOnce: 1, waiting: 127 },
} as const satisfies Readonly<Record<string, Share>>;

type Matches = (encoded: string | undefined, password: string) => Promise<boolean>;

export type Passwords = {
  /** Encoded hash with its parameters and a fresh salt. Refuses with `overloaded`. */
  readonly hash: (password: string) => Promise<string>;
  /** False without a hash to compare with, after the same time. Refuses with `overloaded`. */
  readonly matches: Matches;
  /** Begins `work`, which compares once, when its turn has come. Refuses with `overloaded` before it has begun. */
  readonly inTurn: <T>(work: (matches: Matches) => Promise<T>) => Promise<T>;
  /** What stands for a password in a digest: no easier to guess it from than from its hash. Refuses with `overloaded`. */
  readonly stretch: (password: string, salt: Uint8Array) => Promise<string>;
  /** True when the hash was made with other parameters than today's. */
  readonly isOutdated: (encoded: string) => boolean;
};

/** Hashing for each kind, within its share. */
export type Hashing = Readonly<Record<keyof typeof HASH_SHARES, Passwords>>;

/** What makes and compares hashes. */
export type Hasher = {
  readonly hash: (password: string, salt: Uint8Array) => Promise<string>;
  readonly verify: (encoded: string, password: string) => Promise<boolean>;
};

const argon2: Hasher = { hash: (password, salt) => hash(password, { ...ARGON2, salt }), verify };
const SALT_BYTES = 16;

/** Hashing and checking of passwords and pins, off the main thread. */
export async function createHashing(random: Random, hasher: Hasher = argon2): Promise<Hashing> {
  const encode = (password: string) => hasher.hash(canonical(password), random(SALT_BYTES));
  // An unknown e-mail takes as long as a known one.
  const nobody = await encode(randomSecret(random));
  const matches: Matches = async (encoded, password) => {
    const isRight = await hasher.verify(encoded ?? nobody, canonical(password));
    return encoded !== undefined && isRight;
  };
  const within = ({ atOnce: concurrency, waiting }: Share): Passwords => {
    const inTurn = createSemaphore({ concurrency, waiting, tooMany: overloaded });
    return {
      hash: (password) => inTurn(() => encode(password)),
      matches: (encoded, password) => inTurn(() => matches(encoded, password)),
      stretch: (password, salt) => inTurn(() => hasher.hash(canonical(password), salt)),
      inTurn: (work) => inTurn(() => work(matches)),
      isOutdated,
    };
  };
  return {
    register: within(HASH_SHARES.register),
    signIn: within(HASH_SHARES.signIn),
    pin: within(HASH_SHARES.pin),
  };
}

function isOutdated(encoded: string): boolean {
  const made = parseOptions(encoded);
  return (
    made.memoryCost !== ARGON2.memoryCost ||
    made.timeCost !== ARGON2.timeCost ||
    made.parallelism !== ARGON2.parallelism
  );
}

function overloaded(): LodeError {
  return new LodeError('overloaded', 'Too many people come in at this moment. Please try again.');
}

/**
 * What a hash of a password says, among its parameters, that somebody else gave its owner. The format has room for the name of a
 * key, which is no part of what is hashed: every version compares it as any other, and any new hash is without.
 */
const GIVEN = ',keyid=Zmlyc3Q';

/** The same hash, of a password that its owner has from somebody else. */
export function asGiven(encoded: string): string {
  return encoded.replace(/^\$argon2id\$v=\d+\$[^$]+/, `$&${GIVEN}`);
}

/** Whether the owner of a password has it from somebody else. */
export function isGiven(encoded: string): boolean {
  return encoded.includes(`${GIVEN}$`);
}

/** Whether two texts are the same password. */
export function isSamePassword(one: string, other: string): boolean {
  return canonical(one) === canonical(other);
}

/** One form for texts that look the same but are typed in different ways on different keyboards. */
function canonical(password: string): string {
  return password.normalize('NFC');
}
