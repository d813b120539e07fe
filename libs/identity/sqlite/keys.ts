import type { IdentityStore, PersonKey } from '#identity';
import { LodeError } from '#kernel';
import type { Database } from './database.js';
import { whole } from './rows.js';

/** A person's key as the file has it now. */
export function readPersonKey({ sql }: Pick<Database, 'sql'>, userId: string): PersonKey {
  const row = sql('SELECT key FROM person_key WHERE user_id = ?').get(userId);
  if (row === undefined) return { kind: 'unknown' };
  const key = row['key'];
  return key instanceof Uint8Array ? { kind: 'key', key } : { kind: 'destroyed' };
}

/** The store's operations on person keys. */
export function keysPart(db: Database): Pick<IdentityStore, 'personKey' | 'destroyPersonKey'> {
  const { sql, read, write } = db;
  return {
    personKey: async (userId) => read(() => readPersonKey(db, userId)),
    destroyPersonKey: async (userId, at) => {
      const destroyed = write(
        () =>
          sql(`UPDATE person_key SET key = NULL, destroyed_at = ?,
                 destroyed = (SELECT coalesce(max(destroyed), 0) + 1 FROM person_key)
               WHERE user_id = ? AND key IS NOT NULL`).run(at, userId).changes === 1,
      );
      // The write-ahead log still has the page as it was: move everything into the file, where the key is overwritten,
      // and cut the log off. Also when there was nothing to destroy: an earlier try may have stopped right here.
      const busy = read(() => whole(sql('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {}, 'busy'));
      if (busy !== 0)
        throw new LodeError('unavailable', 'The key is destroyed but not yet overwritten. Please repeat.');
      return destroyed;
    },
  };
}
