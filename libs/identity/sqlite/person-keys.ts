import { createPersonKeysReader, orDamaged, type PersonKeysReader } from '#identity';
import { openForReading } from './database.js';
import { readPersonKey } from './keys.js';

/** Person keys for a thread beside the one that writes them. It never writes, and makes no file. */
export function openPersonKeys(options: { readonly file: string }): PersonKeysReader {
  const db = openForReading(options.file);
  return createPersonKeysReader({
    read: async (userIds) =>
      db.read(() => new Map(userIds.map((userId) => [userId, orDamaged(() => readPersonKey(db, userId))]))),
    close: async () => db.close(),
  });
}
