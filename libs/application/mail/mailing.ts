import { contentInForce, mailPages, type Content, type MailPage } from '#contracts';
import {
  createBuckets,
  LINK_MS,
  type Identity,
  type LinkHolder,
  type LinkPurpose,
  type MailContent,
  type PersonalData,
} from '#identity';
import { atMost, sha256, type Clock, type Hold, type Timers } from '#kernel';
import { renderMail, type MailTransport, type OutgoingMail } from '#mail';
import type { MailFollowUp } from '#reactors';
import type { ProgramLog } from '../ports.js';
import type { SettingsInForce } from '../settings/in-force.js';
import { utcMinute } from '../utc-minute.js';

/** Mails that one run looks at. */
const BATCH = 100;
/** Attempts in a row that fail before a run leaves the others to the next: the server is away for all of them. */
const FAILURES_MAX = 3;
/** How long whoever closes the account waits for the last mail, in milliseconds. */
const FAREWELL_MS = 5_000;
/** How long a stop waits for the mail that is being sent, in milliseconds. */
const STOP_MS = 2_000;

/**
 * Links of one purpose that all people together are sent at once, and how long until there may be one more: milliseconds. Whoever knows many
 * e-mails and has many networks can ask for one for each: a server that takes a mail in a second has sent these in minutes,
 * and has most of its time for other mails then.
 */
export const LINKS = { burst: 200, everyMs: 3_000 };

/** The second step of a sign-in goes on where the first was made, and by no mail. */
export type MailedLink = Exclude<LinkPurpose, 'second-step'>;

/** What links are sent for: the texts of each, and where it leads. */
const linkMails = {
  'reset-password': { texts: 'resetPassword', page: 'resetPassword' },
  'verify-email': { texts: 'verifyEmail', page: 'verifyEmail' },
  'change-email': { texts: 'changeEmail', page: 'confirmEmail' },
} as const satisfies Record<MailedLink, { readonly texts: keyof Content['mails']; readonly page: MailPage }>;

/** What people are told of: what follows from the log, a sign-in from where they never were, a wrong code after the right password, and owners of what holds for all. */
export type NoticeKind =
  MailFollowUp['notice'] | 'new-network' | 'code-refused' | 'platform-changed' | 'change-asked';

/** The texts of each. */
const noticeMails = {
  'new-network': 'newNetwork',
  'code-refused': 'codeRefused',
  'password-changed': 'passwordChanged',
  'address-changed': 'addressChanged',
  'address-canceled': 'addressCanceled',
  'second-factor-changed': 'secondFactorChanged',
  'email-change-asked': 'emailChangeAsked',
  'email-changed': 'emailChanged',
  'request-confirmed': 'requestConfirmed',
  'request-rejected': 'requestRejected',
  'platform-changed': 'platformChanged',
  'change-asked': 'changeAsked',
} as const satisfies Record<NoticeKind, keyof Content['mails']>;

/** A mail that tells somebody what was done. */
export type Notice = {
  /** The same for the same fact. */
  readonly mailId: string;
  readonly userId: string;
  readonly email: string;
  /** When it was done; milliseconds since the epoch, now unless it is given. */
  readonly at?: number;
  /** What else is known of it, line by line. */
  readonly facts: readonly string[];
};

/** Of a link, what most have no need to say. */
export type LinkOptions = {
  /** What the link is about. */
  readonly about?: PersonalData;
  /** Registrations have a bound of their own: whoever registers many people keeps nobody from being sent a link that they ask for. */
  readonly askedBy?: 'registration';
  /** Somebody else has the address: the mail says so in the place of the link, which nobody is told. */
  readonly isTaken?: boolean;
};

/** What became of a mail with a link: queued, or too many were asked for, and so long until there may be one more. */
export type LinkQueued =
  | { readonly kind: 'queued'; readonly expiresAt: number }
  | { readonly kind: 'too many'; readonly waitMs: number };

