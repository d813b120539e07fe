import fc from 'fast-check';
import { isLodeError, type RecordedEvent } from '#kernel';
import {
  accountDecider,
  accountStream,
  convertToUsd,
  defaultBonusPolicy,
  parseDecimal,
  paymentCurrencies,
  PRICE_SCALE,
  type Account,
  type AccountCommand,
  type AccountEvent,
  type PaymentCurrency,
} from '#ledger';
import { recorded } from './log.js';

const users = ['anna', 'boris', 'chen', 'root'] as const;
type User = (typeof users)[number];

const PRICES = { BTC: 6_123_456_789_012n, PI: 31_415_927n, USDT: 100_000_000n };
/** The most that the positions of two events that follow each other differ by: positions are not counted in ones. */
const GAP = 3;
const START = Date.parse('2026-01-01T00:00:00.000Z');
const HOUR_MS = 60 * 60 * 1_000;

const amount = fc.bigInt({ min: 1n, max: 100_000n });
const currency = fc.constantFrom<PaymentCurrency>('BTC', 'PI', 'USDT');
const requestId = fc.constantFrom('r1', 'r2', 'r3', 'r4');
const reason = fc.option(fc.constantFrom('looks right', 'ünclear'), { nil: undefined });
const nth = fc.nat({ max: 3 });
/** Three admins, one of whom may have lost the right to decide, and whose approvals run out within some steps. */
const approval = fc.record({
  by: fc.constantFrom('a1', 'a2', 'a3'),
  needed: fc.constantFrom(1, 2, 2, 3),
  deciders: fc.constantFrom(new Set(['a1', 'a2', 'a3']), new Set(['a1', 'a2'])),
  expireMs: fc.constantFrom(24 * HOUR_MS, 240 * HOUR_MS),
});
/** None where one admin decides. */
const anyApproval = fc.option(approval, { nil: undefined });
const entries = fc.array(fc.record({ currency, amount: fc.bigInt({ min: -50_000n, max: 50_000n }) }), {
  minLength: 1,
  maxLength: 3,
});
const requestTypes = ['RequestFunding', 'RequestWithdrawal'] as const;
const decisionTypes = [
  'ConfirmFunding',
  'RejectFunding',
  'ConfirmWithdrawal',
  'RejectWithdrawal',
  'ConfirmTransfer',
  'RejectTransfer',
] as const;
const plainTypes = [
  'OpenAccount',
  'VerifyEmail',
  'Suspend',
  'Activate',
  'StartBonusCycle',
  'RestartBonusCycle',
  'StopBonus',
  'AccrueBonus',
] as const;
const textTypes = [
  'ChangeProfile',
  'ChangeProfileImage',
  'SaveWalletAddress',
  'CancelWalletAddress',
  'DelayMoneyOut',
] as const;

const intent = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constantFrom(...requestTypes), requestId, amount, currency }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('RequestTransfer' as const),
      requestId,
      amount,
      currency,
      to: fc.option(fc.constantFrom(...users), { nil: null }),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({ type: fc.constantFrom(...decisionTypes), requestId, approval: anyApproval }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('AdjustWallet' as const),
      entries,
      requestId,
      approval: anyApproval,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ type: fc.constant('ApproveAdjustment' as const), requestId, approval }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('RejectAdjustment' as const), requestId }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constantFrom(...plainTypes) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constantFrom(...textTypes), nth }) },
  // A transfer to another customer that was asked for and confirmed.
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('send' as const),
      requestId,
      amount,
      currency,
      to: fc.constantFrom(...users),
    }),
  },
  // A request that was decided at once.
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('decide' as const),
      kind: fc.constantFrom('Funding' as const, 'Withdrawal' as const),
      verb: fc.constantFrom('Confirm' as const, 'Reject' as const),
      requestId,
      amount,
      currency,
      approval: anyApproval,
    }),
  },
  // What a reactor does of one of the transfers’ events, be it the first time or once more.
  { weight: 8, arbitrary: fc.record({ type: fc.constant('deliver' as const), nth }) },
  // All that can be paid in any currency, and then the end.
  { weight: 1, arbitrary: fc.record({ type: fc.constant('close' as const) }) },
);
type Intent = typeof intent extends fc.Arbitrary<infer Value> ? Value : never;

