import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  accountDecider,
  allowanceDecider,
  parseMoney,
  type Account,
  type AccountCommand,
  type AccountEvent,
  type Allowance,
  type ApprovalRule,
  type OpenAccount,
} from '#ledger';
import {
  adjusting,
  customer,
  fundingOf,
  pricesOf,
  refusalOf,
  taken,
  transferOf,
  withdrawalOf,
} from '#ledger/testing';

const { decide, evolve } = accountDecider;
const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 1);
const at = (hours: number) => new Date(START + hours * HOUR).toISOString();
const NOW = at(0);
const everybody = ['a1', 'a2', 'a3'];

const rule = (by: string, needed: number, deciders: readonly string[] = everybody): ApprovalRule => ({
  by,
  needed,
  deciders: new Set(deciders),
  expireMs: 72 * HOUR,
});
const confirming = (approval: ApprovalRule): AccountCommand => ({
  type: 'ConfirmFunding',
  requestId: 'r1',
  prices: pricesOf(),
  approval,
});
const typesOf = (events: readonly AccountEvent[]) => events.map(({ type }) => type);
const after = (state: Account, command: AccountCommand, now = NOW): Account =>
  decide(command, state, now).reduce(evolve, state);
const asked = customer(fundingOf('r1', '500.00', 'BTC'));
const codeOf = (command: AccountCommand, state: Account, now = NOW) =>
  refusalOf(() => decide(command, state, now))?.code;

describe('a request that takes two admins', () => {
  const once = after(asked, confirming(rule('a1', 2)));

  test('stays open with the first approval, and nothing moves', () => {
    expect(decide(confirming(rule('a1', 2)), asked, NOW)).toEqual([
      {
        type: 'RequestApproved',
        data: {
          requestId: 'r1',
          kind: 'funding',
          amount: 50_000n,
          currency: 'BTC',
          by: 'a1',
          until: at(72),
          given: 1,
          needed: 2,
        },
      },
    ]);
    expect(once).toMatchObject({ available: { USD: 0n }, open: { funding: 1 } });
  });

  test('is confirmed by another one, with the second approval beside it', () => {
    const events = decide(confirming(rule('a2', 2)), once, NOW);
    expect(typesOf(events)).toEqual(['RequestApproved', 'FundingConfirmed']);
    expect(events[0]?.data).toMatchObject({ by: 'a2', given: 2, needed: 2 });
    const done = events.reduce(evolve, once) as OpenAccount;
    expect(done).toMatchObject({ available: { USD: 50_000n }, open: { funding: 0 } });
    expect(done.requests.get('r1')).toEqual({
      kind: 'funding',
      status: 'confirmed',
      amount: 50_000n,
      currency: 'BTC',
      evidence: 'f-r1',
    });
    expect(codeOf(confirming(rule('a3', 2)), done)).toBe('request_already_confirmed');
  });

  test('takes no second approval of one admin, before the first ran out', () => {
    expect(codeOf(confirming(rule('a1', 2)), once, at(71))).toBe('already_approved');
    expect(decide(confirming(rule('a1', 2)), once, at(72))[0]?.data).toMatchObject({ given: 1 });
  });

  test('does not count an approval that ran out, or of somebody who may not decide any more', () => {
    expect(typesOf(decide(confirming(rule('a2', 2)), once, at(71)))).toHaveLength(2);
    expect(decide(confirming(rule('a2', 2)), once, at(72))[0]?.data).toMatchObject({ given: 1 });
    expect(decide(confirming(rule('a2', 2, ['a2', 'a3'])), once, NOW)[0]?.data).toMatchObject({ given: 1 });
    expect(codeOf(confirming(rule('a2', 2, ['a1', 'a3'])), once)).toBe('not_permitted');
  });

  test('takes as many as any of those who approved it needed', () => {
    const state = after(asked, confirming(rule('a1', 3)));
    const second = decide(confirming(rule('a2', 1)), state, NOW);
    expect(second[0]?.data).toMatchObject({ given: 2, needed: 3 });
    const last = decide(confirming(rule('a3', 2)), second.reduce(evolve, state), NOW);
    expect(typesOf(last)).toEqual(['RequestApproved', 'FundingConfirmed']);
  });

  test('is closed by one rejection', () => {
    const state = after(once, { type: 'RejectFunding', requestId: 'r1' });
    expect(codeOf(confirming(rule('a2', 2)), state)).toBe('request_closed');
  });

  test.each([
    ['ConfirmWithdrawal', withdrawalOf('r1', '50.00', 'PI'), 'WithdrawalConfirmed'],
    ['ConfirmTransfer', transferOf('r1', '50.00', 'PI'), 'TransferConfirmed'],
  ] as const)('%s goes the same way', (type, request, confirmed) => {
    const rich = customer(
      { type: 'SaveWalletAddress', address: 'sealed' },
      adjusting('PI', '100.00'),
      request,
    );
    const state = after(rich, { type, requestId: 'r1', approval: rule('a1', 2) });
    expect(state).toMatchObject({ held: { USD: 5_000n } });
    expect(typesOf(decide({ type, requestId: 'r1', approval: rule('a2', 2) }, state, NOW))).toEqual([
      'RequestApproved',
      confirmed,
    ]);
  });
});

