import type { IdentityStore, LinkRow, MailRow, MailState } from '#identity';
import { invariant } from '#kernel';
import type { Database } from './database.js';
import { integer, text, type Row } from './rows.js';

type Mails = Pick<
  IdentityStore,
  'queueMail' | 'dueMails' | 'beginMail' | 'endMail' | 'giveUpMailsBefore' | 'mails'
>;
type Links = Pick<IdentityStore, 'putLink' | 'linkOf' | 'linksOf' | 'takeLink'>;

/** The store's operations on mails. Nothing is kept for who has no credential. */
export function mailsPart({ sql, read, touch }: Database): Mails {
  return {
    queueMail: async ({ mailId, userId, kind, recipient, body, queuedAt, giveUpAt, dueAt }) =>
      touch(
        () =>
          sql(`INSERT INTO mail (mail_id, user_id, kind, recipient, body, state, queued_at, give_up_at, due_at, attempts)
               SELECT ?1, ?2, ?3, ?4, ?5, 'queued', ?6, ?7, ?8, 0
               FROM credential WHERE user_id = ?2 AND state <> 'erased'
               ON CONFLICT DO NOTHING`).run(mailId, userId, kind, recipient, body, queuedAt, giveUpAt, dueAt)
            .changes === 1,
      ),

    dueMails: async (now, limit) =>
      read(() =>
        sql(`SELECT * FROM mail WHERE state = 'queued' AND due_at <= ? ORDER BY due_at LIMIT ?`)
          .all(now, limit)
          .map(mail),
      ),

    beginMail: async (mailId, attempts, dueAt) =>
      touch(
        () =>
          sql(`UPDATE mail SET attempts = attempts + 1, due_at = ?
               WHERE mail_id = ? AND attempts = ? AND state = 'queued'`).run(dueAt, mailId, attempts)
            .changes === 1,
      ),

    endMail: async (mailId, attempts, { state, dueAt, failure }) =>
      touch(
        () =>
          sql(`UPDATE mail SET state = ?1, due_at = ?2, failure = ?3, body = iif(?1 = 'queued', body, NULL)
               WHERE mail_id = ?4 AND attempts = ?5 AND state = 'queued'`).run(
            state,
            dueAt,
            failure ?? null,
            mailId,
            attempts,
          ).changes === 1,
      ),

    giveUpMailsBefore: async ({ userId, kind, queuedAt, mailId }, { dueAt, failure }) =>
      touch(() =>
        Number(
          sql(`UPDATE mail SET state = 'given up', due_at = ?1, failure = ?2, body = NULL
               WHERE user_id = ?3 AND kind = ?4 AND state = 'queued' AND (queued_at, mail_id) < (?5, ?6)`).run(
            dueAt,
            failure ?? null,
            userId,
            kind,
            queuedAt,
            mailId,
          ).changes,
        ),
      ),

    mails: async (...asked) => read(() => mailRows(sql, ...asked)),
  };
}

/** All mails, or those to a person, the one queued last first, behind one of them. */
function mailRows(sql: Database['sql'], ...[limit, behind, userId]: Parameters<Mails['mails']>): MailRow[] {
  const conditions = [
    ...(userId === undefined ? [] : ['user_id = ?']),
    ...(behind === undefined ? [] : ['(queued_at, mail_id) < (?, ?)']),
  ];
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  return sql(`SELECT * FROM mail ${where} ORDER BY queued_at DESC, mail_id DESC LIMIT ?`)
    .all(
      ...(userId === undefined ? [] : [userId]),
      ...(behind === undefined ? [] : [behind.queuedAt, behind.mailId]),
      limit,
    )
    .map(mail);
}

/** The store's operations on one-time links. */
export function linksPart({ sql, read, touch }: Database): Links {
  return {
    putLink: async ({ hash, purpose, userId, epoch, expiresAt, sealed }) => {
      await touch(() =>
        sql(`INSERT INTO link (hash, purpose, user_id, epoch, expires_at, sealed)
             SELECT ?1, ?2, ?3, ?4, ?5, ?6 FROM credential WHERE user_id = ?3 AND state <> 'erased'`).run(
          hash,
          purpose,
          userId,
          epoch,
          expiresAt,
          sealed ?? null,
        ),
      );
    },

    linkOf: async (hash) =>
      read(() => {
        const row = sql('SELECT * FROM link WHERE hash = ?').get(hash);
        return row === undefined ? undefined : link(row);
      }),

    linksOf: async (userId, purpose) =>
      read(() =>
        sql('SELECT * FROM link WHERE user_id = ? AND purpose = ? ORDER BY expires_at DESC, hash')
          .all(userId, purpose)
          .map(link),
      ),

    takeLink: async (hash) => touch(() => sql('DELETE FROM link WHERE hash = ?').run(hash).changes === 1),
  };
}

function mail(row: Row): MailRow {
  return {
    mailId: text(row, 'mail_id'),
    userId: text(row, 'user_id'),
    kind: text(row, 'kind'),
    recipient: text(row, 'recipient'),
    ...(row['body'] === null ? {} : { body: text(row, 'body') }),
    state: mailState(text(row, 'state')),
    queuedAt: integer(row, 'queued_at'),
    giveUpAt: integer(row, 'give_up_at'),
    dueAt: integer(row, 'due_at'),
    attempts: integer(row, 'attempts'),
    ...(row['failure'] === null ? {} : { failure: text(row, 'failure') }),
  };
}

function mailState(value: string): MailState {
  invariant(value === 'queued' || value === 'sent' || value === 'given up', 'a mail has a known state');
  return value;
}

function link(row: Row): LinkRow {
  return {
    hash: text(row, 'hash'),
    purpose: text(row, 'purpose'),
    userId: text(row, 'user_id'),
    epoch: integer(row, 'epoch'),
    expiresAt: integer(row, 'expires_at'),
    ...(row['sealed'] === null ? {} : { sealed: text(row, 'sealed') }),
  };
}
