import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail as the server was given it. */
export type Received = { readonly from: string; readonly to: readonly string[]; readonly raw: string };

/** Where the server may refuse a mail. */
type Step = 'sender' | 'recipient' | 'data' | 'sign-in';

/**
 * What the server does with the next mail: `cut` after it has it all, before it says so; `trickle` says that it goes on, again
 * and again, and never that it has it.
 */
export type Behaviour =
  | { readonly kind: 'take' }
  | { readonly kind: 'refuse'; readonly at: Step; readonly code: number; readonly says?: string }
  | { readonly kind: 'cut' | 'silent' | 'trickle' };

/** An SMTP server in this process. */
export type SmtpDouble = {
  readonly url: string;
  readonly received: readonly Received[];
  /** Connections that are open. */
  readonly connections: () => number;
  /** What it does from now on. */
  readonly behave: (behaviour: Behaviour) => void;
  /** Resolves, with the last of them, once it has had so many mails to somebody, answered or not. */
  readonly hadTo: (email: string, count: number) => Promise<Received>;
  readonly stop: () => Promise<void>;
};

/** Starts a server that takes every mail, from whoever signs in as lode with the password `secret`, or doesn't. */
export async function startSmtp(): Promise<SmtpDouble> {
  const received: Received[] = [];
  let behaviour: Behaviour = { kind: 'take' };
  let waiting: (() => boolean)[] = [];
  const refusal = (at: Step) =>
    behaviour.kind === 'refuse' && behaviour.at === at
      ? Object.assign(new Error(behaviour.says ?? 'Not this one'), { responseCode: behaviour.code })
      : undefined;
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username = '', password = '' }, _session, answer) => {
      const isRight = username === 'lode' && password === 'secret' && refusal('sign-in') === undefined;
      answer(isRight ? null : new Error('Who is that?'), isRight ? { user: username } : {});
    },
    onMailFrom: (_address, _session, answer) => answer(refusal('sender') ?? null),
    onRcptTo: (_address, _session, answer) => answer(refusal('recipient') ?? null),
    onData: (stream, session, answer) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString('utf8'),
        });
        waiting = waiting.filter((isDone) => !isDone());
        if (behaviour.kind === 'silent') return;
        if (behaviour.kind === 'cut') cutAll();
        else if (behaviour.kind === 'trickle') for (const socket of sockets) trickle(socket);
        else answer(refusal('data') ?? null);
      });
    },
  });
  server.on('error', () => undefined);
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    connections: () => sockets.size,
    behave: (next) => {
      behaviour = next;
    },
    hadTo: (email, count) =>
      new Promise((resolve) => {
        const look = () => {
          const last = received.filter(({ to }) => to.includes(email))[count - 1];
          if (last !== undefined) resolve(last);
          return last !== undefined;
        };
        if (!look()) waiting.push(look);
      }),
    stop: async () => {
      cutAll();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Milliseconds between two lines of a server that goes on and on. */
const TRICKLE_MS = 20;

/** Begins an answer, and never ends it. */
function trickle(socket: Socket): void {
  const timer = setInterval(() => socket.write('250-In a moment\r\n'), TRICKLE_MS);
  socket.once('close', () => clearInterval(timer));
}

/** The secret of the link in a mail. */
export function tokenIn(mail: Received): string {
  return /#([A-Za-z0-9_-]{43})/.exec(unfolded(mail))?.[1] ?? '';
}

/** A mail without the breaks that its long lines have on their way. */
export function unfolded({ raw }: Received): string {
  return raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
}
