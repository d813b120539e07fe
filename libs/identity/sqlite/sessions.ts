import { storeLimits, type IdentityStore, type Rotation, type SessionRow } from '#identity';
import type { Database } from './database.js';
import { session, text, integer } from './rows.js';

type Part = Pick<
  IdentityStore,
  | 'openSession'
  | 'sessionByAccess'
  | 'sessionByRefresh'
  | 'rotate'
  | 'proveSession'
  | 'endSession'
  | 'endSessionsOf'
  | 'sessionsOf'
  | 'prune'
>;

/** Of a session's row: whether a suspension has ended it. Its row stays so long, for the refresh tokens that lead to it. */
export const SUSPENDED = `EXISTS (SELECT 1 FROM credential WHERE credential.user_id = session.user_id AND suspended = 1)`;

/** The store's operations on sessions and their tokens. */
export function sessionsPart(db: Database): Part {
  const { sql, read, write, touch } = db;
  return {
    openSession: async (row, access, refreshHash, epoch) =>
      touch(() => {
        if (!mayOpen(db, row.userId, epoch)) return undefined;
        insertSession(db, row);
        insertTokens(db, row.sessionId, row.generation, access, refreshHash);
        // The one that opens now has been used last, and so is never the one that has to go.
        return sql(`DELETE FROM session WHERE session_id IN (
                      SELECT session_id FROM session WHERE user_id = ?1 AND session_id <> ?2
                      ORDER BY last_used_at DESC, session_id LIMIT -1 OFFSET ?3
                    ) RETURNING session_id`)
          .all(row.userId, row.sessionId, storeLimits.sessionsPerPerson - 1)
          .map((ended) => text(ended, 'session_id'));
      }),

    sessionByAccess: async (hash) =>
      read(() => {
        const row = sql(`SELECT session.*, expires_at FROM access_token JOIN session USING (session_id)
                         WHERE hash = ? AND NOT ${SUSPENDED}`).get(hash);
        return row === undefined
          ? undefined
          : { session: session(row), expiresAt: integer(row, 'expires_at') };
      }),

    sessionByRefresh: async (hash) =>
      read(() => {
        const row =
          sql(`SELECT session.*, refresh_token.generation AS token_generation, ${SUSPENDED} AS suspended
                         FROM refresh_token JOIN session USING (session_id) WHERE hash = ?`).get(hash);
        return row === undefined
          ? undefined
          : {
              session: session(row),
              generation: integer(row, 'token_generation'),
              isSuspended: integer(row, 'suspended') === 1,
            };
      }),

    rotate: async (rotation) => touch(() => rotate(db, rotation)),

    proveSession: async (sessionId, userId, at) =>
      touch(
        () =>
          sql(
            `UPDATE session SET proved_at = ? WHERE session_id = ? AND user_id = ? AND NOT ${SUSPENDED}`,
          ).run(at, sessionId, userId).changes === 1,
      ),

    endSession: async (sessionId) =>
      write(() => sql('DELETE FROM session WHERE session_id = ?').run(sessionId).changes === 1),

    endSessionsOf: async (userId, except) => write(() => endSessions(db, userId, except)),

    sessionsOf: async (userId, now) =>
      read(() =>
        sql(`SELECT * FROM session WHERE user_id = ? AND idle_ends_at > ? AND NOT ${SUSPENDED}
             ORDER BY last_used_at DESC, session_id LIMIT ?`)
          .all(userId, now, storeLimits.sessionsPerPerson)
          .map(session),
      ),

    prune: async (now) => touch(() => prune(db, now)),
  };
}

/** Ends a person's sessions, but for one if it is named, within the transaction of whoever asks. */
export function endSessions({ sql }: Database, userId: string, except?: string): readonly string[] {
  return sql('DELETE FROM session WHERE user_id = ? AND session_id IS NOT ? RETURNING session_id')
    .all(userId, except ?? null)
    .map((ended) => text(ended, 'session_id'));
}

/** The ids of a person's sessions that are not over. */
export function liveSessions({ sql }: Database, userId: string): readonly string[] {
  return sql(`SELECT session_id FROM session WHERE user_id = ? AND NOT ${SUSPENDED}`)
    .all(userId)
    .map((live) => text(live, 'session_id'));
}

