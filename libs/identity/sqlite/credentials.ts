import type { SQLInputValue } from 'node:sqlite';
import { storeLimits, type IdentityStore, type Reservation } from '#identity';
import type { Database } from './database.js';
import { credential, text } from './rows.js';
import { endSessions, liveSessions, SUSPENDED } from './sessions.js';

type Part = Pick<
  IdentityStore,
  | 'reserve'
  | 'credentialByEmail'
  | 'credentialOf'
  | 'takeOver'
  | 'activate'
  | 'release'
  | 'setPassword'
  | 'changePassword'
  | 'changeEmail'
  | 'suspend'
  | 'reinstate'
  | 'eraseCredential'
  | 'staleReservations'
  | 'admins'
>;

type Reservations = Pick<Part, 'reserve' | 'takeOver' | 'activate' | 'release' | 'staleReservations'>;
type Reads = Pick<Part, 'credentialByEmail' | 'credentialOf' | 'admins'>;

/** The store's operations on credentials. */
export function credentialsPart(db: Database): Part {
  return { ...reads(db), ...reservations(db), ...changes(db) };
}

function reads({ sql, one, read }: Database): Reads {
  return {
    credentialByEmail: async (email) =>
      read(() => {
        const row = one('credential', 'email = ?', email);
        return row === undefined ? undefined : credential(row);
      }),

    credentialOf: async (userId) =>
      read(() => {
        const row = one('credential', 'user_id = ?', userId);
        return row === undefined || text(row, 'state') === 'erased' ? undefined : credential(row);
      }),

    admins: async (after, limit) =>
      read(() =>
        sql(
          `SELECT user_id FROM credential WHERE role = 'admin' AND state = 'active' AND user_id > ?
           ORDER BY user_id LIMIT ?`,
        )
          .all(after, limit)
          .map((row) => text(row, 'user_id')),
      ),
  };
}

/** Credentials that nobody can sign in with yet. */
function reservations(db: Database): Reservations {
  const { sql, checksums, read, write } = db;
  return {
    reserve: async (row) => write(() => reserve(db, row)),

    takeOver: async (userId, expectedReservedAt, { passwordHash, role, reservedAt, owner }) =>
      changedOne(
        db,
        `UPDATE credential SET password_hash = ?, role = ?, reserved_at = ?, owner = ?
         WHERE user_id = ? AND state = 'reserved' AND reserved_at = ?`,
        passwordHash,
        role,
        reservedAt,
        owner,
        userId,
        expectedReservedAt,
      ),

    activate: async (userId, reservedAt) =>
      changedOne(
        db,
        `UPDATE credential SET state = 'active' WHERE user_id = ? AND reserved_at = ? AND state <> 'erased'`,
        userId,
        reservedAt,
      ),

    release: async (userId, expectedReservedAt) =>
      write(() => {
        const { changes } = sql(
          `DELETE FROM credential WHERE user_id = ? AND state = 'reserved' AND reserved_at = ?`,
        ).run(userId, expectedReservedAt);
        if (changes === 1) sql('DELETE FROM person_key WHERE user_id = ?').run(userId);
        return changes === 1;
      }),

    staleReservations: async (before, owner) =>
      read(() =>
        sql(`SELECT * FROM credential WHERE state = 'reserved' AND reserved_at <= ?1 AND owner = coalesce(?2, owner)
             ORDER BY reserved_at LIMIT ?3`)
          .all(before, owner ?? null, storeLimits.batch)
          // A damaged one stays, and the others don't wait for it.
          .filter((row) => checksums.refusalOf('credential', row) === undefined)
          .map(credential),
      ),
  };
}

