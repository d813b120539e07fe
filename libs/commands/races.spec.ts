import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isLodeError, type ErrorCode } from '#kernel';
import type { EventStore } from '#event-store';
import { createMemoryEventStore } from '#event-store/memory';
import { checkLog } from '#event-store/testing';
import { createExecutor } from '#commands';
import { contextOf } from '#commands/testing';
import {
  accountDecider,
  accountStream,
  noAmounts,
  type Account,
  type AccountCommand,
  type AccountEvent,
} from '#ledger';
import { adjusting, fundingOf, pricesOf, transferOf, withdrawalOf } from '#ledger/testing';
import type { Executor } from './command.js';

type Accounts = Executor<AccountCommand, AccountEvent, Account>;

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.UTC(2026, 0, 1);
/** Orders of the store's answers that each race is run in: few commands have few that differ. */
const RUNS = 25;
const stream = accountStream('u1');
const policy = { rate: '0.10', windowDays: 7, everyHours: 7, capDays: 7, currency: 'USDT' } as const;
const opening = {
  type: 'OpenAccount',
  userId: 'u1',
  accountNumber: '3000000001',
  role: 'user',
  profile: 'x',
} as const;
const rich: readonly AccountCommand[] = [
  opening,
  { type: 'SaveWalletAddress', address: 'sealed' },
  adjusting('BTC', '100.00'),
];

type Answer =
  | { readonly kind: 'done'; readonly events: number }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly words: string };

async function answerOf(execution: ReturnType<Accounts['execute']>): Promise<Answer> {
  try {
    return { kind: 'done', events: (await execution).events.length };
  } catch (error) {
    if (!isLodeError(error)) throw error;
    return { kind: 'refused', code: error.code, words: error.message };
  }
}

/**
 * What comes of commands that are sent at once, through so many programs whose calls of the store are answered in an
 * order that the scheduler draws; `before` was done already and is remembered by all. `at` is when.
 */
async function race(
  scheduler: fc.Scheduler,
  programs: number,
  before: readonly AccountCommand[],
  commands: readonly AccountCommand[],
  at = START,
) {
  const store = createMemoryEventStore();
  const start = (on: EventStore, now: number): Accounts =>
    createExecutor({ store: on, decider: accountDecider, clock: () => now });
  const first = start(store, START);
  for (const [n, command] of before.entries()) await first.execute(stream, command, contextOf(`before ${n}`));
  const prepared = (await checkLog(store)).length;
  const drawn: EventStore = {
    ...store,
    append: scheduler.scheduleFunction(store.append),
    readStream: scheduler.scheduleFunction(store.readStream),
  };
  const all = Array.from({ length: programs }, () => start(drawn, at));
  await scheduler.waitFor(Promise.all(all.map((program) => program.load(stream))));
  const answers = await scheduler.waitFor(
    Promise.all(
      commands.map((command, n) =>
        answerOf(all[n % programs]!.execute(stream, command, contextOf(`racer ${n}`))),
      ),
    ),
  );
  const log = (await checkLog(store)).slice(prepared);
  const { state } = await start(store, at).load(stream);
  if (state.kind !== 'open') throw new Error('the account was opened');
  return { answers, events: log.map(({ type }) => type), state };
}

type Raced = Awaited<ReturnType<typeof race>>;

/** One command did something; the others were refused with these codes and did nothing. */
function expectOneWinner({ answers, events }: Raced, codes: readonly ErrorCode[]): void {
  expect(answers.filter(({ kind }) => kind === 'done')).toEqual([{ kind: 'done', events: 1 }]);
  expect(events).toHaveLength(1);
  const lost = answers.flatMap((answer) => (answer.kind === 'refused' ? [answer.code] : []));
  expect(lost.filter((code) => !codes.includes(code))).toEqual([]);
}

