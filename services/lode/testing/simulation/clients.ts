import { commandIdOf, errorText, hasCode, isLodeError, sha256, type Actor, type Position } from '#kernel';
import { accessStream, accountStream, type AccessCommand, type AccountCommand } from '#ledger';
import {
  adjusting,
  confirmingFunding,
  fundingOf,
  rejectingFunding,
  transferOf,
  withdrawalOf,
} from '#ledger/testing';
import type { AccountDocument } from '#projections';
import { latency, PATIENCE_MS, request, type World } from './network.js';
import { people } from './people.js';
import type { Api } from './programs.js';

/** What came of one attempt to send a command, as its client saw it. */
export type Answer =
  | {
      readonly kind: 'done';
      readonly ids: readonly string[];
      readonly position: Position;
      readonly replayed: boolean;
    }
  /** Refused in a way that says that it was not done. */
  | { readonly kind: 'refused'; readonly code: string }
  /** No answer, or one that says that nobody knows. */
  | { readonly kind: 'unknown' };

/** What says nothing of the command itself. */
export const outages: readonly string[] = ['unavailable', 'overloaded', 'storage_full', 'storage_failed'];

/** A command that a client sent, under one key, as often as it did. */
export type Sent = {
  readonly key: string;
  readonly commandId: string;
  readonly stream: string;
  readonly command: { readonly account: AccountCommand } | { readonly access: AccessCommand };
  readonly attempts: Attempt[];
};

/** A command on its way to an API and back. */
export type Attempt = {
  readonly life: string;
  readonly begunAt: number;
  endedAt: number;
  answer: Answer | 'under way';
};

/** Clients at work. */
export type Clients = {
  readonly sent: readonly Sent[];
  /** What they saw that may not be. */
  readonly findings: readonly string[];
  readonly haveEnded: () => boolean;
  /** `opened` is called once everybody has an account. */
  readonly start: (opened: () => void) => void;
};

const ACTOR: Actor = { kind: 'person', id: 'root', role: 'admin' };
/** How long a client waits for what it did to be there for queries, in milliseconds. */
const SEEN_MS = 2_000;
/** How often a command is sent of which nobody knows what became. */
const TRIES_MAX = 4;

type Kind = 'funding' | 'withdrawal' | 'transfer';
type Open = { readonly userId: string; readonly requestId: string; readonly kind: Kind };

