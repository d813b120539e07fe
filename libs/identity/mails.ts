import { delay, hasCode, invariant, uuidV4, type Clock, type Random, type RetryPolicy } from '#kernel';
import { encryptPersonalData, FORGOTTEN, type Forgotten, type PersonalData } from './personal-data.js';
import type { PersonKeys } from './person-keys.js';
import type { IdentityStore, MailRow, MailState } from './port.js';

/** A mail that is not sent by then is given up; milliseconds. */
export const MAIL_GIVE_UP_MS = 24 * 60 * 60_000;
/** How long an attempt has until another is made by whoever comes by: longer than any takes. Milliseconds. */
export const MAIL_ATTEMPT_MS = 2 * 60_000;
/** The pauses after attempts that failed. */
export const MAIL_RETRY: RetryPolicy = { firstMs: 60_000, lastMs: 60 * 60_000, jitter: 0.2 };
/** Characters of a failure that are kept. */
const FAILURE_LENGTH = 300;
const KEY_BYTES = 32;
/** The recipient of a mail as it is listed when that, or the person's key, is damaged: until a backup is restored. */
const UNREADABLE = 'unreadable';

/** What a mail says, and to whom. */
export type MailContent = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

/** A mail that is to be sent to a person. */
export type NewMail = MailContent & {
  /** The same for the same mail, so that it is queued once. */
  readonly mailId: string;
  readonly userId: string;
  readonly kind: string;
  /** Nobody sends it after that: its link is worth nothing. Milliseconds since the epoch. */
  readonly until?: number | undefined;
  readonly replaces?: boolean;
};

/** A mail as it is known of afterwards; `to` is undefined of somebody who is erased, and `unreadable` where it is damaged. */
export type MailView = {
  readonly mailId: string;
  readonly userId: string;
  readonly kind: string;
  readonly to: string | undefined;
  readonly state: MailState;
  readonly queuedAt: number;
  /** When it is tried next; of one that has ended, when that was. */
  readonly dueAt: number;
  readonly attempts: number;
  readonly failure: string | undefined;
};

/** What came of an attempt. What is refused is not tried again. */
export type MailSent =
  { readonly kind: 'sent' } | { readonly kind: 'failed' | 'refused'; readonly why: string };

/** An attempt that is this program's. */
export type MailAttempt = MailContent & {
  readonly mailId: string;
  readonly queuedAt: number;
  /** Writes what came of it. One that is never told of is made again after `MAIL_ATTEMPT_MS`. */
  readonly ended: (outcome: MailSent) => Promise<void>;
};

export type Mails = {
  /**
   * Queues a mail; false when one of its id is there. One that `replaces` gives up those of its kind to the person that wait
   * since before it, as their links are worth less than its own. Refuses with `account_not_found` for whoever is erased. */
  readonly queue: (mail: NewMail) => Promise<boolean>;
  /** Takes as long as to queue one, and keeps nothing: for an address that is nobody's. */
  readonly pretend: (content: MailContent) => Promise<void>;
  /** Begins attempts of what is due, each for one program alone, and gives up what is over. At most `limit` are looked at. */
  readonly begin: (limit: number) => AsyncGenerator<MailAttempt, void>;
  /** Gives up what is over, without sending anything. */
  readonly giveUp: (limit: number) => Promise<void>;
  readonly list: (
    limit: number,
    behind?: Pick<MailRow, 'queuedAt' | 'mailId'>,
    userId?: string,
  ) => Promise<readonly MailView[]>;
};

export type MailsParts = {
  readonly store: IdentityStore;
  readonly personKeys: Pick<PersonKeys, 'encryptFor' | 'decryptFor'>;
  readonly clock: Clock;
  /** The clock that all programs on the store go by: it says what is due, and when an attempt of another is over. */
  readonly sharedClock: () => Promise<number>;
  readonly random: Random;
};

