import { isDeepStrictEqual } from 'node:util';
import type { IdentityStore, KeptCredential, PersonRecord } from '#identity';
import { LodeError } from '#kernel';
import type { Database } from './database.js';
import { secondFactor } from './second-factors.js';
import { credential, integer, text, type Row } from './rows.js';

type Records = Pick<IdentityStore, 'people' | 'putPerson' | 'invitations'>;

/** The store's records, for a copy of it. */
export function recordsPart(db: Database): Records {
  const { sql, checksums, read, write } = db;
  return {
    people: async (after, limit) =>
      read(() =>
        sql(`SELECT user_id FROM credential WHERE user_id > ?1
             UNION SELECT user_id FROM person_key WHERE user_id > ?1
             UNION SELECT user_id FROM transfer_pin WHERE user_id > ?1
             UNION SELECT user_id FROM second_factor WHERE user_id > ?1
             ORDER BY user_id LIMIT ?2`)
          .all(after, limit)
          .map((row) => recordOf(db, text(row, 'user_id'))),
      ),

    putPerson: async (record) =>
      write(() => {
        const { userId } = record;
        const found = recordOf(db, userId);
        if (Object.keys(found).length > 1) return isDeepStrictEqual(found, record);
        insert(db, record);
        return true;
      }),

    invitations: async (after, limit) =>
      read(() =>
        sql('SELECT * FROM invitation_token WHERE invitation_id > ? ORDER BY invitation_id LIMIT ?')
          .all(after, limit)
          .map((row) => checksums.whole('invitation_token', row))
          .map((row) => ({
            invitationId: text(row, 'invitation_id'),
            hash: text(row, 'hash'),
            expiresAt: integer(row, 'expires_at'),
          })),
      ),
  };
}

function recordOf({ sql, one }: Database, userId: string): PersonRecord {
  const row = one('credential', 'user_id = ?', userId);
  const key = one('person_key', 'user_id = ?', userId);
  const pin = one('transfer_pin', 'user_id = ?', userId);
  const factor = one('second_factor', 'user_id = ?', userId);
  const lost = sql('SELECT 1 FROM lost_key WHERE user_id = ?').get(userId);
  return {
    userId,
    ...(row === undefined ? {} : { credential: keptOf(row) }),
    ...(key === undefined ? {} : { key: keyOf(key, lost !== undefined) }),
    ...(pin === undefined ? {} : { pin: { hash: text(pin, 'hash'), tries: integer(pin, 'tries') } }),
    ...(factor === undefined ? {} : { secondFactor: secondFactor(factor) }),
  };
}

function keptOf(row: Row): KeptCredential {
  if (text(row, 'state') !== 'erased') {
    const { userId: _, ...kept } = credential(row);
    return kept;
  }
  return {
    accountNumber: text(row, 'account_number'),
    role: text(row, 'role') === 'admin' ? 'admin' : 'user',
    reservedAt: integer(row, 'reserved_at'),
    owner: text(row, 'owner'),
    suspended: integer(row, 'suspended') === 1,
    epoch: integer(row, 'epoch'),
    state: 'erased',
  };
}

function keyOf(row: Row, isLost: boolean): NonNullable<PersonRecord['key']> {
  const key = row['key'];
  return key instanceof Uint8Array
    ? { kind: 'key', key: Uint8Array.from(key) }
    : { kind: 'destroyed', at: integer(row, 'destroyed_at'), ...(isLost ? { isLost } : {}) };
}

function insert({ sql }: Database, record: PersonRecord): void {
  const { userId, credential: kept, key, pin, secondFactor: factor } = record;
  if (kept !== undefined) {
    const email = kept.state === 'erased' ? null : kept.email;
    const passwordHash = kept.state === 'erased' ? null : kept.passwordHash;
    const { accountNumber, role, state, reservedAt, owner, suspended, epoch } = kept;
    const { changes } = sql(
      `INSERT INTO credential
         (user_id, email, account_number, password_hash, role, state, reserved_at, owner, suspended, epoch)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    ).run(
      userId,
      email,
      accountNumber,
      passwordHash,
      role,
      state,
      reservedAt,
      owner,
      Number(suspended),
      epoch,
    );
    if (changes !== 1)
      throw new LodeError('conflict', `Somebody else has the e-mail or account number of person ${userId}.`);
  }
  if (key?.kind === 'key') sql('INSERT INTO person_key (user_id, key) VALUES (?, ?)').run(userId, key.key);
  if (key?.kind === 'destroyed')
    sql(`INSERT INTO person_key (user_id, key, destroyed_at, destroyed)
         VALUES (?, NULL, ?, (SELECT coalesce(max(destroyed), 0) + 1 FROM person_key))`).run(userId, key.at);
  if (key?.kind === 'destroyed' && key.isLost === true)
    sql('INSERT INTO lost_key (user_id) VALUES (?)').run(userId);
  if (pin !== undefined)
    sql('INSERT INTO transfer_pin (user_id, hash, tries) VALUES (?, ?, ?)').run(userId, pin.hash, pin.tries);
  if (factor !== undefined)
    sql('INSERT INTO second_factor (user_id, is_on, sealed, stamp) VALUES (?, ?, ?, ?)').run(
      userId,
      Number(factor.isOn),
      factor.sealed,
      factor.stamp,
    );
}