describe('an adjustment that takes two admins', () => {
  const proposing = (dollars: string, by = 'a1', needed = 2): AccountCommand => ({
    ...adjusting('BTC', dollars),
    approval: { ...rule(by, needed), requestId: 'p1' },
  });
  const approving = (approval: ApprovalRule): AccountCommand => ({
    type: 'ApproveAdjustment',
    requestId: 'p1',
    prices: pricesOf(),
    approval,
  });
  const waiting = after(customer(), proposing('500.00'));

  test('waits and moves nothing, until another one approves it', () => {
    expect(waiting).toMatchObject({ available: { USD: 0n } });
    expect(codeOf(approving(rule('a1', 2)), waiting)).toBe('own_request');
    const events = decide(approving(rule('a2', 1)), waiting, NOW);
    expect(typesOf(events)).toEqual(['AdjustmentApproved', 'WalletCredited']);
    const done = events.reduce(evolve, waiting);
    expect(done).toMatchObject({ available: { USD: 50_000n } });
    expect(codeOf(approving(rule('a3', 2)), done)).toBe('request_closed');
    expect(codeOf({ type: 'RejectAdjustment', requestId: 'p1' }, done)).toBe('request_closed');
  });

  test('is never approved by whoever asked for it, however many others did', () => {
    const three = after(customer(), proposing('500.00', 'a1', 3));
    const second = after(three, approving(rule('a2', 3)));
    expect(codeOf(approving(rule('a1', 3)), second)).toBe('own_request');
    expect(codeOf(approving(rule('a1', 3)), second, at(80))).toBe('own_request');
    expect(codeOf(approving(rule('a2', 3)), second)).toBe('already_approved');
  });

  test('is booked at once where one admin decides', () => {
    expect(typesOf(decide(proposing('5.00', 'a1', 1), customer(), NOW))).toEqual(['WalletCredited']);
  });

  test('can be rejected, by whoever asked for it too, and then moves nothing', () => {
    const state = after(waiting, { type: 'RejectAdjustment', requestId: 'p1' });
    expect(codeOf(approving(rule('a2', 2)), state)).toBe('request_closed');
  });

  test('runs out', () => {
    expect(codeOf(approving(rule('a2', 2)), waiting, at(72))).toBe('approval_expired');
    expect(codeOf({ type: 'RejectAdjustment', requestId: 'p1' }, waiting, at(72))).toBeUndefined();
  });

  test('takes another approval for that of an admin who lost the right to decide', () => {
    const events = decide(approving(rule('a2', 2, ['a2', 'a3'])), waiting, NOW);
    expect(events[0]?.data).toMatchObject({ given: 1, needed: 2 });
    expect(typesOf(events)).toEqual(['AdjustmentApproved']);
    const next = events.reduce(evolve, waiting);
    expect(typesOf(decide(approving(rule('a3', 2, ['a2', 'a3'])), next, NOW))).toHaveLength(2);
  });

  test('is refused at once where it could not be booked, and at the end where it can not any more', () => {
    expect(codeOf(proposing('-5.00'), customer())).toBe('insufficient_balance');
    const rich = customer(adjusting('BTC', '5.00'));
    const proposed = after(rich, proposing('-5.00'));
    const poor = after(proposed, adjusting('BTC', '-1.00'));
    expect(codeOf(approving(rule('a2', 2)), poor)).toBe('insufficient_balance');
  });

  test('is not found where nobody asked for it, nor does its id serve twice', () => {
    expect(codeOf(approving(rule('a2', 2)), customer())).toBe('request_not_found');
    expect(codeOf(proposing('7.00'), waiting)).toBe('request_exists');
  });
});