/** Mails to people: queued in identity, and sent from there. */
export type Mailing = {
  /**
   * Queues a mail with a new one-time link for somebody, which takes the place of those of its kind that wait; while too many are
   * asked for, it only takes as long.
   */
  readonly sendLink: (
    purpose: MailedLink,
    holder: LinkHolder & { readonly email: string },
    options?: LinkOptions,
  ) => Promise<LinkQueued>;
  /** Queues a mail that tells somebody what was done, once for each id; does nothing where no mails are sent. */
  readonly sendNotice: (kind: NoticeKind, notice: Notice) => Promise<void>;
  /**
   * Tells the addresses of somebody who was just forgotten that the account is closed: each is written to once, at once, and
   * nothing of it is kept. Waits for that so long at most; does nothing where no mails are sent.
   */
  readonly sendFarewell: (userId: string, emails: readonly string[]) => Promise<void>;
  /** Says in the program's own log that a link could not be sent to somebody who can ask for another one. */
  readonly notSent: (purpose: MailedLink, error: unknown) => void;
  /** Takes as long, and writes to nobody. */
  readonly pretendLink: (purpose: MailedLink) => Promise<void>;
  /** Sends what is due, and says what came of it; does nothing beside itself. */
  readonly sendDue: () => Promise<MailsSent>;
  /** Resolves once nothing is being sent, or soon; nothing is from then on. */
  readonly stop: () => Promise<void>;
};

/** What came of the mails that were due. */
export type MailsSent = { readonly sent: number; readonly failed: number; readonly refused: number };

export type MailingParts = {
  readonly identity: Pick<Identity, 'mails' | 'links'>;
  readonly settings: Pick<SettingsInForce, 'current'>;
  /** Where mails are handed over; with none they wait until they are given up. */
  readonly transport: Pick<MailTransport, 'send'> | undefined;
  /** Where the public reaches the pages. */
  readonly publicUrl: string;
  readonly clock: Clock;
  /** Why nothing is sent just now, because the clock is not accepted. */
  readonly hold: Hold;
  readonly timers: Timers;
  readonly log: ProgramLog;
  /** Hears the link of a mail that nobody sends; only where whoever reads that may have it. */
  readonly tellLink?: ((kind: string, link: string) => void) | undefined;
};

/** Mails to people, over identity and a transport. */
export function createMailing(parts: MailingParts): Mailing {
  const { identity, publicUrl, transport, clock, timers, log, tellLink } = parts;
  const { mails, links } = identity;
  let underWay: Promise<MailsSent> | undefined;
  let isStopped = false;
  const asked = createBuckets(clock, LINKS, Object.keys(linkMails).length + 1);

  const sendDue = (): Promise<MailsSent> =>
    (underWay ??= (isStopped ? Promise.resolve(NONE) : send(parts, () => isStopped)).finally(() => {
      underWay = undefined;
    }));
  /** Without anybody waiting for it: what was just queued, and what failed is made again later. */
  const sendSoon = () => {
    if (transport === undefined) return;
    // What is under way may have looked before this one was queued.
    const before = underWay ?? Promise.resolve(NONE);
    before
      .then(sendDue, sendDue)
      .catch((error: unknown) => log.error({ err: error }, 'mails could not be sent'));
  };

  const pretendLink: Mailing['pretendLink'] = async (purpose) => {
    const token = await links.pretend();
    const expiresAt = clock() + LINK_MS[purpose];
    await mails.pretend(await linkMail(parts, purpose, 'nobody@example.org', { token, expiresAt }));
  };

  return {
    sendLink: async (purpose, { email, ...holder }, { about, askedBy = purpose, isTaken = false } = {}) => {
      const waitMs = asked.waitMs(askedBy);
      if (waitMs > 0) {
        log.error({ purpose }, 'a link was not sent: too many are asked for');
        await pretendLink(purpose);
        return { kind: 'too many', waitMs };
      }
      asked.add(askedBy, -1);
      const { token, expiresAt } = await links.issue(purpose, holder, about);
      const content = isTaken
        ? await takenMail(parts, email)
        : await linkMail(parts, purpose, email, { token, expiresAt });
      const { userId } = holder;
      const mailId = sha256(token).slice(0, 32);
      await mails.queue({ ...content, mailId, userId, kind: purpose, until: expiresAt, replaces: true });
      if (!isTaken) tellLink?.(purpose, `${publicUrl}${mailPages[linkMails[purpose].page]}#${token}`);
      sendSoon();
      return { kind: 'queued', expiresAt };
    },
    sendNotice: async (kind, { mailId, userId, email, at = clock(), facts }) => {
      if (transport === undefined) return;
      const time = `Time: ${utcMinute(at)}`;
      const { mails: all, company } = contentInForce((await parts.settings.current()).content);
      const { subject, text } = all[noticeMails[kind]];
      const content = renderMail({ from: company.name, subject, text, facts: [time, ...facts] });
      if (await mails.queue({ ...content, to: email, mailId, userId, kind })) sendSoon();
    },
    sendFarewell: async (userId, emails) => {
      if (transport === undefined || isStopped) return;
      await atMost(timers, FAREWELL_MS, sayFarewell(parts, transport, userId, emails));
    },
    notSent: (purpose, error) => log.error({ err: error, purpose }, 'a link could not be sent'),
    pretendLink,
    sendDue,
    stop: async () => {
      isStopped = true;
      // One that is cut off is sent again: a server that says nothing holds nobody up.
      await atMost(timers, STOP_MS, underWay ?? Promise.resolve());
    },
  };
}

