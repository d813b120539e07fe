import type { IdentityStore, LinkRow, MailRow, MailState } from '#identity';
import { invariant } from '#kernel';
import {
  change,
  integer,
  read,
  removeAll,
  text,
  type Answer,
  type Documents,
  type MongoConnection,
} from '#mongodb';

export const MAILS = 'identity.mails';
export const LINKS = 'identity.links';

type Mail = Omit<MailRow, 'mailId'>;
type Link = Omit<LinkRow, 'hash'>;
type Mails = Pick<
  IdentityStore,
  'queueMail' | 'dueMails' | 'beginMail' | 'endMail' | 'giveUpMailsBefore' | 'mails'
>;
type Links = Pick<IdentityStore, 'putLink' | 'linkOf' | 'linksOf' | 'takeLink'>;

/** The store's operations on mails. */
export function mailsPart(connection: MongoConnection): Mails {
  const mails: Documents<Mail> = { connection, collection: MAILS, from: mailFrom };
  /** Changes a mail that is queued and had so many attempts. */
  const changeQueued = (mailId: string, attempts: number, next: (mail: Mail) => Mail) =>
    change(mails, mailId, (there) =>
      there?.state === 'queued' && there.attempts === attempts
        ? { next: next(there), result: true }
        : { result: false },
    );
  return {
    queueMail: ({ mailId, ...row }) =>
      change<Mail, boolean>(mails, mailId, (there) =>
        there === undefined
          ? { next: { ...row, state: 'queued', attempts: 0 }, result: true }
          : { result: false },
      ),

    dueMails: async (now, limit) => {
      const due = { state: 'queued', dueAt: { $lte: now } };
      return (await connection.find(MAILS, due, { sort: { dueAt: 1 }, limit })).map(rowOf);
    },

    beginMail: (mailId, attempts, dueAt) =>
      changeQueued(mailId, attempts, (mail) => ({ ...mail, attempts: attempts + 1, dueAt })),

    endMail: (mailId, attempts, outcome) =>
      changeQueued(mailId, attempts, ({ body, failure: _, ...mail }) => ({
        ...mail,
        ...(outcome.state === 'queued' && body !== undefined ? { body } : {}),
        ...outcome,
      })),

    giveUpMailsBefore: async ({ userId, kind, queuedAt, mailId }, outcome) => {
      const isBefore = { $or: [{ queuedAt: { $lt: queuedAt } }, { queuedAt, _id: { $lt: mailId } }] };
      const before = { userId, kind, state: 'queued', ...isBefore };
      let givenUp = 0;
      for (const { mailId: one, attempts } of (await connection.find(MAILS, before, {})).map(rowOf))
        if (
          await changeQueued(one, attempts, ({ body: _, failure: __, ...mail }) => ({
            ...mail,
            ...outcome,
            state: 'given up',
          }))
        )
          givenUp += 1;
      return givenUp;
    },

    mails: async (limit, behind, userId) => {
      const { queuedAt, mailId } = behind ?? {};
      const filter = {
        ...(userId === undefined ? {} : { userId }),
        ...(behind === undefined
          ? {}
          : { $or: [{ queuedAt: { $lt: queuedAt } }, { queuedAt, _id: { $lt: mailId } }] }),
      };
      return (await connection.find(MAILS, filter, { sort: { queuedAt: -1, _id: -1 }, limit })).map(rowOf);
    },
  };
}

/** The store's operations on one-time links. */
export function linksPart(connection: MongoConnection): Links {
  const links: Documents<Link> = { connection, collection: LINKS, from: linkFrom };
  return {
    putLink: ({ hash, ...link }) => change(links, hash, () => ({ next: link, result: undefined })),
    linkOf: async (hash) => {
      const found = await read(links, hash);
      return found && { hash, ...found };
    },
    linksOf: async (userId, purpose) => {
      const found = await connection.find(LINKS, { userId, purpose }, { sort: { expiresAt: -1, _id: 1 } });
      return found.map((stored) => ({ hash: text(stored, '_id'), ...linkFrom(stored) }));
    },
    takeLink: async (hash) => (await removeAll(links, { _id: hash })) === 1,
  };
}

/** Deletes the mails and links of somebody. */
export async function forgetMailsOf(connection: MongoConnection, userId: string): Promise<void> {
  for (const collection of [MAILS, LINKS]) {
    const [any] = await connection.find(collection, { userId }, { limit: 1, projection: { _id: 1 } });
    if (any !== undefined) await removeAll({ connection, collection }, { userId });
  }
}

function rowOf(stored: Answer): MailRow {
  return { mailId: text(stored, '_id'), ...mailFrom(stored) };
}

function mailFrom(stored: Answer): Mail {
  return {
    userId: text(stored, 'userId'),
    kind: text(stored, 'kind'),
    recipient: text(stored, 'recipient'),
    ...('body' in stored ? { body: text(stored, 'body') } : {}),
    state: mailState(text(stored, 'state')),
    queuedAt: integer(stored, 'queuedAt'),
    giveUpAt: integer(stored, 'giveUpAt'),
    dueAt: integer(stored, 'dueAt'),
    attempts: integer(stored, 'attempts'),
    ...('failure' in stored ? { failure: text(stored, 'failure') } : {}),
  };
}

function mailState(value: string): MailState {
  invariant(value === 'queued' || value === 'sent' || value === 'given up', 'a mail has a known state');
  return value;
}

function linkFrom(stored: Answer): Link {
  return {
    purpose: text(stored, 'purpose'),
    userId: text(stored, 'userId'),
    epoch: integer(stored, 'epoch'),
    expiresAt: integer(stored, 'expiresAt'),
    ...('sealed' in stored ? { sealed: text(stored, 'sealed') } : {}),
  };
}
