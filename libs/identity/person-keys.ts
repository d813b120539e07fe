import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  accountNotFound,
  invariant,
  isLodeError,
  LodeError,
  systemRandom,
  type Clock,
  type Random,
} from '#kernel';
import {
  FORGOTTEN,
  encryptPersonalData,
  decryptPersonalData,
  type Forgotten,
  type PersonalData,
} from './personal-data.js';
import { damagedRowIn } from './damage.js';
import { createSealing, type KeyRing, type Sealing } from './key-ring.js';
import type { IdentityStore, PersonKey } from './port.js';

/** Keys that this process remembers, and for how long (milliseconds): another process may destroy one. */
export const KEY_CACHE_MAX = 50_000;
export const KEY_CACHE_MS = 10_000;

export type PersonKeys = {
  /** Makes a key for what is not a registered person, such as a message; one that is or was there stays as it is. */
  readonly createKey: (id: string) => Promise<void>;
  /** Encrypts with the person's key. Refuses with `account_not_found` when there is no key (any more). */
  readonly encryptFor: (userId: string, data: PersonalData) => Promise<string>;
  /**
   * What was encrypted, or `forgotten` when the key is gone. Throws `storage_failed` for a text that was changed, and when
   * the store doesn't know the key of an account that is open: an older store would make everybody look forgotten.
   */
  readonly decryptFor: (userId: string, text: string) => Promise<PersonalData | Forgotten>;
  /**
   * A digest that nobody can compute without the key, so that it says nothing about `text` once that is destroyed.
   * Refuses with `account_not_found` when there is no key (any more).
   */
  readonly digestFor: (userId: string, text: string) => Promise<string>;
  /** Erases what was ever encrypted for the person, wherever it is kept. For ever; may be repeated. */
  readonly destroyKey: (userId: string) => Promise<void>;
  /** Lets what was encrypted for these people read `forgotten` where the store doesn't know their key. For ever. */
  readonly giveUpKeys: (userIds: readonly string[]) => Promise<void>;
};

/**
 * The same for one who opens page after page of the log, beside whoever writes the store. Each has a reader of their own: it
 * has the keys of one page.
 */
export type PersonKeysReader = {
  /** Asks for the keys of these people as they are now, and lets go of all others. Throws when the store can't be asked. */
  readonly load: (userIds: readonly string[]) => Promise<void>;
  /**
   * What was encrypted for one of the people who were loaded last, or `forgotten` when the key was destroyed. Throws
   * `storage_failed` for a text that was changed, for a key that is damaged, and for one that the store doesn't know.
   */
  readonly decrypt: (userId: string, text: string) => PersonalData | Forgotten;
  readonly close: () => Promise<void>;
};

/** A key that is not what was written: the refusal, for this one alone of a page. */
type Refused = { readonly kind: 'refused'; readonly refusal: LodeError };

/** The key that is read; of one that is damaged, its refusal. */
export function orDamaged(read: () => PersonKey): PersonKey | Refused {
  try {
    return read();
  } catch (error) {
    if (isLodeError(error) && damagedRowIn(error) !== undefined) return { kind: 'refused', refusal: error };
    throw error;
  }
}

/** Where a reader has its keys from. */
export type PersonKeysSource = {
  /** The keys that there are or were, as they are stored, in one read of the store. */
  readonly read: (userIds: readonly string[]) => Promise<ReadonlyMap<string, PersonKey | Refused>>;
  readonly close: () => Promise<void>;
  /** What they may be sealed with. */
  readonly ring: KeyRing;
};

/** AES-256 and HMAC-SHA-256 take as much. */
const KEY_BYTES = 32;

export type PersonKeysParts = {
  readonly store: IdentityStore;
  /** Whether the person's account exists in the log. */
  readonly isOpen: (userId: string) => Promise<boolean>;
  readonly sealing: Pick<Sealing, 'sealKey' | 'openKey'>;
  readonly clock: Clock;
  readonly random: Random;
};

