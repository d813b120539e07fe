import { storeLimits, type IdentityStore } from '#identity';
import type { Database } from './database.js';
import { text } from './rows.js';

/** The store's operations on the networks of people. */
export function networksPart({
  sql,
  read,
  touch,
}: Database): Pick<IdentityStore, 'networksOf' | 'putNetwork'> {
  return {
    networksOf: async (userId) =>
      read(() =>
        sql('SELECT digest FROM own_network WHERE user_id = ? ORDER BY nth DESC')
          .all(userId)
          .map((row) => text(row, 'digest')),
      ),

    putNetwork: async (userId, digest) => {
      await touch(() => {
        const { changes } = sql(`INSERT INTO own_network (user_id, digest, nth)
             SELECT ?1, ?2, (SELECT coalesce(max(nth), 0) + 1 FROM own_network WHERE user_id = ?1)
             FROM credential WHERE user_id = ?1 AND state <> 'erased'
             ON CONFLICT (user_id, digest) DO UPDATE SET nth = excluded.nth`).run(userId, digest);
        if (changes === 0) return;
        sql(`DELETE FROM own_network WHERE user_id = ?1 AND digest NOT IN
               (SELECT digest FROM own_network WHERE user_id = ?1 ORDER BY nth DESC LIMIT ?2)`).run(
          userId,
          storeLimits.networksPerPerson,
        );
      });
    },
  };
}
