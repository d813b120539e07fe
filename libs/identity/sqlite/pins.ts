import type { IdentityStore } from '#identity';
import type { Database } from './database.js';
import { text, integer } from './rows.js';

type Part = Pick<IdentityStore, 'putPin' | 'takePinTry' | 'restorePinTries' | 'pinTriesOf'>;

/** The store's operations on transfer pins. */
export function pinsPart({ sql, one, read, write }: Database): Part {
  return {
    putPin: async (userId, hash) => {
      await write(() =>
        sql(`INSERT INTO transfer_pin (user_id, hash, tries) VALUES (?, ?, 0)
             ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, tries = 0`).run(userId, hash),
      );
    },

    takePinTry: async (userId, tries) =>
      write(() => {
        const taken = sql(`UPDATE transfer_pin SET tries = tries + 1 WHERE user_id = ? AND tries < ?
                           RETURNING hash, tries`).get(userId, tries);
        if (taken !== undefined)
          return { kind: 'taken', hash: text(taken, 'hash'), triesLeft: tries - integer(taken, 'tries') };
        const row = one('transfer_pin', 'user_id = ?', userId);
        return { kind: row === undefined ? 'missing' : 'locked' };
      }),

    restorePinTries: async (userId, hash) => {
      await write(() =>
        sql('UPDATE transfer_pin SET tries = 0 WHERE user_id = ? AND hash = ?').run(userId, hash),
      );
    },

    pinTriesOf: async (userId) =>
      read(() => {
        const row = one('transfer_pin', 'user_id = ?', userId);
        return row === undefined ? undefined : integer(row, 'tries');
      }),
  };
}
