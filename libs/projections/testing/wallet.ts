import fc from 'fast-check';
import { isLodeError, type RecordedEvent } from '#kernel';
import {
  accountDecider,
  accountStream,
  type Account,
  type AccountCommand,
  type PaymentCurrency,
} from '#ledger';
import { recorded } from './log.js';

const users = ['anna', 'boris', 'chen', 'root'] as const;
const PRICES = { BTC: 6_123_456_789_012n, PI: 31_415_927n, USDT: 100_000_000n };
/** The most that the positions of two events that follow each other differ by: positions are not counted in ones. */
const GAP = 3;

const amount = fc.bigInt({ min: 1n, max: 1_000_000n });
const currency = fc.constantFrom<PaymentCurrency>('BTC', 'PI', 'USDT');
const requestId = fc.constantFrom('r1', 'r2', 'r3', 'r4');
const reason = fc.option(fc.constantFrom('looks right', 'ünclear'), { nil: undefined });

const step = fc.record({
  user: fc.constantFrom(...users),
  gap: fc.integer({ min: 1, max: GAP }),
  reason,
  command: fc.oneof(
    { weight: 1, arbitrary: fc.record({ type: fc.constant('OpenAccount' as const) }) },
    {
      weight: 4,
      arbitrary: fc.record({ type: fc.constant('RequestFunding' as const), requestId, amount, currency }),
    },
    { weight: 3, arbitrary: fc.record({ type: fc.constant('ConfirmFunding' as const), requestId }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('RejectFunding' as const), requestId }) },
    {
      weight: 3,
      arbitrary: fc.record({
        type: fc.constant('AdjustWallet' as const),
        entries: fc.array(fc.record({ currency, amount: fc.bigInt({ min: -500_000n, max: 500_000n }) }), {
          minLength: 1,
          maxLength: 3,
        }),
      }),
    },
  ),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function commandOf({ user, command }: Step): AccountCommand {
  const evidence = { bytes: 1, fileId: 'f', mediaType: 'image/png', sha256: '0'.repeat(64) };
  const own = (id: string) => `${user}-${id}`;
  switch (command.type) {
    case 'OpenAccount':
      return {
        type: command.type,
        userId: user,
        accountNumber: `30${user}`,
        role: user === 'root' ? 'admin' : 'user',
        profile: `sealed ${user}`,
      };
    case 'RequestFunding':
      return { ...command, requestId: own(command.requestId), evidence };
    case 'ConfirmFunding':
      return { ...command, requestId: own(command.requestId), prices: PRICES };
    case 'RejectFunding':
      return { ...command, requestId: own(command.requestId) };
    case 'AdjustWallet':
      return { ...command, prices: PRICES };
  }
}

/** What a sequence of commands left in the log, and the state that the ledger's own fold makes of it. */
export type History = {
  readonly events: readonly RecordedEvent[];
  readonly accounts: ReadonlyMap<string, Account>;
};

function historyOf(steps: readonly Step[]): History {
  const events: RecordedEvent[] = [];
  const accounts = new Map<string, Account>();
  const revisions = new Map<string, number>();
  let position = 0;
  const openings: readonly Step[] = users.map((user) => ({
    user,
    gap: 1,
    reason: undefined,
    command: { type: 'OpenAccount' },
  }));
  for (const one of [...openings.slice(0, 2), ...steps]) {
    const before = accounts.get(one.user) ?? accountDecider.initial;
    for (const event of decided(one, before)) {
      const state = accounts.get(one.user) ?? accountDecider.initial;
      accounts.set(one.user, accountDecider.evolve(state, event));
      const revision = revisions.get(one.user) ?? 0;
      revisions.set(one.user, revision + 1);
      position += one.gap;
      events.push(recorded(position, accountStream(one.user), event.type, event.data, revision, one.reason));
    }
  }
  return { events, accounts };
}

function decided(one: Step, state: Account) {
  try {
    return accountDecider.decide(commandOf(one), state, '2026-01-01T00:00:00.000Z');
  } catch (error) {
    if (isLodeError(error)) return [];
    throw error;
  }
}

/** Histories of a few people whose commands the ledger decided, the refused ones having left nothing. */
export const histories: fc.Arbitrary<History> = fc
  .array(step, { minLength: 10, maxLength: 60 })
  .map(historyOf);

/** The other half of `sealed …`: one person was forgotten. */
export function decryptForTests(userId: string, sealed: string): object | 'forgotten' {
  if (userId === 'chen') return 'forgotten';
  return { email: `${userId}@lode.example`, firstname: userId, lastname: sealed.slice(-3), phone: '+1' };
}