test('whoever approves in whatever order, what is confirmed has as many approvals of different deciders as it takes', () => {
  const step = fc.record({
    by: fc.constantFrom(...everybody, 'a4'),
    needed: fc.integer({ min: 1, max: 4 }),
    deciders: fc.subarray([...everybody, 'a4']),
    hours: fc.integer({ min: 0, max: 60 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let state: Account = asked;
      let hours = 0;
      let approvals: { by: string; until: number; needed: number }[] = [];
      for (const { by, needed, deciders, hours: passed } of steps) {
        hours += passed;
        const events = taken(confirming(rule(by, needed, deciders)), state, at(hours));
        const counting = approvals.filter((one) => one.until > hours && deciders.includes(one.by));
        const isTaken = deciders.includes(by) && !counting.some((one) => one.by === by);
        expect(events.length > 0).toBe(isTaken);
        if (!isTaken) continue;
        const takes = Math.max(needed, ...counting.map((one) => one.needed));
        const isLast = counting.length + 1 >= takes;
        expect(typesOf(events).includes('FundingConfirmed')).toBe(isLast);
        if (isLast) return;
        approvals = [...approvals.filter((one) => one.by !== by), { by, until: hours + 72, needed: takes }];
        state = events.reduce(evolve, state);
      }
    }),
  );
});

test('a person who is forgotten leaves no adjustment that waits', () => {
  const propose = (requestId: string): AccountCommand => ({
    ...adjusting('BTC', '500.00'),
    by: 'a1',
    approval: { ...rule('a1', 2), requestId },
  });
  const waiting = [propose('p2'), propose('p1'), propose('p3')].reduce<Account>(
    (state, command) => after(state, command),
    customer(),
  );
  const rejected = after(waiting, { type: 'RejectAdjustment', requestId: 'p3', by: 'a2' });
  const events = decide({ type: 'ForgetPerson', prices: pricesOf() }, rejected, NOW);
  expect(typesOf(events)).toEqual(['AdjustmentRejected', 'AdjustmentRejected', 'PersonForgotten']);
  const closed = events.reduce(evolve, rejected) as OpenAccount;
  expect([...closed.proposals.values()].map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
    'rejected',
  ]);
  const late = {
    type: 'ApproveAdjustment',
    requestId: 'p1',
    prices: pricesOf(),
    approval: rule('a2', 2),
  } as const;
  expect(codeOf(late, closed)).toBe('account_closed');
});

