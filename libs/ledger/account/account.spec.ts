import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InvariantViolation, type StoredFact } from '#kernel';
import {
  accountDecider,
  accountStream,
  addAmounts,
  availableOf,
  currencies,
  heldOf,
  isBalanced,
  MAX_MINOR,
  noAmounts,
  postingsOf,
  sumOf,
  type Account,
  type AccountCommand,
  type AccountEvent,
  type Currency,
  type OpenAccount,
} from '#ledger';
import {
  accountCommand,
  accountOf,
  adjusting,
  customer,
  customerId,
  fundingOf,
  refusalOf,
  rejectingFunding as rejecting,
  taken,
  transferOf,
  withdrawalOf,
} from '#ledger/testing';

const NOW = '2026-01-01T00:00:00.000Z';
const HOUR_MS = 60 * 60 * 1_000;
const { codecs, decide, evolve, initial } = accountDecider;

/** Everything that a state says, as text, to see that nothing in it was changed. */
function textOf(state: Account): string {
  return JSON.stringify(state, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}

/** A command and when it is sent: a clock that mostly goes on, and now and then back. */
type Timed = { readonly command: AccountCommand; readonly at: string };

const instant = fc
  .integer({ min: 0, max: 12 * 24 })
  .map((hours) => new Date(Date.parse(NOW) + hours * HOUR_MS).toISOString());
const timed = (type?: AccountCommand['type']): fc.Arbitrary<Timed> =>
  fc.record({ command: accountCommand(type), at: instant });
const step = (state: Account, { command, at }: Timed) => taken(command, state, at).reduce(evolve, state);

const opening: AccountCommand = {
  type: 'OpenAccount',
  userId: customerId,
  accountNumber: '3000000001',
  role: 'user',
  profile: 'sealed',
};
const admins = new Set(['a1', 'a2', 'a3']);
const proposing = (requestId: string, dollars: string): AccountCommand => ({
  ...adjusting('PI', dollars),
  approval: { requestId, by: 'a1', needed: 2, deciders: admins, expireMs: 72 * HOUR_MS },
});
const cycle = { rate: '0.10', windowDays: 7, everyHours: 7, capDays: 7, currency: 'USDT' } as const;
const rich: readonly AccountCommand[] = [
  { type: 'SaveWalletAddress', address: 'sealed' },
  { type: 'SaveWalletAddress', address: 'sealed 1', waitMs: 30 * 24 * HOUR_MS },
  adjusting('BTC', '1000.00'),
  adjusting('PI', '1000.00'),
  adjusting('USDT', '1000.00'),
];
const busy: readonly AccountCommand[] = [
  ...rich,
  { type: 'StartBonusCycle', policy: cycle },
  fundingOf('r1', '5.00', 'PI'),
  withdrawalOf('r2', '5.00', 'BTC'),
  transferOf('r3', '5.00', 'USDT'),
  proposing('r1', '5.00'),
  proposing('r4', '-5.00'),
];
const sending: readonly AccountCommand[] = [
  ...rich,
  transferOf('r1', '5.00', 'USDT'),
  { type: 'ConfirmTransfer', requestId: 'r1' },
  transferOf('r2', '5.00', 'USDT'),
  { type: 'ConfirmTransfer', requestId: 'r2' },
];

/** Accounts that any commands can make, many of them with money, requests of each kind and transfers under way. */
const opened = fc
  .tuple(
    fc.constantFrom<AccountCommand>(opening, { ...opening, isUnverified: true }),
    fc.constantFrom<readonly AccountCommand[]>([], rich, busy, sending),
    fc.array(timed(), { maxLength: 20 }),
  )
  .map(([open, first, then]) =>
    [...[open, ...first].map((command) => ({ command, at: NOW })), ...then].reduce<Account>(step, initial),
  );

/** How many accounts there are to draw from: building one takes longer than what is asked of it. */
const ACCOUNTS = 1_000;
const accountAfter = fc.oneof(
  { weight: 1, arbitrary: fc.constant(initial) },
  { weight: 30, arbitrary: fc.constantFrom(...fc.sample(opened, ACCOUNTS)) },
);

/** What by itself books again, or counts another approval. */
const onceMore = ['AdjustWallet', 'ApproveAdjustment'] as const;

/** What the same command gives on the account that it left: no events; or, since a request is decided once, a refusal. */
const again = {
  OpenAccount: [],
  RequestFunding: [],
  ConfirmFunding: 'request_already_confirmed',
  RejectFunding: 'request_closed',
  RequestWithdrawal: [],
  ConfirmWithdrawal: 'request_already_confirmed',
  RejectWithdrawal: 'request_closed',
  RequestTransfer: [],
  ConfirmTransfer: 'request_already_confirmed',
  RejectTransfer: 'request_closed',
  ReceiveTransfer: [],
  SettleTransfer: [],
  ReturnTransfer: [],
  ChangeProfile: [],
  ChangeProfileImage: [],
  SaveWalletAddress: [],
  CancelWalletAddress: [],
  DelayMoneyOut: [],
  VerifyEmail: [],
  Suspend: [],
  Activate: [],
  ForgetPerson: [],
  StartBonusCycle: [],
  RestartBonusCycle: [],
  StopBonus: [],
  AccrueBonus: [],
  RejectAdjustment: 'request_closed',
} as const satisfies Record<Exclude<AccountCommand['type'], (typeof onceMore)[number]>, string | readonly []>;
const repeatable = Object.keys(again) as (keyof typeof again)[];
const types: readonly AccountCommand['type'][] = [...repeatable, ...onceMore];

describe.each(types.map((type) => [type] as const))('%s, on every account that commands can make', (type) => {
  test('gives events that add up, that leave a healthy account and that say what they left', () => {
    let given = 0;
    const holds = fc.property(accountAfter, timed(type), (state, { command, at }) => {
      let account = state;
      for (const event of taken(command, state, at)) {
        const before = account;
        account = evolve(account, event);
        given += 1;
        expect(isBalanced(postingsOf(event))).toBe(true);
        expectHealthy(account);
        if (account.kind === 'none') throw new Error('no event takes an account away');
        expectBooked(before, event, account);
      }
    });
    // Commands that few accounts take are rarely drawn with one that does.
    for (let round = 0; round === 0 || (given === 0 && round < 10); round += 1)
      fc.assert(holds, { numRuns: 400 });
    expect(given).toBeGreaterThan(0);
  });

  test('changes nothing in the state it looks at, and answers the same whenever it is asked', () => {
    fc.assert(
      fc.property(accountAfter, timed(type), (state, { command, at }) => {
        const before = textOf(state);
        const answer = () => refusalOf(() => decide(command, state, at)) ?? taken(command, state, at);
        expect(answer()).toEqual(answer());
        expect(textOf(state)).toBe(before);
      }),
      { numRuns: 100 },
    );
  });
});

/** Whether the address of a currency was canceled that has none of its own any more. */
function hasNoOwn(command: AccountCommand, after: Account): boolean {
  if (command.type !== 'CancelWalletAddress' || command.currency === undefined) return false;
  return after.kind === 'open' && after.addresses[command.currency] === undefined;
}

// An adjustment says how much more or less: asked for again it is another one, and the command's id tells a repetition.
describe.each(repeatable.map((type) => [type] as const))('%s, once it was done', (type) => {
  test(`asked for again gives ${JSON.stringify(again[type])}`, () => {
    fc.assert(
      fc.property(accountAfter, timed(type), (state, one) => {
        const events = taken(one.command, state, one.at);
        fc.pre(events.length > 0);
        const after = events.reduce(evolve, state);
        // Without one of its own a currency goes by the address of all, whose change is another one to cancel.
        fc.pre(!hasNoOwn(one.command, after));
        const refusal = refusalOf(() => decide(one.command, after, one.at));
        expect(refusal?.code ?? taken(one.command, after, one.at)).toEqual(again[type]);
      }),
      { numRuns: 50, maxSkipsPerRun: 1_000 },
    );
  });
});

/** The balances moved by the postings and nothing else, and the event tells what they were afterwards. */
function expectBooked(before: Account, event: AccountEvent, after: OpenAccount): void {
  const { available, held } = before.kind === 'none' ? { available: noAmounts, held: noAmounts } : before;
  const postings = postingsOf(event);
  expect(after.available).toEqual(addAmounts(available, sumOf(postings, availableOf(customerId))));
  expect(after.held).toEqual(addAmounts(held, sumOf(postings, heldOf(customerId))));
  if (!('after' in event.data)) return;
  const { currency, after: told } = event.data;
  const total = (one: Currency) => after.available[one] + after.held[one];
  expect(told).toEqual({ wallet: total('USD'), balance: total(currency) });
}

/** No balance is below zero or more than can be held, and what is held is what open requests have set aside. */
function expectHealthy(state: Account): void {
  if (state.kind === 'none') return;
  const aside = { ...noAmounts };
  for (const request of state.requests.values()) {
    if (request.status !== 'Pending' || request.kind === 'funding') continue;
    aside.USD += request.amount;
    aside[request.currency] += request.converted;
  }
  expect(state.held).toEqual(aside);
  for (const currency of currencies) {
    const [available, held] = [state.available[currency], state.held[currency]];
    expect(available >= 0n && held >= 0n && available + held <= MAX_MINOR).toBe(true);
  }
  if (state.status === 'closed') expect([state.available, state.held]).toEqual([noAmounts, noAmounts]);
}

test('what is decided is the same when it was stored and read again, and folds to the same', () => {
  fc.assert(
    fc.property(fc.array(timed(), { maxLength: 30 }), (commands) => {
      const events: AccountEvent[] = [];
      let state: Account = initial;
      for (const { command, at } of [{ command: opening, at: NOW }, ...commands]) {
        const more = taken(command, state, at);
        state = more.reduce(evolve, state);
        events.push(...more);
      }
      const stored = JSON.parse(JSON.stringify(events.map(codecs.encode))) as StoredFact[];
      const read = stored.map(codecs.decode);
      expect(read).toEqual(events);
      expect(textOf(read.reduce(evolve, initial))).toBe(textOf(state));
    }),
    { numRuns: 200 },
  );
});

describe('opening', () => {
  const opening = {
    type: 'OpenAccount',
    userId: 'u1',
    accountNumber: '3012345678',
    role: 'user',
    profile: 'x',
  } as const;

  test('begins with nothing in every currency', () => {
    expect(accountOf(opening)).toMatchObject({
      kind: 'open',
      role: 'user',
      available: noAmounts,
      held: noAmounts,
    });
    expect(accountStream('u1')).toBe('account-u1');
  });

  test.each([
    ['another account number', { ...opening, accountNumber: '3087654321' }],
    ['another role', { ...opening, role: 'admin' }],
  ] as const)('is refused with %s', (_, other) => {
    expect(refusalOf(() => decide(other, accountOf(opening), NOW))).toEqual({
      code: 'account_exists',
      message: 'User already exists',
    });
  });

  const others = types.filter((type) => type !== 'OpenAccount').map((type) => [type] as const);

  test.each(others)('%s needs it', (type) => {
    const [command] = fc.sample(accountCommand(type), { numRuns: 1, seed: 1 });
    expect(refusalOf(() => decide(command!, initial, NOW))?.code).toBe('account_not_found');
  });

  const own = [
    'ChangeProfile',
    'ChangeProfileImage',
    'SaveWalletAddress',
    'CancelWalletAddress',
    'DelayMoneyOut',
    'VerifyEmail',
    'Suspend',
    'Activate',
    'ForgetPerson',
  ];
  const ofMoney = others.filter(([type]) => !own.includes(type));

  test.each(ofMoney)('%s does nothing to an admin, who has no wallet', (type) => {
    const admin = accountOf({ ...opening, role: 'admin' });
    const answers = fc.sample(accountCommand(type), { numRuns: 20, seed: 1 }).map((command) => {
      const refusal = refusalOf(() => decide(command, admin, NOW));
      return refusal?.code ?? taken(command, admin, NOW).map((event) => event.type);
    });
    const expected: Partial<Record<AccountCommand['type'], string | readonly string[]>> = {
      // It is told to the sender, so that the money comes back.
      ReceiveTransfer: ['TransferRefused'],
      StartBonusCycle: [],
      AccrueBonus: [],
    };
    expect(answers).toEqual(answers.map(() => expected[type] ?? 'not_a_customer'));
  });
});

test('no account is closed while a transfer of it is in transit', () => {
  const forget = { type: 'ForgetPerson', prices: { BTC: 1n, PI: 1n, USDT: 1n } } as const;
  const sent = accountOf(opening, adjusting('USDT', '5.00'), transferOf('r1', '5.00', 'USDT'), {
    type: 'ConfirmTransfer',
    requestId: 'r1',
  });
  expect(refusalOf(() => decide(forget, sent, NOW))?.code).toBe('account_not_empty');
  const settled = taken({ type: 'SettleTransfer', requestId: 'r1' }, sent, NOW).reduce(evolve, sent);
  expect(taken(forget, settled, NOW).map(({ type }) => type)).toContain('PersonForgotten');
});

describe('an account that is closed for ever', () => {
  const closed = accountOf(opening, { type: 'ForgetPerson', prices: { BTC: 1n, PI: 1n, USDT: 1n } });
  // What processes send is answered by what the sender can go on from.
  const open = [
    'OpenAccount',
    'ForgetPerson',
    'ReceiveTransfer',
    'SettleTransfer',
    'ReturnTransfer',
    'StartBonusCycle',
    'AccrueBonus',
  ];

  test.each(types.filter((type) => !open.includes(type)).map((type) => [type] as const))(
    'refuses %s',
    (type) => {
      const [command] = fc.sample(accountCommand(type), { numRuns: 1, seed: 1 });
      expect(refusalOf(() => decide(command!, closed, NOW))).toEqual({
        code: 'account_closed',
        message: 'This account was closed for ever.',
      });
    },
  );
});

test('a profile that was made of another one than is there is refused: somebody’s change would be lost', () => {
  const account = customer({ type: 'ChangeProfile', profile: 'second' });
  const change = (was: string) => decide({ type: 'ChangeProfile', profile: 'third', was }, account, NOW);
  expect(refusalOf(() => change('x'))?.code).toBe('conflict');
  expect(change('second')).toEqual([{ type: 'ProfileChanged', data: { profile: 'third' } }]);
});

describe('folding what no decision gives stops', () => {
  const open = customer(fundingOf('r1', '1.00', 'BTC'));
  const postings = (amount: bigint, back = -amount) =>
    [
      { account: availableOf(customerId), currency: 'USD', amount },
      { account: 'operator/adjustments', currency: 'USD', amount: back },
    ] as const;
  const movement = { after: null, currency: 'BTC', amount: 100n, price: 10n ** 8n, converted: 0n } as const;

  test.each<[string, Account, AccountEvent]>([
    [
      'a second opening',
      open,
      { type: 'AccountOpened', data: { userId: 'u1', accountNumber: '30', role: 'user', profile: '' } },
    ],
    [
      'a movement before the opening',
      initial,
      { type: 'WalletCredited', data: { ...movement, postings: [] } },
    ],
    ['a balance below zero', open, { type: 'WalletDebited', data: { ...movement, postings: postings(-1n) } }],
    [
      'postings that do not add up',
      open,
      { type: 'WalletCredited', data: { ...movement, postings: postings(100n, -99n) } },
    ],
    [
      'a request twice',
      open,
      {
        type: 'FundingRequested',
        data: {
          requestId: 'r1',
          amount: 100n,
          currency: 'BTC',
          evidence: fundingOf('r1', '1.00', 'BTC').evidence,
          depositAddress: null,
        },
      },
    ],
    ['a decision of no request', open, { type: 'FundingRejected', data: { requestId: 'r2' } }],
    [
      'a second decision of one request',
      customer(fundingOf('r1', '1.00', 'BTC'), rejecting('r1')),
      { type: 'FundingConfirmed', data: { ...movement, requestId: 'r1', postings: postings(100n) } },
    ],
  ])('%s', (_, state, event) => {
    expect(() => evolve(state, event)).toThrow(InvariantViolation);
  });
});
