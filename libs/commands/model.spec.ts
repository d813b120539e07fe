import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { chainHolds, chainStart, invariant, isLodeError, logStart, type RecordedEvent } from '#kernel';
import type { EventStore } from '#event-store';
import { createMemoryEventStore } from '#event-store/memory';
import { checkLog } from '#event-store/testing';
import { createExecutor, type Executor } from '#commands';
import {
  apply,
  contextOf,
  emptyModel,
  type ModelCommand,
  type Outcome,
  type WalletModel,
} from '#commands/testing';
import {
  accountDecider,
  accountStream,
  availableOf,
  currencies,
  heldOf,
  parseMoney,
  postingsOf,
  type Account,
  type AccountCommand,
  type AccountEvent,
} from '#ledger';
import { accountCommand, fundingOf, pricesOf } from '#ledger/testing';

type Accounts = Executor<AccountCommand, AccountEvent, Account>;

const RUNS = 1_000;
const MAX_COMMANDS = 100;
const users = ['u1', 'u2'] as const;

/** The program under test: two of them on one log, and what the log says on its own. */
type Program = {
  readonly store: EventStore;
  readonly programs: Accounts[];
  readonly books: Books;
};

/** A program that remembers so many streams. */
function start(store: EventStore, cacheMax = 16): Accounts {
  return createExecutor({ store, decider: accountDecider, clock: () => Date.UTC(2026, 0, 1), cacheMax });
}

/** The trial balance, kept from the postings in the log and nothing else; `read` takes in and checks what is new in it. */
type Books = {
  read(store: EventStore): Promise<number>;
  balanceOf(account: string, currency: string): bigint;
  total(currency: string): bigint;
};

function openBooks(): Books {
  const balances = new Map<string, bigint>();
  const heads = new Map<string, RecordedEvent>();
  let position = logStart;
  return {
    async read(store) {
      const events = await store.readAll(position, 1_000);
      for (const event of events) {
        const before = heads.get(event.stream);
        invariant(event.revision === (before?.revision ?? -1) + 1, 'revisions have no gap');
        invariant(chainHolds(before?.meta.chain ?? chainStart, event), 'the chain holds');
        heads.set(event.stream, event);
        position = event.position;
        for (const { account, currency, amount } of postingsOf(event as RecordedEvent<AccountEvent>)) {
          const key = `${account} ${currency}`;
          balances.set(key, (balances.get(key) ?? 0n) + parseMoney(amount, currency));
        }
      }
      return events.length;
    },
    balanceOf: (account, currency) => balances.get(`${account} ${currency}`) ?? 0n,
    total: (currency) =>
      [...balances]
        .filter(([key]) => key.endsWith(` ${currency}`))
        .reduce((sum, [, amount]) => sum + amount, 0n),
  };
}

/** What must be true after every step, whatever it was. */
async function checkEverything(
  model: WalletModel,
  { store, programs, books }: Program,
  appended: number,
): Promise<void> {
  must('new events in the log', await books.read(store), appended);
  for (const currency of currencies) must(`the trial balance in ${currency}`, books.total(currency), 0n);
  for (const userId of users) {
    const expected = model.accounts.get(userId);
    for (const program of programs) {
      const { state } = await program.load(accountStream(userId));
      must(`${userId} is there`, state.kind === 'open', expected !== undefined);
      if (state.kind === 'none') continue;
      must(`the balances of ${userId}`, state.available, expected?.balances);
      must(
        `the requests of ${userId}`,
        state.requests.toObject(),
        Object.fromEntries(expected?.requests ?? []),
      );
      for (const currency of currencies) {
        must(
          'what the postings add up to',
          books.balanceOf(availableOf(userId), currency),
          state.available[currency],
        );
        must('what the holds add up to', books.balanceOf(heldOf(userId), currency), state.held[currency]);
        must('a balance below zero', state.available[currency] < 0n || state.held[currency] < 0n, false);
      }
    }
  }
}

/** Like `expect(actual).toEqual(expected)`, which takes a minute for what this model checks millions of times. */
function must(what: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect({ [what]: actual }).toEqual({ [what]: expected });
}

/** What a program answers to a command, in the model's words. */
async function answerOf(
  execution: ReturnType<Accounts['execute']>,
): Promise<Outcome & { readonly replayed?: boolean }> {
  try {
    const { events, replayed } = await execution;
    return { kind: 'done', events: events.length, replayed };
  } catch (error) {
    if (!isLodeError(error)) throw error;
    return { kind: 'refused', code: error.code, words: error.message };
  }
}

type Step = fc.AsyncCommand<WalletModel, Program>;

