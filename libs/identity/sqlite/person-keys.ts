import { LRUCache } from 'lru-cache';
import { FORGOTTEN, decryptPersonalData, type PersonKeysReader } from '#identity';
import { openForReading } from './database.js';
import { readPersonKey } from './keys.js';
import { integer } from './rows.js';

/** Keys that one reader remembers. */
export const READER_KEYS_MAX = 50_000;

/**
 * Person keys for a thread that must not wait, such as a projection's. It never writes. A key that was destroyed is let
 * go of at the next `refresh`; a person who is new is seen at once.
 */
export function openPersonKeys(options: { readonly file: string }): PersonKeysReader {
  const db = openForReading(options.file);
  const known = new LRUCache<string, Uint8Array>({ max: READER_KEYS_MAX });
  const dataVersion = () => db.read(() => integer(db.sql('PRAGMA data_version').get() ?? {}, 'data_version'));
  const lastDestruction = () =>
    db.read(() =>
      integer(db.sql('SELECT coalesce(max(destroyed), 0) AS last FROM person_key').get() ?? {}, 'last'),
    );
  let seenVersion = dataVersion();
  let seenDestruction = lastDestruction();

  const keyOf = (userId: string): Uint8Array | undefined => {
    const hit = known.get(userId);
    if (hit !== undefined) return hit;
    const found = db.read(() => readPersonKey(db, userId));
    if (found.kind !== 'key') return undefined;
    known.set(userId, found.key);
    return found.key;
  };

  return {
    decrypt: (userId, text) => {
      const key = keyOf(userId);
      return key === undefined ? FORGOTTEN : decryptPersonalData(key, userId, text);
    },
    refresh: () => {
      const version = dataVersion();
      if (version === seenVersion) return;
      seenVersion = version;
      // Most changes are sign-ins; only a destruction makes a remembered key wrong.
      const destruction = lastDestruction();
      if (destruction !== seenDestruction) known.clear();
      seenDestruction = destruction;
    },
    close: () => {
      known.clear();
      db.close();
    },
  };
}
