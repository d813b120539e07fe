import { createHash, randomUUID } from 'node:crypto';
import { commandIdOf, type Position } from '#kernel';
import { accountStream, formatMoney } from '#ledger';
import type { Answer, Ask, Client, Given } from './client.js';
import { apiOf, join, keyed, upload, type Person } from './people.js';
import { credit, PIN, saveWalletAddress, setPin, transferTo } from './requests.js';

/** The seed of everything that these tests draw. `scripts/check/native.mjs` sets it. */
export const SEED = process.env['LODE_TEST_SEED'] ?? '';
/** Commands that each customer has under way. */
export const AT_ONCE = 2;
/** Files that each customer has at hand when they begin; once these are used they ask for withdrawals instead of funds. */
const AT_HAND = 12;
/** Customers that are let in between two faults, to get what they have waited for. */
export const IDLE = 6;

type Kind = 'funding' | 'withdrawal' | 'transfer';

/** The routes of what customers ask for, and the events that say that it was done. */
const asking = {
  funding: { request: 'requestFunding', confirm: 'confirmFunding', reject: 'rejectFunding' },
  withdrawal: { request: 'requestWithdrawal', confirm: 'confirmWithdrawal', reject: 'rejectWithdrawal' },
  transfer: { request: 'requestTransfer', confirm: 'confirmTransfer', reject: 'rejectTransfer' },
} as const;
export const eventsOfRoute = {
  requestFunding: ['FundingRequested'],
  confirmFunding: ['FundingConfirmed'],
  rejectFunding: ['FundingRejected'],
  requestWithdrawal: ['WithdrawalRequested'],
  confirmWithdrawal: ['WithdrawalConfirmed'],
  rejectWithdrawal: ['WithdrawalRejected'],
  requestTransfer: ['TransferRequested'],
  confirmTransfer: ['TransferConfirmed'],
  rejectTransfer: ['TransferRejected'],
  adjustWallet: ['WalletCredited', 'WalletDebited'],
  activate: ['AccountActivated'],
} as const;
export type Route = keyof typeof eventsOfRoute;
/** A customer at work: what they have asked for that is not decided yet, by kind. */
export type Customer = {
  readonly person: Person;
  readonly accountNumber: string;
  /** Uploaded evidence that no request was made with. */
  readonly evidence: string[];
  readonly open: Readonly<Record<Kind, string[]>>;
};

/** A command as it was first sent, and what became of it. */
export type Sent = {
  readonly route: Route;
  readonly by: 'customer' | 'admin';
  readonly userId: string;
  readonly ask: Ask;
  answer: { readonly status: number; readonly text: string } | undefined;
};

/** Numbers between 0 and 1 that follow from a seed. */
export function drawnFrom(seed: string): () => number {
  let n = 0;
  return () => createHash('sha256').update(`${seed} ${n++}`).digest().readUInt32BE() / 2 ** 32;
}

/** What a customer's next command is: to ask, to be decided, or to be credited or debited. */
function nextOf(customer: Customer, others: readonly Customer[], draw: () => number): Sent {
  const { person, evidence, open } = customer;
  const { userId } = person;
  const headers = keyed(randomUUID());
  const kind = (['funding', 'withdrawal', 'transfer'] as const)[Math.floor(draw() * 3)] ?? 'funding';
  const amount = formatMoney(BigInt(1 + Math.floor(draw() * 2_000)), 'USD');
  const base = { userId, answer: undefined };
  const requestId = draw() < 0.6 ? open[kind].shift() : undefined;
  if (requestId !== undefined) {
    const route = asking[kind][draw() < 0.8 ? 'confirm' : 'reject'];
    return { ...base, route, by: 'admin', ask: { params: { userId, requestId }, body: {}, headers } };
  }
  if (draw() < 0.25) {
    const body = { amounts: { BTC: draw() < 0.4 ? `-${amount}` : amount }, reason: 'a test' };
    return { ...base, route: 'adjustWallet', by: 'admin', ask: { params: { userId }, body, headers } };
  }
  const receiver = others[Math.floor(draw() * others.length)] ?? customer;
  const bodies = {
    funding: () => ({ amount, currency: 'BTC', evidenceId: evidence.shift() }),
    withdrawal: () => ({ amount, currency: 'BTC', proof: { pin: PIN } }),
    transfer: () => transferTo(receiver.accountNumber, amount),
  };
  const asked = kind === 'funding' && evidence.length === 0 ? 'withdrawal' : kind;
  return { ...base, route: asking[asked].request, by: 'customer', ask: { body: bodies[asked](), headers } };
}

/** True for an event that says that what a route asks for was done. */
export const isOfRoute = (route: Route, type: string) =>
  (eventsOfRoute[route] as readonly string[]).includes(type);
/** Why something was refused. */
export const codeOf = ({ text }: { readonly text: string }) =>
  (JSON.parse(text) as { readonly code?: string }).code;
export const isDone = ({ answer }: Sent) => answer !== undefined && answer.status < 300;
export const positionIn = ({ answer }: Sent) =>
  (JSON.parse(answer?.text ?? '') as { readonly position: Position }).position;

function lettingIn(userId: string): Sent {
  const ask = { params: { userId }, body: {}, headers: keyed(randomUUID()) };
  return { route: 'activate', by: 'admin', userId, ask, answer: undefined };
}

/** Who is at work, and on what. */
export type WorkParts = {
  readonly admin: Person;
  readonly customers: readonly Customer[];
  /** Customers who wait until they are let in. */
  readonly idle: string[];
  readonly draw: () => number;
  /** True for an answer that tells nothing of the command: it is sent again under its key. */
  readonly isOpen?: (answer: Answer) => boolean;
  /** Runs as soon as a command was answered, before its sender sends the next one. */
  readonly onAnswer?: () => void;
};