const step = fc.record({
  user: fc.constantFrom(...users),
  gap: fc.integer({ min: 1, max: GAP }),
  hours: fc.constantFrom(0, 1, 8, 30, -2),
  reason,
  intent,
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** A command, and whose account it goes to. */
type Addressed = { readonly user: User; readonly command: AccountCommand };

function commandsOf({ user, intent: one }: Step, world: World): readonly Addressed[] {
  if (one.type === 'deliver')
    return deliveries(world.events)
      .toReversed()
      .slice(one.nth, one.nth + 1);
  const account = world.accounts.get(user) ?? accountDecider.initial;
  const commands =
    one.type === 'close'
      ? closing(account)
      : one.type === 'send'
        ? sending(user, one)
        : one.type === 'decide'
          ? deciding(user, one)
          : one.type === 'CancelWalletAddress'
            ? changingItsMind(user, one.nth)
            : [commandOf(user, one)];
  return commands.map((command) => ({ user, command }));
}

function commandOf(
  user: User,
  one: Exclude<Intent, { type: 'deliver' | 'close' | 'send' | 'decide' }>,
): AccountCommand {
  const file = (id: number) => ({
    bytes: 1,
    fileId: `f${id}`,
    mediaType: 'image/png',
    sha256: '0'.repeat(64),
  });
  const own = 'requestId' in one ? `${user}-${one.requestId}` : '';
  // A request and an adjustment never have the same id.
  const proposal = `${own}-by-hand`;
  const common = { prices: PRICES, policy: defaultBonusPolicy };
  switch (one.type) {
    case 'OpenAccount':
      return {
        type: one.type,
        userId: user,
        accountNumber: `30${user}`,
        role: roleOf(user),
        profile: 'sealed 0',
        isUnverified: user === users[1],
        accepted: user === users[1] ? { terms: '0'.repeat(64) } : {},
      };
    case 'RequestFunding':
      return { ...one, type: one.type, requestId: own, evidence: file(0), depositAddress: null };
    case 'RequestWithdrawal': {
      const rate = parseDecimal('1550.5', PRICE_SCALE);
      return { ...common, ...one, type: one.type, requestId: own, rate, address: null };
    }
    case 'RequestTransfer': {
      const { to, ...asked } = one;
      const receiver = to === null ? null : { userId: to, accountNumber: `30${to}` };
      const transferType = to === null ? 'international' : 'local';
      return { ...common, ...asked, requestId: own, receiver, transferType, details: `sealed ${own}` };
    }
    case 'AdjustWallet': {
      const rule = one.approval === undefined ? {} : { approval: { ...one.approval, requestId: proposal } };
      return { type: one.type, entries: one.entries, prices: PRICES, ...rule };
    }
    case 'ApproveAdjustment':
      return { ...one, prices: PRICES, requestId: proposal };
    case 'RejectAdjustment':
      return { type: one.type, requestId: proposal };
    case 'ChangeProfile':
      return { type: one.type, profile: `sealed ${one.nth}` };
    case 'ChangeProfileImage':
      return { type: one.type, image: file(one.nth) };
    case 'SaveWalletAddress':
      return { type: one.type, address: `sealed ${one.nth}`, waitMs: (one.nth % 2) * HOUR_MS };
    case 'CancelWalletAddress':
      return { type: one.type };
    case 'DelayMoneyOut':
      return { type: one.type, why: 'password_reset', waitMs: one.nth * HOUR_MS };
    case 'ConfirmFunding':
    case 'RejectFunding':
    case 'ConfirmWithdrawal':
    case 'RejectWithdrawal':
    case 'ConfirmTransfer':
    case 'RejectTransfer': {
      const rule = one.approval === undefined ? {} : { approval: one.approval };
      return { ...common, type: one.type, requestId: own, ...rule };
    }
    default:
      return { ...common, type: one.type };
  }
}

/** Another address, which is canceled before it is in force. */
function changingItsMind(user: User, nth: number): readonly AccountCommand[] {
  const address = `sealed again ${nth}`;
  return [
    { type: 'SaveWalletAddress', address, waitMs: HOUR_MS },
    commandOf(user, { type: 'CancelWalletAddress', nth }),
  ];
}

function roleOf(user: User): 'user' | 'admin' {
  return user === 'root' ? 'admin' : 'user';
}

function sending(user: User, one: Extract<Intent, { type: 'send' }>): readonly AccountCommand[] {
  return [
    commandOf(user, { ...one, type: 'RequestTransfer' }),
    commandOf(user, { type: 'ConfirmTransfer', requestId: one.requestId, approval: undefined }),
  ];
}

function deciding(user: User, one: Extract<Intent, { type: 'decide' }>): readonly AccountCommand[] {
  const { approval: rule, kind, requestId: id, verb } = one;
  return [
    commandOf(user, { ...one, type: `Request${kind}` }),
    commandOf(user, { type: `${verb}${kind}`, requestId: id, approval: rule }),
  ];
}

/** Debits what can be paid in each currency, one after the other, and closes the account. */
function closing(account: Account): readonly AccountCommand[] {
  if (account.kind === 'none') return [];
  let dollars = account.available.USD;
  const entries = paymentCurrencies.map((one) => {
    const worth = convertToUsd(account.available[one], one, PRICES[one]);
    const payable = worth < dollars ? worth : dollars;
    dollars -= payable;
    return { currency: one, amount: -payable };
  });
  return [
    { type: 'AdjustWallet', entries, prices: PRICES },
    { type: 'ForgetPerson', prices: PRICES },
  ];
}

/** What follows from each event of a transfer, in the order of the log. */
function deliveries(events: readonly RecordedEvent[]): readonly Addressed[] {
  return events.flatMap((event): readonly Addressed[] => {
    const one = accountDecider.codecs.decode(event);
    if (one.type === 'TransferConfirmed' && one.data.receiver !== null) {
      const { requestId: transferId, receiver, currency: paidIn, amount: usd, price, converted } = one.data;
      const conversion = { currency: paidIn, amount: usd, price, converted };
      const from = event.stream.slice(accountStream('').length);
      const command = { type: 'ReceiveTransfer', transferId, from, conversion } as const;
      return [{ user: receiver.userId as User, command }];
    }
    if (one.type !== 'TransferReceived' && one.type !== 'TransferRefused') return [];
    const type = one.type === 'TransferReceived' ? ('SettleTransfer' as const) : ('ReturnTransfer' as const);
    return [{ user: one.data.from as User, command: { type, requestId: one.data.transferId } }];
  });
}

/** What a sequence of commands left in the log, and the state that the ledger's own fold makes of it. */
export type History = {
  readonly events: readonly RecordedEvent[];
  readonly accounts: ReadonlyMap<string, Account>;
};

type World = { readonly events: RecordedEvent[]; readonly accounts: Map<string, Account> };

/** Two customers who have money, so that more is possible. */
const opening = users.slice(0, 2).flatMap((user): readonly Addressed[] => {
  const entries = paymentCurrencies.map((one) => ({ currency: one, amount: 500_000n }));
  return [
    { user, command: commandOf(user, { type: 'OpenAccount' }) },
    { user, command: { type: 'SaveWalletAddress', address: 'sealed' } },
    { user, command: { type: 'AdjustWallet', entries, prices: PRICES } },
    { user, command: { type: 'StartBonusCycle', policy: defaultBonusPolicy } },
  ];
});

function historyOf(steps: readonly Step[]): History {
  const world: World = { events: [], accounts: new Map() };
  const revisions = new Map<string, number>();
  let position = 0;
  let now = START;
  const carryOut = ({ user, command }: Addressed, gap: number, why: string | undefined) => {
    const before = world.accounts.get(user) ?? accountDecider.initial;
    for (const event of decided(command, before, new Date(now).toISOString())) {
      const state = world.accounts.get(user) ?? accountDecider.initial;
      world.accounts.set(user, accountDecider.evolve(state, event));
      const revision = revisions.get(user) ?? 0;
      revisions.set(user, revision + 1);
      position += gap;
      const { type, version, data } = accountDecider.codecs.encode(event);
      world.events.push(recorded(position, accountStream(user), type, data, revision, why, version));
    }
  };
  for (const one of opening) carryOut(one, 1, undefined);
  for (const one of steps) {
    now += one.hours * HOUR_MS;
    for (const command of commandsOf(one, world)) carryOut(command, one.gap, one.reason);
  }
  return world;
}

function decided(command: AccountCommand, state: Account, now: string): readonly AccountEvent[] {
  try {
    return accountDecider.decide(command, state, now);
  } catch (error) {
    if (isLodeError(error)) return [];
    throw error;
  }
}

/** Histories of a few people whose commands the ledger decided, the refused ones having left nothing. */
export const histories: fc.Arbitrary<History> = fc
  .array(step, { minLength: 20, maxLength: 90 })
  .map(historyOf);

/** The other half of `sealed …`: one person's key is gone. */
export function decryptForTests(userId: string, encrypted: string): object | 'forgotten' {
  if (userId === 'chen') return 'forgotten';
  return { email: `${userId}@lode.example`, firstname: userId, lastname: encrypted.slice(-3), phone: '+1' };
}
