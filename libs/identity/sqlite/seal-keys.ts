import { damagedRowIn, type DamagedRow, type IdentityStore, type SealKey, type Secrets } from '#identity';
import { hasTableNamed, type Database } from './database.js';
import { text, type Row } from './rows.js';

type Part = Pick<IdentityStore, 'sealKeys' | 'putSealKey' | 'keepSealKeys' | 'renewSecrets'>;

/** The keys that secrets of the file may be sealed with; none in one of before there were any. */
export function readSealKeys({ sql, read }: Pick<Database, 'sql' | 'read'>): readonly SealKey[] {
  return read(() => {
    if (!hasTableNamed({ sql }, 'seal_key')) return [];
    return sql('SELECT key_id, proof FROM seal_key ORDER BY key_id')
      .all()
      .map((row) => ({ id: text(row, 'key_id'), proof: text(row, 'proof') }));
  });
}

/** The store's operations on keys outside it, and on what is sealed with them. */
export function sealKeysPart(db: Database): Part {
  const { sql, write, noteErased, scrub } = db;
  return {
    sealKeys: async () => readSealKeys(db),
    putSealKey: async ({ id, proof }) => {
      await write(() => sql('INSERT OR IGNORE INTO seal_key (key_id, proof) VALUES (?, ?)').run(id, proof));
    },
    keepSealKeys: async (ids) => {
      await write(() => {
        sql('DELETE FROM seal_key WHERE key_id NOT IN (SELECT value FROM json_each(?))').run(
          JSON.stringify(ids),
        );
        noteErased();
      });
      await scrub();
    },
    renewSecrets: async (after, limit, renew) =>
      write(() => {
        const rows = sql(SECRETS).all(after, limit);
        const damaged: DamagedRow[] = [];
        let changed = 0;
        for (const row of rows) {
          const userId = text(row, 'user_id');
          const found = damagedOf(db, userId);
          if (found !== undefined) damaged.push(found);
          else if (put(db, userId, renew(userId, secretsOf(row)))) changed += 1;
        }
        const last = rows.at(-1);
        return {
          seen: rows.length,
          changed,
          damaged,
          ...(last === undefined || rows.length < limit ? {} : { last: text(last, 'user_id') }),
        };
      }),
  };
}

const SECRETS = `
  SELECT ids.user_id, person_key.key, credential.password_hash, transfer_pin.hash FROM (
    SELECT user_id FROM credential WHERE user_id > ?1
    UNION SELECT user_id FROM person_key WHERE user_id > ?1
    UNION SELECT user_id FROM transfer_pin WHERE user_id > ?1
    ORDER BY user_id LIMIT ?2
  ) AS ids
  LEFT JOIN person_key USING (user_id)
  LEFT JOIN credential USING (user_id)
  LEFT JOIN transfer_pin USING (user_id)
  ORDER BY ids.user_id`;

/** The tables that have secrets, each with a row of an id at most. */
const HOLDERS = ['credential', 'person_key', 'transfer_pin'] as const;

/** What of an id is not what was written: a change of it would be refused. */
function damagedOf({ sql, checksums }: Database, userId: string): DamagedRow | undefined {
  for (const table of HOLDERS) {
    // Not the text that `one` has: of this statement numbers are read however large damage made them.
    const statement = sql(`SELECT * FROM ${table} WHERE user_id = ? LIMIT 1`);
    statement.setReadBigInts(true);
    const row = statement.get(userId);
    const damaged = row && damagedRowIn(checksums.refusalOf(table, row));
    if (damaged !== undefined) return damaged;
  }
  return undefined;
}

function secretsOf({ key, password_hash: passwordHash, hash }: Row): Secrets {
  return {
    ...(key instanceof Uint8Array ? { key } : {}),
    ...(typeof passwordHash === 'string' ? { passwordHash } : {}),
    ...(typeof hash === 'string' ? { pinHash: hash } : {}),
  };
}

function put({ sql }: Database, userId: string, { key, passwordHash, pinHash }: Secrets): boolean {
  if (key !== undefined) sql('UPDATE person_key SET key = ? WHERE user_id = ?').run(key, userId);
  if (passwordHash !== undefined)
    sql('UPDATE credential SET password_hash = ? WHERE user_id = ?').run(passwordHash, userId);
  if (pinHash !== undefined) sql('UPDATE transfer_pin SET hash = ? WHERE user_id = ?').run(pinHash, userId);
  return key !== undefined || passwordHash !== undefined || pinHash !== undefined;
}