/** A customer or an admin sends something new through one of the programs. */
function send(userId: string, command: ModelCommand, via: number): Step {
  return {
    check: () => true,
    async run(model, program) {
      const key = `key ${model.sent.length}`;
      const outcome = apply(model, userId, command);
      model.sent.push({ userId, command, key, outcome });
      const answer = await answerOf(
        program.programs[via]!.execute(accountStream(userId), command, contextOf(key)),
      );
      expect(answer).toMatchObject(
        outcome.kind === 'done' ? { ...outcome, replayed: false } : plain(outcome),
      );
      await checkEverything(model, program, outcome.kind === 'done' ? outcome.events : 0);
    },
    toString: () => `${userId} via ${via}: ${fc.stringify(command)}`,
  };
}

/** A client that heard nothing sends something again: what had done something is answered the same and does nothing. */
function sendAgain(which: number, via: number): Step {
  return {
    check: (model) => model.sent.length > 0,
    async run(model, program) {
      const index = which % model.sent.length;
      const { userId, command, key, outcome: first } = model.sent[index]!;
      const wasDone = first.kind === 'done' && first.events > 0;
      const outcome = wasDone ? first : apply(model, userId, command);
      // What was refused before is decided anew, and may be done this time.
      if (!wasDone) model.sent[index] = { userId, command, key, outcome };
      const answer = await answerOf(
        program.programs[via]!.execute(accountStream(userId), command, contextOf(key)),
      );
      expect(answer).toMatchObject(
        outcome.kind === 'done' ? { ...outcome, replayed: wasDone } : plain(outcome),
      );
      await checkEverything(model, program, !wasDone && outcome.kind === 'done' ? outcome.events : 0);
    },
    toString: () => `again via ${via}: number ${which}`,
  };
}

/** A key that did something comes with another request. */
function reuseKey(which: number, via: number): Step {
  return {
    check: (model) => model.sent.some(({ outcome }) => outcome.kind === 'done' && outcome.events > 0),
    async run(model, program) {
      const used = model.sent.filter(({ outcome }) => outcome.kind === 'done' && outcome.events > 0);
      const { userId, command, key } = used[which % used.length]!;
      const execution = program.programs[via]!.execute(
        accountStream(userId),
        command,
        contextOf(key, 'other'),
      );
      expect(await answerOf(execution)).toMatchObject({ kind: 'refused', code: 'idempotency_key_reused' });
      await checkEverything(model, program, 0);
    },
    toString: () => `key reused via ${via}: number ${which}`,
  };
}

/** One of the programs stops and starts; it may be one that remembers almost nothing. */
function restart(via: number, forgetful: boolean): Step {
  return {
    check: () => true,
    async run(model, program) {
      program.programs[via] = start(program.store, forgetful ? 1 : undefined);
      await checkEverything(model, program, 0);
    },
    toString: () => `restart ${via}${forgetful ? ', forgetful' : ''}`,
  };
}

function plain({ code, words }: Extract<Outcome, { kind: 'refused' }>) {
  return { kind: 'refused', code, ...(words === undefined ? {} : { words }) };
}

/** Amounts that people use, so that many commands are taken and balances meet each other. */
const cents = fc.oneof(fc.bigInt({ min: -20_000n, max: 20_000n }), fc.constantFrom(-10_000n, 10_000n, 0n));
const currency = fc.constantFrom('BTC', 'PI', 'USDT' as const);
const prices = fc.constantFrom(
  pricesOf(),
  pricesOf({ BTC: '60000.12345678', PI: '3', USDT: '0.99999999' }),
  pricesOf({ BTC: '0.00000001', PI: '7.77', USDT: '1' }),
);
const requestId = fc.constantFrom('r1', 'r2', 'r3', 'r4', 'r5', 'r6');
const everyday: fc.Arbitrary<ModelCommand> = fc.oneof(
  fc.tuple(requestId, fc.bigInt({ min: 1n, max: 50_000n }), currency).map(([id, amount, paidIn]) => ({
    ...fundingOf(id, '1.00', paidIn),
    amount,
  })),
  fc.record({ type: fc.constant('ConfirmFunding'), requestId, prices }),
  fc.record({ type: fc.constant('RejectFunding'), requestId }),
  fc.record({
    type: fc.constant('AdjustWallet'),
    entries: fc.array(fc.record({ currency, amount: cents }), { maxLength: 3 }),
    prices,
  }),
);

