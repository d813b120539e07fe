import { createPersonKeysReader, orDamaged, type KeyRing, type PersonKeysReader } from '#identity';
import { openForReading } from './database.js';
import { readPersonKey } from './keys.js';

/** Person keys for a thread beside the one that writes them, opened with `keys`. It never writes, and makes no file. */
export function openPersonKeys(options: {
  readonly file: string;
  readonly keys?: KeyRing;
}): PersonKeysReader {
  const { file, keys: ring = [] } = options;
  const db = openForReading(file);
  return createPersonKeysReader({
    read: async (userIds) =>
      db.read(() => new Map(userIds.map((userId) => [userId, orDamaged(() => readPersonKey(db, userId))]))),
    close: async () => db.close(),
    ring,
  });
}