/** Customers and an admin at work on a program that something becomes of. */
export function createWork({
  admin,
  customers,
  idle,
  draw,
  isOpen = () => false,
  onAnswer = () => undefined,
}: WorkParts) {
  const sent: Sent[] = [];
  const customerOf = (userId: string) => customers.find(({ person }) => person.userId === userId);

  /** The id that the program gives a command. */
  const idOf = ({ by, userId, ask }: Sent) => {
    const key = ask.headers?.['Idempotency-Key'] ?? '';
    return commandIdOf(by === 'admin' ? admin.userId : userId, accountStream(userId), key);
  };

  /** Sends a command; false when it was not answered, or with nothing that tells what became of it. */
  const send = async (visitor: Client, command: Sent): Promise<boolean> => {
    const person = command.by === 'admin' ? admin : (customerOf(command.userId)?.person ?? admin);
    const call = () =>
      apiOf(visitor, person)
        .call(command.route, command.ask)
        .catch(() => undefined);
    let answer = await call();
    // A try of the pin counts before it is looked at, also when the program dies over it.
    if (answer !== undefined && answer.status >= 400 && codeOf(answer) === 'pin_locked') {
      const isSet = await setPin({ ...person, api: apiOf(visitor, person) }).then(
        () => true,
        () => false,
      );
      answer = isSet ? await call() : undefined;
    }
    if (answer === undefined || isOpen(answer)) return false;
    command.answer = { status: answer.status, text: answer.text };
    onAnswer();
    return true;
  };

  /** Hands in evidence for the fund requests to come, until there is enough or an upload is refused. */
  const handIn = async (visitor: Client, { person, evidence }: Customer): Promise<void> => {
    while (evidence.length < AT_HAND) {
      const fileId = await upload({ api: apiOf(visitor, person) }).catch(() => undefined);
      if (fileId === undefined) return;
      evidence.push(fileId);
    }
  };

  /** One command after another; those that were not answered are sent again. */
  const customerAtWork = async (
    visitor: Client,
    customer: Customer,
    again: Sent[],
    isOver: () => boolean,
  ) => {
    const others = customers.filter((one) => one !== customer);
    while (!isOver()) {
      const command = again.shift() ?? nextOf(customer, others, draw);
      if (!sent.includes(command)) sent.push(command);
      if (!(await send(visitor, command))) {
        again.push(command);
        continue;
      }
      const kind = (['funding', 'withdrawal', 'transfer'] as const).find(
        (one) => asking[one].request === command.route,
      );
      if (kind !== undefined && isDone(command))
        customer.open[kind].push(
          (JSON.parse(command.answer?.text ?? '') as Given<'requestFunding'>).requestId,
        );
    }
  };

  /** Lets somebody in who waits for their bonus, until that is answered. False when nobody waits. */
  const letIn = async (visitor: Client): Promise<boolean> => {
    const userId = idle.shift();
    if (userId === undefined) return false;
    const command = lettingIn(userId);
    sent.push(command);
    while (!(await send(visitor, command)));
    return true;
  };

  /** Lets in those who wait for their bonus, and runs the tick each time. */
  const adminAtWork = async (visitor: Client, waiting: string[], again: Sent[], isOver: () => boolean) => {
    while (!isOver()) {
      const userId = again.length > 0 ? undefined : waiting.shift();
      const command = again.shift() ?? (userId === undefined ? undefined : lettingIn(userId));
      if (command === undefined) return;
      if (!sent.includes(command)) sent.push(command);
      if (!(await send(visitor, command))) again.push(command);
      // Whatever it is answered with: whoever is due is paid by a later one.
      await apiOf(visitor, admin)
        .call('runBonusTick', { body: { reason: 'a test' } })
        .catch(() => undefined);
    }
  };

  return {
    sent,
    send,
    letIn,
    idOf,
    /** Everybody, until it is over; first again what was not answered the last time. While they work nobody hands in a file. */
    run: async (visitor: Client, isOver: () => boolean): Promise<void> => {
      const unanswered = sent.filter(({ answer }) => answer === undefined);
      const waiting = idle.splice(0, IDLE);
      await Promise.all(customers.map((customer) => handIn(visitor, customer)));
      await Promise.all([
        adminAtWork(
          visitor,
          waiting,
          unanswered.filter(({ route }) => route === 'activate'),
          isOver,
        ),
        ...customers.flatMap((customer) => {
          const again = unanswered.filter(({ userId }) => userId === customer.person.userId);
          return Array.from({ length: AT_ONCE }, () => customerAtWork(visitor, customer, again, isOver));
        }),
      ]);
      idle.unshift(...waiting);
    },
  };
}

export type Work = ReturnType<typeof createWork>;

/** Four customers who have money, and all that they need to ask for more. */
export async function customersAtWork(visitor: Client, admin: Person): Promise<readonly Customer[]> {
  const customers: Customer[] = [];
  for (const name of ['Ann', 'Bob', 'Carl', 'Dora']) {
    const person = await join(visitor, name);
    await setPin(person);
    await saveWalletAddress(person);
    const { position } = await credit(admin, person, { BTC: '40.00' });
    const { accountNumber } = await person.api.get('me', { headers: { 'Lode-Position': position } });
    const open = { funding: [], withdrawal: [], transfer: [] };
    customers.push({ person, accountNumber, evidence: [], open });
  }
  return customers;
}