describe.each([
  ['one program', 1],
  ['two programs on one log', 2],
])('commands that race through %s', (_, programs) => {
  const whatever = (
    before: readonly AccountCommand[],
    commands: readonly AccountCommand[],
    check: (raced: Raced, sent: readonly AccountCommand[]) => void,
    at?: number,
  ) =>
    fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.shuffledSubarray([...commands], { minLength: 2 }),
        async (scheduler, sent) => check(await race(scheduler, programs, before, sent, at), sent),
      ),
      { numRuns: RUNS },
    );

  const prices = pricesOf();
  const funding = fundingOf('r1', '100.00', 'BTC');

  test.each([
    ['a fund request', [opening, funding], 'Funding', '100.00', '0.00'],
    ['a withdrawal', [...rich, withdrawalOf('r1', '60.00', 'BTC')], 'Withdrawal', '40.00', '100.00'],
    ['a transfer', [...rich, transferOf('r1', '60.00', 'BTC')], 'Transfer', '40.00', '100.00'],
  ] as const)(
    'to decide %s: exactly one wins, and the others are told that it was',
    async (_kind, before, kind, whenConfirmed, whenRejected) => {
      const confirm = { type: `Confirm${kind}`, requestId: 'r1', prices } as AccountCommand;
      const reject = { type: `Reject${kind}`, requestId: 'r1' } as AccountCommand;
      const many = [confirm, { ...confirm }, { ...confirm }, reject, { ...reject }, { ...reject }];
      await whatever(before, many, (raced, sent) => {
        const winner = sent[raced.answers.findIndex((answer) => answer.kind === 'done')];
        const isConfirmed = winner?.type.startsWith('Confirm') ?? false;
        expectOneWinner(
          raced,
          isConfirmed ? ['request_already_confirmed', 'request_closed'] : ['request_closed'],
        );
        const dollars = isConfirmed ? whenConfirmed : whenRejected;
        expect(raced.state.available.USD).toBe(BigInt(dollars.replace('.', '')));
        expect(raced.state.held).toEqual(noAmounts);
      });
    },
  );

  test('to set the whole balance aside, as withdrawals and transfers: one gets it', async () => {
    const commands = [
      withdrawalOf('r1', '99.00', 'BTC'),
      withdrawalOf('r2', '99.00', 'BTC'),
      transferOf('r3', '99.00', 'BTC'),
      transferOf('r4', '99.00', 'BTC', null),
      adjusting('BTC', '-99.00'),
    ];
    await whatever(rich, commands, (raced, sent) => {
      expectOneWinner(raced, ['insufficient_balance']);
      const winner = sent[raced.answers.findIndex(({ kind }) => kind === 'done')];
      expect(raced.state.available.USD).toBe(100n);
      expect(raced.state.held.USD).toBe(winner?.type === 'AdjustWallet' ? 0n : 9_900n);
    });
  });

  test('to spend parts of one balance: only what is there is spent', async () => {
    const commands = ['-60.00', '-60.00', '-41.00', '-100.00'].map((dollars) => adjusting('BTC', dollars));
    // Any two of these are more than there is.
    await whatever(rich, commands, (raced) => {
      expectOneWinner(raced, ['insufficient_balance']);
      const lost = raced.answers.flatMap((answer) => (answer.kind === 'refused' ? [answer.words] : []));
      expect(lost).toEqual(lost.map(() => 'Insufficient BTC wallet balance!'));
    });
  });

  test('to confirm a withdrawal and to send the rest away: a dollar stays, or it is refused', async () => {
    const before = [...rich, withdrawalOf('r1', '60.00', 'BTC')];
    const commands: AccountCommand[] = [
      { type: 'ConfirmWithdrawal', requestId: 'r1' },
      adjusting('BTC', '-40.00'),
    ];
    await whatever(before, commands, ({ answers, state, events }, sent) => {
      const [withdrawal] = answers.filter((_answer, n) => sent[n]?.type === 'ConfirmWithdrawal');
      const isDebitFirst = events[0] === 'WalletDebited';
      expect(withdrawal?.kind).toBe(isDebitFirst ? 'refused' : 'done');
      expect(state.held.USD).toBe(isDebitFirst ? 6_000n : 0n);
      expect(state.available.USD).toBe(0n);
    });
  });

  test('to suspend and to ask: what is asked after it is refused, what was asked before it stays', async () => {
    const commands: AccountCommand[] = [
      { type: 'Suspend' },
      withdrawalOf('r1', '10.00', 'BTC'),
      transferOf('r2', '10.00', 'BTC'),
      fundingOf('r3', '10.00', 'BTC'),
    ];
    await whatever(rich, commands, ({ answers, events, state }, sent) => {
      const done = answers.filter(({ kind }) => kind === 'done');
      expect(done).toHaveLength(events.length);
      const suspended = events.indexOf('AccountSuspended');
      const wasSuspended = sent.some(({ type }) => type === 'Suspend');
      expect(suspended).toBe(wasSuspended ? events.length - 1 : -1);
      for (const answer of answers)
        if (answer.kind === 'refused') expect(answer.code).toBe('account_suspended');
      expect(state.requests.size).toBe(events.length - (wasSuspended ? 1 : 0));
    });
  });

  const conversion = {
    currency: 'BTC',
    amount: 1_000n,
    price: 10n ** 8n,
    converted: 1_000_000_000n,
  } as const;
  const receive = { type: 'ReceiveTransfer', transferId: 't1', from: 'u2', conversion } as const;

  test('to receive one transfer many times: it is booked once, and nobody is refused', async () => {
    const commands = [receive, { ...receive }, { ...receive }, { ...receive }];
    await whatever([opening], commands, ({ answers, events, state }) => {
      expect(answers.filter(({ kind }) => kind === 'refused')).toEqual([]);
      expect(events).toEqual(['TransferReceived']);
      expect(state.available.USD).toBe(1_000n);
    });
  });

  test('to receive a transfer and to close the account: it is booked, or goes back', async () => {
    const commands: AccountCommand[] = [receive, { type: 'ForgetPerson', prices }];
    await whatever([opening], commands, ({ events, state }) => {
      expect([['TransferReceived'], ['PersonForgotten', 'TransferRefused']]).toContainEqual(events);
      expect(state.status === 'closed' ? 0n : 1_000n).toBe(state.available.USD);
    });
  });

  test('to bring a transfer to its end in two ways: the first one counts', async () => {
    const before: AccountCommand[] = [
      ...rich,
      transferOf('r1', '60.00', 'BTC'),
      { type: 'ConfirmTransfer', requestId: 'r1' },
    ];
    const commands: AccountCommand[] = [
      { type: 'ReturnTransfer', requestId: 'r1' },
      { type: 'SettleTransfer', requestId: 'r1' },
    ];
    await whatever(before, commands, (raced) => {
      expectOneWinner(raced, ['request_closed']);
      expect(raced.state.available.USD).toBe(raced.events[0] === 'TransferReturned' ? 10_000n : 4_000n);
    });
  });

  test('to pay one bonus, in many ticks at once: it is paid once', async () => {
    const before: AccountCommand[] = [...rich, { type: 'StartBonusCycle', policy }];
    const tick = { type: 'AccrueBonus', policy, prices } as const;
    await whatever(
      before,
      [tick, { ...tick }, { ...tick }, { ...tick }],
      ({ answers, events, state }) => {
        expect(answers.filter(({ kind }) => kind === 'refused')).toEqual([]);
        expect(events).toEqual(['BonusAccrued']);
        expect(state.available.USD).toBe(12_000n);
      },
      START + 2 * DAY_MS + HOUR_MS,
    );
  });

  test('to open one account: one opens it, and the same again does nothing', async () => {
    const commands = [opening, { ...opening }, { ...opening, accountNumber: '3000000002' }];
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const { answers, events } = await race(scheduler, programs, [], commands);
        expect(events).toEqual(['AccountOpened']);
        const opened = answers.filter((answer) => answer.kind === 'done' && answer.events === 1);
        expect(opened).toHaveLength(1);
      }),
      { numRuns: RUNS },
    );
  });
});