function mayOpen({ one }: Database, userId: string, epoch: number | undefined): boolean {
  const row = one('credential', 'user_id = ?', userId);
  if (row === undefined) return true;
  if (text(row, 'state') === 'erased' || integer(row, 'suspended') === 1) return false;
  return epoch === undefined || integer(row, 'epoch') === epoch;
}

function insertSession({ sql }: Database, row: SessionRow): void {
  sql(`INSERT INTO session (session_id, user_id, role, created_at, last_used_at, address, agent, idle_ends_at,
                            ends_at, generation, rotated_at, door_sign_in_at, proved_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`).run(
    row.sessionId,
    row.userId,
    row.role,
    row.createdAt,
    row.lastUsedAt,
    row.address,
    row.agent,
    row.idleEndsAt,
    row.endsAt,
    row.generation,
    row.rotatedAt,
    row.doorSignInAt ?? null,
    row.provedAt ?? null,
  );
}

function insertTokens(
  { sql }: Database,
  sessionId: string,
  generation: number,
  access: Rotation['access'],
  refreshHash: string,
): void {
  sql('INSERT INTO access_token (hash, session_id, expires_at) VALUES (?, ?, ?)').run(
    access.hash,
    sessionId,
    access.expiresAt,
  );
  sql('INSERT INTO refresh_token (hash, session_id, generation) VALUES (?, ?, ?)').run(
    refreshHash,
    sessionId,
    generation,
  );
}

function rotate(db: Database, rotation: Rotation): 'rotated' | 'conflict' | 'full' {
  const { sql } = db;
  const { sessionId, generation, lastUsedAt } = rotation;
  const current = sql(`SELECT generation FROM session WHERE session_id = ? AND NOT ${SUSPENDED}`).get(
    sessionId,
  );
  if (current === undefined || integer(current, 'generation') !== rotation.expectedGeneration)
    return 'conflict';
  sql('DELETE FROM access_token WHERE session_id = ? AND expires_at <= ?').run(sessionId, lastUsedAt);
  const live = sql('SELECT count(*) AS live FROM access_token WHERE session_id = ?').get(sessionId);
  if (live === undefined || integer(live, 'live') >= storeLimits.accessTokensPerSession) return 'full';
  sql(`UPDATE session SET generation = ?, rotated_at = ?, last_used_at = ?, idle_ends_at = ?, address = ?, agent = ?
       WHERE session_id = ?`).run(
    generation,
    rotation.rotatedAt,
    lastUsedAt,
    rotation.idleEndsAt,
    rotation.address,
    rotation.agent,
    sessionId,
  );
  insertTokens(db, sessionId, generation, rotation.access, rotation.refreshHash);
  sql('DELETE FROM refresh_token WHERE session_id = ? AND generation < ?').run(
    sessionId,
    generation - storeLimits.generationsRemembered,
  );
  return 'rotated';
}

function prune({ sql }: Database, now: number): number {
  const limit = storeLimits.batch;
  const sessions = sql(`DELETE FROM session WHERE session_id IN
    (SELECT session_id FROM session WHERE idle_ends_at < ? LIMIT ?)`).run(now, limit).changes;
  const tokens = sql(`DELETE FROM access_token WHERE hash IN
    (SELECT hash FROM access_token WHERE expires_at < ? LIMIT ?)`).run(now, limit).changes;
  const invitations = sql(`DELETE FROM invitation_token WHERE invitation_id IN
    (SELECT invitation_id FROM invitation_token WHERE expires_at < ? LIMIT ?)`).run(now, limit).changes;
  const requests = sql(`DELETE FROM kept_request WHERE id IN
    (SELECT id FROM kept_request WHERE expires_at < ? LIMIT ?)`).run(now, limit).changes;
  const links = sql(`DELETE FROM link WHERE hash IN
    (SELECT hash FROM link WHERE expires_at < ? LIMIT ?)`).run(now, limit).changes;
  const mails = sql(`DELETE FROM mail WHERE mail_id IN
    (SELECT mail_id FROM mail WHERE queued_at < ? AND state <> 'queued' LIMIT ?)`).run(
    now - storeLimits.mailKeptMs,
    limit,
  ).changes;
  return [sessions, tokens, invitations, requests, links, mails].reduce<number>(
    (sum, n) => sum + Number(n),
    0,
  );
}