/** The keys that personal data in the log is encrypted with, one a person. */
export function createPersonKeys({ store, isOpen, sealing, clock, random }: PersonKeysParts): PersonKeys {
  const known = new LRUCache<string, { readonly key: Uint8Array; readonly until: number }>({
    maxSize: KEY_CACHE_MAX,
    sizeCalculation: () => 1,
  });
  let destructions = 0;

  const keyOf = async (userId: string): Promise<PersonKey> => {
    const hit = known.get(userId);
    if (hit !== undefined && clock() < hit.until) return { kind: 'key', key: hit.key };
    const before = destructions;
    const stored = await store.personKey(userId);
    if (stored.kind !== 'key') return stored;
    const key = sealing.openKey(userId, stored.key);
    // A key that was destroyed while it was being read must not be remembered.
    if (destructions === before) known.set(userId, { key, until: clock() + KEY_CACHE_MS });
    return { kind: 'key', key };
  };

  const keyFor = async (userId: string): Promise<Uint8Array> => {
    const found = await keyOf(userId);
    if (found.kind !== 'key') throw accountNotFound();
    return found.key;
  };

  // Deriving one takes longer than the digest, and so does handing it over as bytes.
  const digestKeys = new WeakMap<Uint8Array, KeyObject>();
  const digestKeyFor = (userId: string, key: Uint8Array): KeyObject => {
    const made =
      digestKeys.get(key) ??
      createSecretKey(Buffer.from(hkdfSync('sha256', key, userId, 'digest', KEY_BYTES)));
    digestKeys.set(key, made);
    return made;
  };

  return {
    createKey: async (id) => {
      await store.createPersonKey(id, sealing.sealKey(id, random(KEY_BYTES)));
    },
    encryptFor: async (userId, data) => encryptPersonalData(await keyFor(userId), userId, data, random),
    digestFor: async (userId, text) => {
      const key = digestKeyFor(userId, await keyFor(userId));
      return createHmac('sha256', key).update(text).digest('hex');
    },
    decryptFor: async (userId, text) => {
      const found = await keyOf(userId);
      if (found.kind === 'key') return decryptPersonalData(found.key, userId, text);
      if (found.kind === 'unknown' && (await isOpen(userId))) throw missing(userId);
      return FORGOTTEN;
    },
    destroyKey: async (userId) => {
      const forget = () => {
        destructions += 1;
        known.delete(userId);
      };
      // To overwrite it takes a while, in which it is gone already.
      forget();
      try {
        await store.destroyPersonKey(userId, clock());
      } finally {
        // Also when it is not yet overwritten.
        forget();
      }
    },
    giveUpKeys: async (userIds) => {
      await store.giveUpPersonKeys(userIds, clock());
    },
  };
}

/** Keeps keys from one `load` to the next and no longer, so that one that is destroyed is out of use with the page. */
export function createPersonKeysReader({ read, close, ring }: PersonKeysSource): PersonKeysReader {
  const { openKey } = createSealing(ring, systemRandom);
  let asked: ReadonlySet<string> = new Set();
  let found: ReadonlyMap<string, PersonKey | Refused> = new Map();
  return {
    load: async (userIds) => {
      asked = new Set();
      found = userIds.length === 0 ? new Map() : await read(userIds);
      asked = new Set(userIds);
    },
    decrypt: (userId, text) => {
      invariant(asked.has(userId), 'a key is loaded before it is used');
      const known = found.get(userId) ?? { kind: 'unknown' };
      if (known.kind === 'refused') throw known.refusal;
      // Nothing is encrypted for people whom the log doesn't have.
      if (known.kind === 'unknown') throw missing(userId);
      return known.kind === 'key' ? decryptPersonalData(openKey(userId, known.key), userId, text) : FORGOTTEN;
    },
    close: async () => {
      [asked, found] = [new Set(), new Map()];
      await close();
    },
  };
}

function missing(userId: string): LodeError {
  const message = `The key of person ${userId} is missing, and was never destroyed: the store may have been restored from too old a backup. See docs/how-to/restore.md.`;
  return new LodeError('storage_failed', message);
}
