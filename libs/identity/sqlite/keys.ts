import type { IdentityStore, PersonKey } from '#identity';
import type { Database } from './database.js';

/** A person's key as the file has it now. */
export function readPersonKey({ one }: Pick<Database, 'one'>, userId: string): PersonKey {
  const row = one('person_key', 'user_id = ?', userId);
  if (row === undefined) return { kind: 'unknown' };
  const key = row['key'];
  return key instanceof Uint8Array ? { kind: 'key', key } : { kind: 'destroyed' };
}

/** The store's operations on person keys. */
export function keysPart(
  db: Database,
): Pick<IdentityStore, 'personKey' | 'createPersonKey' | 'destroyPersonKey' | 'giveUpPersonKeys'> {
  const { sql, read, write, noteErased, scrub } = db;
  return {
    personKey: async (userId) => read(() => readPersonKey(db, userId)),
    createPersonKey: async (id, key) =>
      write(
        () =>
          sql('INSERT INTO person_key (user_id, key) VALUES (?, ?) ON CONFLICT DO NOTHING').run(id, key)
            .changes === 1,
      ),
    destroyPersonKey: async (userId, at) => {
      const destroyed = await write(() => {
        const { changes } = sql(`UPDATE person_key SET key = NULL, destroyed_at = ?,
                                   destroyed = (SELECT coalesce(max(destroyed), 0) + 1 FROM person_key)
                                 WHERE user_id = ? AND key IS NOT NULL`).run(at, userId);
        if (changes === 1) noteErased();
        return changes === 1;
      });
      // Also when there was none: an earlier try may have stopped right here.
      await scrub();
      return destroyed;
    },
    giveUpPersonKeys: async (userIds, at) =>
      write(() => {
        let marked = 0;
        for (const userId of userIds) {
          const { changes } = sql(`INSERT INTO person_key (user_id, key, destroyed_at, destroyed)
                 VALUES (?, NULL, ?, (SELECT coalesce(max(destroyed), 0) + 1 FROM person_key))
                 ON CONFLICT (user_id) DO NOTHING`).run(userId, at);
          if (changes === 1) sql('INSERT INTO lost_key (user_id) VALUES (?)').run(userId);
          marked += Number(changes);
        }
        return marked;
      }),
  };
}