function changes(db: Database): Omit<Part, keyof Reservations | keyof Reads> {
  const { sql, write, noteErased, scrub } = db;
  return {
    setPassword: async (userId, expectedHash, passwordHash) =>
      changedOne(
        db,
        'UPDATE credential SET password_hash = ? WHERE user_id = ? AND password_hash = ?',
        passwordHash,
        userId,
        expectedHash,
      ),

    changePassword: async (userId, expectedHash, passwordHash, except) =>
      write(() => {
        const { changes } = sql(
          `UPDATE credential SET password_hash = ?, epoch = epoch + 1 WHERE user_id = ? AND password_hash = ?`,
        ).run(passwordHash, userId, expectedHash);
        return changes === 1 ? endSessions(db, userId, except) : undefined;
      }),

    changeEmail: async (userId, expected, email, except) =>
      write(() => {
        const isAsRead = sql(
          `SELECT 1 FROM credential WHERE user_id = ? AND state = 'active' AND email = ? AND epoch = ?`,
        ).get(userId, expected.email, expected.epoch);
        if (isAsRead === undefined) return undefined;
        if (sql('SELECT 1 FROM credential WHERE email = ?').get(email) !== undefined) return 'taken';
        sql('UPDATE credential SET email = ?, epoch = epoch + 1 WHERE user_id = ?').run(email, userId);
        return endSessions(db, userId, except);
      }),

    suspend: async (userId) => write(() => suspend(db, userId)),

    reinstate: async (userId) => write(() => reinstate(db, userId)),

    eraseCredential: async (userId) => {
      const ended = await write(() => {
        const { changes } = sql(`UPDATE credential SET state = 'erased', email = NULL, password_hash = NULL
                                 WHERE user_id = ? AND state <> 'erased'`).run(userId);
        sql('DELETE FROM transfer_pin WHERE user_id = ?').run(userId);
        sql('DELETE FROM second_factor WHERE user_id = ?').run(userId);
        sql('DELETE FROM own_network WHERE user_id = ?').run(userId);
        const mails = sql('DELETE FROM mail WHERE user_id = ?').run(userId);
        sql('DELETE FROM link WHERE user_id = ?').run(userId);
        const kept = sql('DELETE FROM kept_request WHERE about = ?').run(userId);
        const sessions = endSessions(db, userId);
        if (changes > 0 || mails.changes > 0 || kept.changes > 0 || sessions.length > 0) noteErased();
        return sessions;
      });
      // Also when there was nothing to erase: an earlier try may have stopped right here.
      await scrub();
      return ended;
    },
  };
}

/** Gives the sessions that it ended; undefined when there is nobody to suspend. */
function suspend(db: Database, userId: string) {
  const { sql } = db;
  // Their rows go when it is over, or by themselves.
  const live = liveSessions(db, userId);
  // A version from before does not look at the suspension: to it every token that led to them is one that was used.
  sql('DELETE FROM access_token WHERE session_id IN (SELECT session_id FROM session WHERE user_id = ?)').run(
    userId,
  );
  sql(`UPDATE session SET generation = generation + 2 WHERE user_id = ? AND NOT ${SUSPENDED}`).run(userId);
  // Counted once: the epoch stands still while the person is suspended.
  const { changes } = sql(
    `UPDATE credential SET suspended = 1, epoch = epoch + 1 - suspended
     WHERE user_id = ? AND state <> 'erased'`,
  ).run(userId);
  return changes === 1 ? live : undefined;
}

function reinstate({ sql }: Database, userId: string): boolean {
  // What the suspension ended stays over.
  sql(`DELETE FROM session WHERE user_id = ? AND ${SUSPENDED}`).run(userId);
  const { changes } = sql(`UPDATE credential SET suspended = 0 WHERE user_id = ? AND state <> 'erased'`).run(
    userId,
  );
  return changes === 1;
}

function changedOne(
  { sql, write }: Database,
  statement: string,
  ...values: readonly SQLInputValue[]
): Promise<boolean> {
  return write(() => sql(statement).run(...values).changes === 1);
}

function reserve({ sql }: Database, row: Reservation): Awaited<ReturnType<IdentityStore['reserve']>> {
  const has = (where: string, value: string): boolean =>
    sql(`SELECT 1 FROM credential WHERE ${where} = ?`).get(value) !== undefined;
  if (has('email', row.email)) return 'email_taken';
  if (has('account_number', row.accountNumber)) return 'account_number_taken';
  if (has('user_id', row.userId)) return 'person_taken';
  sql(`INSERT INTO credential (user_id, email, account_number, password_hash, role, state, reserved_at, owner)
       VALUES (?, ?, ?, ?, ?, 'reserved', ?, ?)`).run(
    row.userId,
    row.email,
    row.accountNumber,
    row.passwordHash,
    row.role,
    row.reservedAt,
    row.owner,
  );
  sql('INSERT INTO person_key (user_id, key) VALUES (?, ?)').run(row.userId, row.personKey);
  return 'reserved';
}
