import type { IdentityStore, KeptRequest } from '#identity';
import { invariant } from '#kernel';
import type { Database } from './database.js';
import { integer, text, type Row } from './rows.js';

type Part = Pick<
  IdentityStore,
  'secret' | 'keptRequest' | 'beginRequest' | 'answerRequest' | 'forgetRequest'
>;

/** The store's operations on requests that are kept for the case that they are repeated. */
export function requestsPart({ sql, read, write }: Database): Part {
  const find = (id: string, now: number): KeptRequest | undefined => {
    const row = sql('SELECT * FROM kept_request WHERE id = ? AND expires_at > ?').get(id, now);
    return row && keptRequest(row);
  };
  return {
    secret: async (name, drawn) =>
      write(() => {
        sql('INSERT INTO own_key (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING').run(name, drawn);
        const value = sql('SELECT value FROM own_key WHERE name = ?').get(name)?.['value'];
        invariant(value instanceof Uint8Array, 'a secret is bytes');
        return Uint8Array.from(value);
      }),

    keptRequest: async (id, now) => read(() => find(id, now)),

    beginRequest: async (id, { fingerprint, seed, begunAt, expiresAt }) =>
      write(() => {
        const found = find(id, begunAt);
        if (found !== undefined) return found;
        sql(`INSERT OR REPLACE INTO kept_request (id, fingerprint, seed, begun_at, expires_at)
             VALUES (?, ?, ?, ?, ?)`).run(id, fingerprint, seed, begunAt, expiresAt);
        return undefined;
      }),

    answerRequest: async (id, seed, { about, answer }) => {
      await write(() =>
        sql('UPDATE kept_request SET about = ?, answer = ? WHERE id = ? AND seed = ?').run(
          about,
          answer,
          id,
          seed,
        ),
      );
    },

    forgetRequest: async (id, seed) => {
      await write(() =>
        sql('DELETE FROM kept_request WHERE id = ? AND seed = ? AND answer IS NULL').run(id, seed),
      );
    },
  };
}

function keptRequest(row: Row): KeptRequest {
  return {
    fingerprint: text(row, 'fingerprint'),
    seed: text(row, 'seed'),
    begunAt: integer(row, 'begun_at'),
    expiresAt: integer(row, 'expires_at'),
    ...(row['answer'] === null ? {} : { answer: text(row, 'answer') }),
  };
}
