import { hash, parseOptions, verify } from '@node-rs/argon2';
import { LodeError, randomSecret, type Random } from '#kernel';

/** argon2id with the memory (KiB), passes and lanes that OWASP's password storage guidance names first. */
export const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Hashes that may be under way or waiting at once; each takes 19 MiB and some 20 ms of a core while it runs. */
export const HASHES_AT_ONCE_MAX = 128;

export type Passwords = {
  /** Encoded hash with its parameters and a fresh salt. Refuses with `overloaded`. */
  readonly hash: (password: string) => Promise<string>;
  /** False without a hash to compare with, after the same time. Refuses with `overloaded`. */
  readonly matches: (encoded: string | undefined, password: string) => Promise<boolean>;
  /** True when the hash was made with other parameters than today's. */
  readonly isOutdated: (encoded: string) => boolean;
};

/** Hashing and checking of passwords, off the main thread. */
export async function createPasswords(random: Random): Promise<Passwords> {
  let underWay = 0;
  const bounded = async <T>(work: () => Promise<T>): Promise<T> => {
    if (underWay >= HASHES_AT_ONCE_MAX)
      throw new LodeError('overloaded', 'Too many people sign in at this moment. Please try again.');
    underWay += 1;
    try {
      return await work();
    } finally {
      underWay -= 1;
    }
  };
  const encode = (password: string) =>
    bounded(() => hash(canonical(password), { ...ARGON2, salt: random(16) }));
  // An unknown e-mail takes as long as a known one.
  const nobody = await encode(randomSecret(random));
  return {
    hash: encode,
    matches: async (encoded, password) => {
      const matches = await bounded(() => verify(encoded ?? nobody, canonical(password)));
      return encoded !== undefined && matches;
    },
    isOutdated: (encoded) => {
      const made = parseOptions(encoded);
      return (
        made.memoryCost !== ARGON2.memoryCost ||
        made.timeCost !== ARGON2.timeCost ||
        made.parallelism !== ARGON2.parallelism
      );
    },
  };
}

/** One form for texts that look the same but are typed in different ways on different keyboards. */
function canonical(password: string): string {
  return password.normalize('NFC');
}