describe('the wallet, beside a model of it', () => {
  test('answers and holds what the model says, after every command', async () => {
    const user = fc.constantFrom(...users);
    const via = fc.nat({ max: 1 });
    const opening = user.map(
      (userId) =>
        ({
          type: 'OpenAccount',
          userId,
          accountNumber: `300000000${userId.slice(1)}`,
          role: 'user',
          profile: 'x',
        }) as const,
    );
    const outlandish = accountCommand().filter(
      (command): command is Exclude<ModelCommand, { type: 'OpenAccount' }> =>
        ['RequestFunding', 'ConfirmFunding', 'RejectFunding', 'AdjustWallet'].includes(command.type),
    );
    const steps = [
      fc.tuple(opening, via).map(([command, program]) => send(command.userId, command, program)),
      fc.tuple(user, everyday, via).map((step) => send(...step)),
      fc.tuple(user, everyday, via).map((step) => send(...step)),
      fc.tuple(user, everyday, via).map((step) => send(...step)),
      fc.tuple(user, outlandish, via).map((step) => send(...step)),
      fc.tuple(fc.nat(), via).map((step) => sendAgain(...step)),
      fc.tuple(fc.nat(), via).map((step) => reuseKey(...step)),
      fc.tuple(via, fc.boolean()).map((step) => restart(...step)),
    ];
    await fc.assert(
      fc.asyncProperty(fc.commands(steps, { maxCommands: MAX_COMMANDS, size: 'max' }), async (commands) => {
        const store = createMemoryEventStore();
        await fc.asyncModelRun(
          () => ({
            model: emptyModel(),
            real: { store, programs: [start(store), start(store)], books: openBooks() },
          }),
          commands,
        );
        await checkLog(store);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('commands that race', () => {
  const stream = accountStream('u1');
  const opening = {
    type: 'OpenAccount',
    userId: 'u1',
    accountNumber: '3000000001',
    role: 'user',
    profile: 'x',
  } as const;
  const confirm = { type: 'ConfirmFunding', requestId: 'r1', prices: pricesOf() } as const;
  const reject = { type: 'RejectFunding', requestId: 'r1' } as const;
  const adjust = (dollars: string) =>
    ({
      type: 'AdjustWallet',
      entries: [{ currency: 'BTC', amount: parseMoney(dollars, 'USD') }],
      prices: pricesOf(),
    }) as const;

  /**
   * What comes of commands that are sent at once through two programs whose calls of the store are answered in an order
   * that the scheduler draws; `before` was done already and is remembered by both.
   */
  async function race(
    scheduler: fc.Scheduler,
    before: readonly ModelCommand[],
    commands: readonly ModelCommand[],
  ) {
    const store = createMemoryEventStore();
    const first = start(store);
    for (const [n, command] of before.entries())
      await first.execute(stream, command, contextOf(`before ${n}`));
    const drawn: EventStore = {
      ...store,
      append: scheduler.scheduleFunction(store.append),
      readStream: scheduler.scheduleFunction(store.readStream),
    };
    const programs = [start(drawn), start(drawn)];
    await scheduler.waitFor(Promise.all(programs.map((program) => program.load(stream))));
    const answers = await scheduler.waitFor(
      Promise.all(
        commands.map((command, n) =>
          answerOf(programs[n % 2]!.execute(stream, command, contextOf(`racer ${n}`))),
        ),
      ),
    );
    const log = await checkLog(store);
    const { state } = await start(store).load(stream);
    if (state.kind !== 'open') throw new Error('the account was opened before');
    return { answers, log, state };
  }

  const racing = (commands: readonly ModelCommand[]) => fc.shuffledSubarray([...commands], { minLength: 2 });

  test('to decide one request: exactly one wins, and the others are told that it was', async () => {
    const before = [opening, fundingOf('r1', '100.00', 'BTC')];
    const commands = racing([confirm, confirm, confirm, reject, reject, reject]);
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), commands, async (scheduler, sent) => {
        const { answers, log, state } = await race(scheduler, before, sent);
        expect(answers.filter(({ kind }) => kind === 'done')).toHaveLength(1);
        const won = sent[answers.findIndex(({ kind }) => kind === 'done')];
        const words = won === confirm ? 'Transaction already confirmed' : 'Transaction Closed';
        const lost = answers.filter((answer) => answer.kind === 'refused').map((answer) => answer.words);
        expect(lost).toEqual(lost.map(() => words));
        expect(log).toHaveLength(before.length + 1);
        expect(state.available.USD).toBe(won === confirm ? 10_000n : 0n);
      }),
    );
  });

  test('to spend one balance: only what is there is spent', async () => {
    const before = [opening, adjust('100.00')];
    const commands = racing([
      adjust('-60.00'),
      adjust('-60.00'),
      adjust('-60.00'),
      adjust('-41.00'),
      adjust('-100.00'),
    ]);
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), commands, async (scheduler, sent) => {
        const { answers, log, state } = await race(scheduler, before, sent);
        // Any two of these are more than there is.
        expect(answers.filter(({ kind }) => kind === 'done')).toHaveLength(1);
        const lost = answers.filter((answer) => answer.kind === 'refused').map((answer) => answer.words);
        expect(lost).toEqual(lost.map(() => 'Insufficient BTC wallet balance!'));
        expect(log).toHaveLength(before.length + 1);
        expect(state.available.USD >= 0n).toBe(true);
      }),
    );
  });

  test('to open one account: one opens it, and the same again does nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const { answers, log } = await race(
          scheduler,
          [],
          [opening, opening, { ...opening, accountNumber: '3000000002' }],
        );
        expect(log).toHaveLength(1);
        expect(answers.filter((answer) => answer.kind === 'done' && answer.events === 1)).toHaveLength(1);
      }),
    );
  });
});