/** What a mail with a link says. */
async function linkMail(
  { publicUrl, settings }: Pick<MailingParts, 'publicUrl' | 'settings'>,
  purpose: MailedLink,
  to: string,
  { token, expiresAt }: { readonly token: string; readonly expiresAt: number },
): Promise<MailContent> {
  const { texts, page } = linkMails[purpose];
  const { mails, company } = contentInForce((await settings.current()).content);
  const { subject, text, button } = mails[texts];
  // Behind a #: no browser sends that to a server, and no server writes it down.
  const link = { label: button, address: `${publicUrl}${mailPages[page]}#${token}` };
  const facts = [`Good until: ${utcMinute(expiresAt)}`];
  return { to, ...renderMail({ from: company.name, subject, text, link, facts }) };
}

/** What is said to an address that somebody has, when another account is to have it. */
async function takenMail({ settings }: Pick<MailingParts, 'settings'>, to: string): Promise<MailContent> {
  const { mails, company } = contentInForce((await settings.current()).content);
  return { to, ...renderMail({ from: company.name, ...mails.emailTaken }) };
}

/**
 * Sends the last mails. What is not taken now is not tried again: nobody is to know the address. It never fails: the
 * account is closed by now, which must not be told as if it were not.
 */
async function sayFarewell(
  { settings, clock, log }: Pick<MailingParts, 'settings' | 'clock' | 'log'>,
  transport: Pick<MailTransport, 'send'>,
  userId: string,
  emails: readonly string[],
): Promise<void> {
  try {
    const { mails, company } = contentInForce((await settings.current()).content);
    const facts = [`Time: ${utcMinute(clock())}`];
    const content = renderMail({ from: company.name, ...mails.accountClosed, facts });
    const sent = emails.map(async (to, n) => {
      const mailId = sha256(`farewell/${userId}/${n}`).slice(0, 32);
      const outcome = await transport.send({ ...content, mailId, to, from: company.name, queuedAt: clock() });
      if (outcome.kind !== 'sent')
        log.error({ mailId, why: outcome.why }, 'the last mail to somebody could not be sent');
    });
    await Promise.all(sent);
  } catch (error) {
    log.error({ err: error }, 'the last mail to somebody could not be made');
  }
}

const NONE: MailsSent = { sent: 0, failed: 0, refused: 0 };

async function send(parts: MailingParts, isStopped: () => boolean): Promise<MailsSent> {
  const { identity, settings, transport, hold, log } = parts;
  if (hold() !== undefined) return NONE;
  if (transport === undefined) {
    await identity.mails.giveUp(BATCH);
    return NONE;
  }
  const counts = { sent: 0, failed: 0, refused: 0 };
  let failures = 0;
  const { company } = contentInForce((await settings.current()).content);
  for await (const { ended, ...mail } of identity.mails.begin(BATCH)) {
    const outgoing: OutgoingMail = { ...mail, from: company.name };
    const outcome = await transport.send(outgoing);
    await ended(outcome);
    if (outcome.kind !== 'sent')
      log.error({ mailId: mail.mailId, why: outcome.why }, 'a mail could not be sent');
    counts[outcome.kind] += 1;
    failures = outcome.kind === 'failed' ? failures + 1 : 0;
    if (failures >= FAILURES_MAX || isStopped()) break;
  }
  return counts;
}