/** Clients that send commands to any of the APIs, again where they hear nothing, and now and then though they were answered. */
export function createClients(
  world: World,
  apis: () => readonly Api[],
  isInLog: (commandId: string) => boolean,
): Clients {
  const { time, draws, plan } = world;
  const sent: Sent[] = [];
  const findings: string[] = [];
  const open: Open[] = [];
  let left = plan.commands;
  let working = 0;

  const pause = (ms: number) =>
    new Promise<void>((resolve) => void time.after(draws.between(0, ms), 'client', resolve));

  const record = (userId: string, command: Sent['command']): Sent => {
    const key = `key ${sent.length + 1}`;
    const stream = 'account' in command ? accountStream(userId) : accessStream(userId);
    const one = { key, stream, command, commandId: commandIdOf(ACTOR.id, stream, key), attempts: [] };
    sent.push(one);
    return one;
  };

  /** An API that takes requests, once there is one. */
  const anApi = async (): Promise<Api> => {
    for (;;) {
      const some = apis();
      if (some.length > 0) return draws.oneOf(some);
      await pause(500);
    }
  };

  /** Sends it until it is known what became of it, or too often. */
  const send = async (one: Sent, triesMax = TRIES_MAX, first?: Api): Promise<Answer> => {
    let answer: Answer = { kind: 'unknown' };
    let asked = first;
    for (let tries = 0; tries < triesMax && !isSettled(answer); tries += 1) {
      if (tries > 0) await pause(1_000);
      const api = asked ?? (await anApi());
      asked = undefined;
      const attempt: Attempt = {
        life: api.life.name,
        begunAt: time.now(),
        endedAt: Infinity,
        answer: 'under way',
      };
      one.attempts.push(attempt);
      answer = await ask(world, api, one);
      attempt.answer = answer;
      attempt.endedAt = time.now();
      world.happened.add(kindOf(answer));
      time.note(`client has ${one.key}: ${answer.kind} ${answer.kind === 'refused' ? answer.code : ''}`);
      if (one.attempts.every(isRefused) && isInLog(one.commandId))
        findings.push(`${one.key} to ${one.stream} was refused by ${api.life.name}, and is in the log`);
    }
    if (answer.kind === 'done' && answer.ids.length > 0 && draws.chance(0.3))
      await see(answer.position, one.stream);
    return answer;
  };

  /** Looks whether what was done is there for whoever waits for it. */
  const see = async (position: Position, stream: string) => {
    const api = await anApi();
    const found = Promise.withResolvers<string | undefined>();
    const stop = api.life.onEnd(() => found.resolve(undefined));
    const look = async () => {
      if (!(await api.waitFor(position, SEEN_MS))) return undefined;
      const [{ position: reached }, account] = await Promise.all([
        api.readStore.checkpoint('accounts'),
        api.readStore.get<AccountDocument>('accounts', stream.slice(stream.indexOf('-') + 1)),
      ]);
      if (BigInt(reached) < BigInt(position))
        return `${api.life.name} said ${position} is seen, which ends at ${reached}`;
      const isThere = account !== undefined || !stream.startsWith(accountStream(''));
      return isThere ? undefined : `${api.life.name} has no document of ${stream}`;
    };
    time.after(
      latency(world),
      'query',
      () => void look().then(found.resolve, () => found.resolve(undefined)),
      api.life,
    );
    time.after(PATIENCE_MS, 'client gives up', () => found.resolve(undefined));
    const wrong = await found.promise;
    stop();
    if (wrong !== undefined) findings.push(wrong);
  };

  const sendNext = async () => {
    if (sent.length > 0 && draws.chance(plan.repeated)) {
      await send(draws.oneOf(sent));
      return;
    }
    left -= 1;
    const userId = draws.oneOf([...people, people[0], people[0]]);
    const decided = draws.chance(0.5) ? open.splice(draws.below(open.length), 1)[0] : undefined;
    if (decided !== undefined)
      await sendBeside(record(decided.userId, { account: decisionOf(world, decided) }));
    else {
      const command = commandOf(world, userId, `${userId}-${sent.length}`);
      const answer = await sendBeside(record(userId, command));
      const request = requestIn(userId, command);
      if (request !== undefined && answer.kind !== 'refused') open.push(request);
    }
  };

  /** Sends it, now and then together with one that was done before, as somebody does who doesn't trust an answer. */
  const sendBeside = async (one: Sent): Promise<Answer> => {
    const api = await anApi();
    const done = sent.filter(({ stream, attempts }) => stream === one.stream && attempts.some(isDone));
    const isDoubted = done.length > 0 && draws.chance(plan.repeated);
    const [answer] = await Promise.all([
      send(one, TRIES_MAX, api),
      isDoubted ? send(draws.oneOf(done), TRIES_MAX, api) : undefined,
    ]);
    return answer;
  };

  const opened = async () => {
    for (const userId of people) {
      // Nobody does anything with an account that isn't there.
      const opening = { userId, accountNumber: `30${userId}`, role: 'user', profile: 'sealed' } as const;
      await send(record(userId, { account: { type: 'OpenAccount', ...opening } }), Infinity);
      await send(record(userId, { account: { type: 'SaveWalletAddress', address: 'sealed' } }));
      await send(record(userId, { account: adjusting('BTC', '500.00') }));
    }
  };

  const work = async () => {
    working += 1;
    while (left > 0) {
      await sendNext();
      await pause(plan.thinkMs);
    }
    working -= 1;
  };

  return {
    sent,
    findings,
    haveEnded: () => left <= 0 && working === 0,
    start: (whenOpened) => {
      void opened().then(() => {
        whenOpened();
        for (let n = 0; n < plan.clients; n += 1) void work();
      });
    },
  };
}