/** Mails to people, kept until they are sent: what they say is encrypted with the person's key and falls with it. */
export function createMails(parts: MailsParts): Mails {
  const { store, personKeys, clock, sharedClock, random } = parts;
  return {
    queue: async ({ mailId, userId, kind, until, replaces = false, to, ...body }) => {
      const now = await sharedClock();
      const isNew = await store.queueMail({
        mailId,
        userId,
        kind,
        recipient: await personKeys.encryptFor(userId, { to }),
        body: await personKeys.encryptFor(userId, body),
        queuedAt: now,
        // Whoever made the link went by the program's own clock.
        giveUpAt: now + Math.min(MAIL_GIVE_UP_MS, until === undefined ? Infinity : until - clock()),
        dueAt: now,
      });
      if (isNew && replaces)
        await store.giveUpMailsBefore(
          { userId, kind, queuedAt: now, mailId },
          { dueAt: clock(), failure: 'A newer one took its place.' },
        );
      return isNew;
    },
    pretend: async ({ to, ...body }) => {
      // As long as the key of somebody is looked for.
      await store.personKey(uuidV4(random));
      const key = random(KEY_BYTES);
      encryptPersonalData(key, '', { to }, random);
      encryptPersonalData(key, '', body, random);
      await sharedClock();
      await store.tryChange();
    },
    begin: async function* (limit) {
      for (const row of await store.dueMails(await sharedClock(), limit)) {
        const attempt = await begin(parts, row);
        if (attempt !== undefined) yield attempt;
      }
    },
    giveUp: async (limit) => {
      const now = await sharedClock();
      const due = await store.dueMails(now, limit);
      for (const row of due) if (isOver(row, now)) await end(parts, row, row.failure);
    },
    list: async (limit, behind, userId) =>
      Promise.all((await store.mails(limit, behind, userId)).map((row) => viewOf(parts, row))),
  };
}

async function begin(parts: MailsParts, row: MailRow): Promise<MailAttempt | undefined> {
  const { store, personKeys, sharedClock } = parts;
  const { mailId, userId, attempts, queuedAt } = row;
  const now = await sharedClock();
  if (isOver(row, now)) {
    await end(parts, row, row.failure);
    return undefined;
  }
  if (!(await store.beginMail(mailId, attempts, now + MAIL_ATTEMPT_MS))) return undefined;
  const begun = { ...row, attempts: attempts + 1 };
  const ended = (outcome: MailSent) => endAttempt(parts, begun, outcome);
  const [recipient, body] = await Promise.all([
    opened(personKeys, userId, row.recipient),
    opened(personKeys, userId, row.body ?? ''),
  ]);
  if (recipient === UNREADABLE || body === UNREADABLE) {
    await ended({ kind: 'failed', why: 'What is kept of it is damaged.' });
    return undefined;
  }
  if (recipient === FORGOTTEN || body === FORGOTTEN) {
    await end(parts, begun, 'The person is forgotten.');
    return undefined;
  }
  return {
    mailId,
    queuedAt,
    to: textIn(recipient, 'to'),
    subject: textIn(body, 'subject'),
    text: textIn(body, 'text'),
    html: textIn(body, 'html'),
    ended,
  };
}

/** Writes what came of an attempt. */
async function endAttempt(parts: MailsParts, begun: MailRow, outcome: MailSent): Promise<void> {
  const { store, clock, sharedClock, random } = parts;
  const { mailId, attempts, giveUpAt } = begun;
  if (outcome.kind === 'sent') {
    await store.endMail(mailId, attempts, { state: 'sent', dueAt: clock() });
    return;
  }
  const why = outcome.why.slice(0, FAILURE_LENGTH);
  const dueAt = (await sharedClock()) + Math.ceil(delay(attempts, MAIL_RETRY, random));
  if (outcome.kind === 'refused' || dueAt >= giveUpAt) await end(parts, begun, why);
  else await store.endMail(mailId, attempts, { state: 'queued', dueAt, failure: why });
}

/** What was encrypted for somebody. What is damaged is so of this mail alone, and keeps no other. */
async function opened(
  personKeys: MailsParts['personKeys'],
  userId: string,
  text: string,
): Promise<PersonalData | Forgotten | typeof UNREADABLE> {
  try {
    return await personKeys.decryptFor(userId, text);
  } catch (error) {
    if (hasCode(error, 'storage_failed')) return UNREADABLE;
    throw error;
  }
}

function isOver({ giveUpAt }: MailRow, now: number): boolean {
  return giveUpAt <= now;
}

/** Gives a mail up. */
async function end(
  { store, clock }: MailsParts,
  { mailId, attempts }: MailRow,
  failure: string | undefined,
): Promise<void> {
  const why = failure === undefined ? {} : { failure };
  await store.endMail(mailId, attempts, { state: 'given up', dueAt: clock(), ...why });
}

async function viewOf({ personKeys }: MailsParts, row: MailRow): Promise<MailView> {
  const { mailId, userId, kind, state, queuedAt, dueAt, attempts, failure } = row;
  const recipient = await opened(personKeys, userId, row.recipient);
  const known = recipient === UNREADABLE ? recipient : undefined;
  const to = typeof recipient === 'string' ? known : textIn(recipient, 'to');
  return { mailId, userId, kind, to, state, queuedAt, dueAt, attempts, failure };
}

function textIn(data: PersonalData, member: string): string {
  const value = data[member];
  invariant(typeof value === 'string', `a mail has its ${member}`);
  return value;
}
