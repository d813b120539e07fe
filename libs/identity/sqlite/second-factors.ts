import type { IdentityStore, SecondFactorRow } from '#identity';
import type { Database } from './database.js';
import { integer, text, type Row } from './rows.js';
import { endSessions } from './sessions.js';

type Part = Pick<IdentityStore, 'secondFactorOf' | 'changeSecondFactor'>;

/** The store's operations on second factors. */
export function secondFactorsPart(db: Database): Part {
  const { sql, one, read, write } = db;
  return {
    secondFactorOf: async (userId) =>
      read(() => {
        const row = one('second_factor', 'user_id = ?', userId);
        return row && secondFactor(row);
      }),

    changeSecondFactor: async (userId, expectedStamp, next, ends) =>
      write(() => {
        const { changes } =
          next === undefined
            ? sql('DELETE FROM second_factor WHERE user_id = ? AND stamp = ?').run(
                userId,
                expectedStamp ?? null,
              )
            : expectedStamp === undefined
              ? sql(`INSERT INTO second_factor (user_id, is_on, sealed, stamp)
                     SELECT ?1, ?2, ?3, ?4 FROM credential WHERE user_id = ?1 AND state <> 'erased'
                     ON CONFLICT DO NOTHING`).run(userId, Number(next.isOn), next.sealed, next.stamp)
              : sql(`UPDATE second_factor SET is_on = ?, sealed = ?, stamp = ?
                     WHERE user_id = ? AND stamp = ?`).run(
                  Number(next.isOn),
                  next.sealed,
                  next.stamp,
                  userId,
                  expectedStamp,
                );
        if (changes !== 1) return undefined;
        return ends === undefined ? [] : endSessions(db, userId, ends.except);
      }),
  };
}

export function secondFactor(row: Row): SecondFactorRow {
  return {
    isOn: integer(row, 'is_on') === 1,
    sealed: text(row, 'sealed'),
    stamp: text(row, 'stamp'),
  };
}