describe('what one admin moves', () => {
  const tiers = {
    BTC: [
      { above: 100_000n, approvals: 2 },
      { above: 1_000_000n, approvals: 3 },
    ],
  };
  const use = (dollars: string, currency: 'BTC' | 'PI' = 'BTC', atLeast = 1) =>
    ({
      type: 'UseAllowance',
      uses: [{ currency, amount: parseMoney(dollars, 'USD') }],
      tiers,
      atLeast,
    }) as const;
  const through = (steps: readonly (readonly [dollars: string, hours: number])[]) => {
    let state: Allowance = allowanceDecider.initial;
    return steps.map(([dollars, hours]) => {
      const events = allowanceDecider.decide(use(dollars), state, at(hours));
      state = events.reduce(allowanceDecider.evolve, state);
      return events[0]!.data.approvals;
    });
  };

  test('takes others above the amount, and not at it', () => {
    expect(through([['1000.00', 0]])).toEqual([1]);
    expect(through([['1000.01', 0]])).toEqual([2]);
    expect(through([['10000.01', 0]])).toEqual([3]);
  });

  test('counts together for a day, whatever it is split into', () => {
    expect(through([['600.00', 0], ['400.00', 1], ['0.01', 2], ['5.00', 23], ['600.00', 24.1]])).toEqual([
      1, 1, 2, 2, 1,
    ]); // prettier-ignore
  });

  test('counts for a higher tier what moved with too few for that', () => {
    expect(through([['5000.00', 0], ['5000.00', 1], ['5000.00', 2], ['900.00', 3]])).toEqual([2, 2, 3, 3]); // prettier-ignore
  });

  test('takes no others in a currency without limits, or as many as somebody else needed', () => {
    const decideOn = (command: ReturnType<typeof use>) =>
      allowanceDecider.decide(command, allowanceDecider.initial, NOW)[0]!.data.approvals;
    expect(decideOn(use('1000000.00', 'PI'))).toBe(1);
    expect(decideOn(use('1.00', 'PI', 3))).toBe(3);
  });

  test('never adds up to more than the limit in any day with one approval, however it is split', () => {
    const amounts = fc.array(
      fc.tuple(fc.bigInt({ min: 1n, max: 120_000n }), fc.integer({ min: 0, max: 600 })),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(amounts, (steps) => {
        let state: Allowance = allowanceDecider.initial;
        let minutes = 0;
        const alone: { amount: bigint; minutes: number }[] = [];
        for (const [amount, passed] of steps) {
          minutes += passed;
          const command = { ...use('0.00'), uses: [{ currency: 'BTC' as const, amount }] };
          const events = allowanceDecider.decide(command, state, at(minutes / 60));
          state = events.reduce(allowanceDecider.evolve, state);
          if (events[0]!.data.approvals > 1) continue;
          alone.push({ amount, minutes });
          const within = alone.filter((one) => one.minutes > minutes - 24 * 60);
          expect(within.reduce((sum, one) => sum + one.amount, 0n) <= 100_000n).toBe(true);
        }
      }),
    );
  });
});

describe('money of an admin’s own', () => {
  // No account has both a wallet and an admin: what is decided here would hold if one had.
  const own = customer(fundingOf('r1', '500.00', 'BTC'));
  const userId = own.kind === 'open' ? own.userId : '';
  const ofRequest = { requestId: 'r1', prices: pricesOf() };

  test.each<AccountCommand['type']>([
    'ConfirmFunding',
    'RejectFunding',
    'ConfirmWithdrawal',
    'RejectWithdrawal',
    'ConfirmTransfer',
    'RejectTransfer',
    'RejectAdjustment',
  ])('is for others to decide: %s', (type) => {
    expect(codeOf({ ...ofRequest, type, by: userId } as AccountCommand, own)).toBe('own_request');
    expect(codeOf({ ...ofRequest, type, by: 'a1' } as AccountCommand, own)).not.toBe('own_request');
  });

  test('is for others to adjust, and to approve what others adjust', () => {
    expect(codeOf({ ...adjusting('BTC', '5.00'), by: userId }, own)).toBe('own_request');
    const command = { ...ofRequest, type: 'ApproveAdjustment', approval: rule(userId, 2, [userId]) } as const;
    expect(codeOf(command, own)).toBe('own_request');
  });
});
