import { createTransport } from 'nodemailer';
import { LodeError, withoutUserInfo } from '#kernel';
import { oneLine, type MailOutcome, type MailTransport } from '#mail';

/** Where mails are handed over, and who they are from. */
export type SmtpOptions = {
  /** `smtp://name:password@host:587`, or `smtps://…` for TLS from the beginning. `?tls=optional` lets mails go in the clear. */
  readonly url: string;
  /** The address that they come from. */
  readonly sender: string;
  readonly limits?: Partial<SmtpLimits>;
};

/**
 * What connecting, the greeting and each answer may take, and all of a mail, in milliseconds. All of it ends before another
 * program takes the attempt for lost.
 */
export const SMTP_LIMITS = { connectMs: 10_000, greetingMs: 10_000, silenceMs: 20_000, mailMs: 90_000 };
type SmtpLimits = typeof SMTP_LIMITS;

const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
/** What a server says of a recipient that there is not (RFC 3463). 5.1.7 and 5.1.8 are about the sender, 5.7.1 about who may relay. */
const NO_RECIPIENT = /^5\d\d[ -](?:5\.1\.(?:1|2|3|6|10)|5\.2\.1)\b/;

/** A server that takes mails by SMTP. Throws `validation_failed` for an address that is none. Nothing is connected yet. */
export function openSmtp({ url, sender, limits }: SmtpOptions): MailTransport {
  const { hostname, protocol, port, username, password, mayBeClear } = addressIn(url);
  const { connectMs, greetingMs, silenceMs, mailMs } = { ...SMTP_LIMITS, ...limits };
  const hasName = username !== '';
  const transport = createTransport({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (PORTS[protocol] ?? 0) : Number(port),
    secure: protocol === 'smtps:',
    // A link is as good as a password, and neither goes over a wire that others can read: whoever is on it can take the
    // offer of TLS out. With a name nothing lets it.
    requireTLS: protocol === 'smtp:' && !LOOPBACK.test(hostname) && (hasName || !mayBeClear),
    ...(hasName ? { auth: { user: username, pass: password } } : {}),
    connectionTimeout: connectMs,
    greetingTimeout: greetingMs,
    socketTimeout: silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = sender.split('@').at(-1) ?? '';
  return {
    send: async ({ mailId, queuedAt, from, to, subject, text, html }) => {
      try {
        await transport.sendMail({
          // As addresses, so that a comma in one makes no second one.
          from: { name: oneLine(from), address: sender },
          to: { name: '', address: oneLine(to) },
          subject: oneLine(subject),
          text,
          html,
          messageId: `<${mailId}@${domain}>`,
          date: new Date(queuedAt),
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
          // A server that says a little now and then is never silent.
          signal: AbortSignal.timeout(mailMs),
        });
        return { kind: 'sent' };
      } catch (error) {
        return outcomeOf(error);
      }
    },
    close: async () => transport.close(),
  };
}

function addressIn(url: string) {
  try {
    const { hostname, protocol, port, username, password, search } = new URL(url);
    const mayBeClear = search === '?tls=optional';
    if (PORTS[protocol] !== undefined && hostname !== '' && (mayBeClear || search === ''))
      return {
        ...{ hostname, protocol, port, mayBeClear },
        username: decodeURIComponent(username),
        password: decodeURIComponent(password),
      };
  } catch {
    // What fails may quote the password.
  }
  throw new LodeError(
    'validation_failed',
    `SMTP_URL must look like smtp://name:password@host:587 or smtp://host:25?tls=optional, not ${withoutUserInfo(url)}.`,
  );
}

/**
 * What an error comes to: by its codes alone, as what a server writes may name anything. Given up is what the server says of
 * this recipient or of this text. A sender or a relay that it doesn't allow would give up every mail: that is the operator's to
 * mend, and tried again.
 */
function outcomeOf(error: unknown): MailOutcome {
  const { code, responseCode, command, response = '' } = factsOf(error);
  if (responseCode === undefined)
    return { kind: 'failed', why: `The mail server did not take it (${code ?? 'no answer'}).` };
  const isOfRecipient = command === 'RCPT TO' && NO_RECIPIENT.test(response);
  const isOfText = responseCode >= 500 && code === 'EMESSAGE';
  return {
    kind: isOfRecipient || isOfText ? 'refused' : 'failed',
    why: `The mail server answered ${responseCode} (${code ?? 'error'}).`,
  };
}

function factsOf(error: unknown) {
  const member = (name: string): unknown => (error instanceof Error ? Reflect.get(error, name) : undefined);
  const text = (name: string) => {
    const value = member(name);
    return typeof value === 'string' ? value : undefined;
  };
  const responseCode = member('responseCode');
  return {
    ...{ code: text('code'), command: text('command'), response: text('response') },
    responseCode: typeof responseCode === 'number' ? responseCode : undefined,
  };
}