function kindOf(answer: Answer): string {
  if (answer.kind === 'refused') return answer.code;
  return answer.kind === 'done' && answer.replayed ? 'replayed' : answer.kind;
}

function isRefused({ answer }: Attempt): boolean {
  return answer !== 'under way' && answer.kind === 'refused';
}

/** Whether it was answered that it was done, and not that it was so already. */
export function isDone({ answer }: Attempt): boolean {
  return answer !== 'under way' && answer.kind === 'done' && answer.ids.length > 0;
}

/** Whether a client has nothing to gain by sending the same again. */
function isSettled(answer: Answer): boolean {
  return answer.kind === 'done' || (answer.kind === 'refused' && !outages.includes(answer.code));
}

/** One request to an API, over a connection that its end cuts. */
async function ask(world: World, api: Api, one: Sent): Promise<Answer> {
  const context = {
    actor: ACTOR,
    commandId: one.commandId,
    requestHash: sha256(one.key),
    correlationId: one.commandId,
    causationId: one.commandId,
  };
  const execute = async () => {
    const { stream, command } = one;
    if ('account' in command) return api.accounts.execute(stream, command.account, context);
    return api.access.execute(stream, command.access, context);
  };
  const { answer, error } = await request(world, api.life, one.key, execute);
  if (answer !== undefined) {
    const { events, position, replayed } = answer;
    return { kind: 'done', replayed, ids: events.map(({ id }) => id), position };
  }
  if (error === undefined || hasCode(error, 'unknown_outcome')) return { kind: 'unknown' };
  return { kind: 'refused', code: isLodeError(error) ? error.code : `bug: ${errorText(error)}` };
}

/** What a customer asks for, or an admin does by hand. */
function commandOf({ draws }: World, userId: string, requestId: string): Sent['command'] {
  const dollars = `${1 + draws.below(200)}.00`;
  const other = draws.oneOf(people.filter((one) => one !== userId));
  switch (draws.below(6)) {
    case 0:
      return { account: fundingOf(requestId, dollars, 'BTC') };
    case 1:
      return { account: withdrawalOf(requestId, dollars, 'BTC') };
    case 2:
    case 3:
      return {
        account: transferOf(requestId, dollars, 'BTC', { userId: other, accountNumber: `30${other}` }),
      };
    case 4:
      return { access: { type: 'RecordSignIn', sessionId: requestId, client: 'sealed' } };
    default:
      return { account: adjusting('BTC', draws.chance(0.5) ? dollars : `-${dollars}`) };
  }
}

/** The request that a command makes, for an admin to decide. */
function requestIn(userId: string, command: Sent['command']): Open | undefined {
  if (!('account' in command)) return undefined;
  const { account } = command;
  switch (account.type) {
    case 'RequestFunding':
      return { userId, requestId: account.requestId, kind: 'funding' };
    case 'RequestWithdrawal':
      return { userId, requestId: account.requestId, kind: 'withdrawal' };
    case 'RequestTransfer':
      return { userId, requestId: account.requestId, kind: 'transfer' };
    default:
      return undefined;
  }
}

function decisionOf({ draws }: World, { kind, requestId }: Open): AccountCommand {
  const isConfirmed = draws.chance(0.7);
  if (kind === 'funding') return isConfirmed ? confirmingFunding(requestId) : rejectingFunding(requestId);
  if (kind === 'transfer') return { type: isConfirmed ? 'ConfirmTransfer' : 'RejectTransfer', requestId };
  return { type: isConfirmed ? 'ConfirmWithdrawal' : 'RejectWithdrawal', requestId };
}
