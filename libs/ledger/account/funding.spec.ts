import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { accountDecider, convertFromUsd, FUNDING_AMOUNT, MAX_MINOR, noAmounts, type Account } from '#ledger';
import {
  accountCommand,
  adjusting,
  confirmingFunding as confirming,
  customer,
  fundingOf,
  pricesOf,
  refusalOf,
  rejectingFunding as rejecting,
  taken,
} from '#ledger/testing';

const NOW = '2026-01-01T00:00:00.000Z';
const { codecs, decide, evolve } = accountDecider;

describe('requesting funding', () => {
  test('waits for a decision and moves nothing', () => {
    const state = customer(fundingOf('r1', '100.00', 'BTC'));
    expect(state.requests.get('r1')).toEqual({
      kind: 'funding',
      status: 'Pending',
      amount: 10_000n,
      currency: 'BTC',
      evidence: 'f-r1',
    });
    expect(state.available).toEqual(noAmounts);
  });

  test.each([['0.00'], ['-0.01'], ['-100.00']])('refuses %s US dollars', (dollars) => {
    expect(refusalOf(() => decide(fundingOf('r1', dollars, 'BTC'), customer(), NOW))).toEqual({
      code: 'amount_invalid',
      message: FUNDING_AMOUNT,
    });
  });

  test('refuses more than any engine can hold', () => {
    const command = { ...fundingOf('r1', '1.00', 'BTC'), amount: MAX_MINOR + 1n };
    expect(refusalOf(() => decide(command, customer(), NOW))?.code).toBe('amount_invalid');
  });

  test.each([fundingOf('r1', '100.01', 'BTC'), fundingOf('r1', '100.00', 'PI')])(
    'refuses an id that another request has',
    (other) => {
      const state = customer(fundingOf('r1', '100.00', 'BTC'));
      expect(refusalOf(() => decide(other, state, NOW))?.code).toBe('request_exists');
    },
  );
});

describe('payment evidence', () => {
  const asking = (requestId: string, fileId: string) => {
    const command = fundingOf(requestId, '1.00', 'BTC');
    return { ...command, evidence: { ...command.evidence, fileId } };
  };
  const inUse = {
    code: 'evidence_in_use',
    message: 'This payment evidence belongs to another request. Please upload the evidence of this payment.',
  };
  const refusalOn = (fileId: string, state: Account) =>
    refusalOf(() => decide(asking('another', fileId), state, NOW));

  test.each([
    ['is open', customer(asking('r1', 'f'))],
    ['was confirmed', customer(asking('r1', 'f'), confirming('r1'))],
    ['is made with it after a rejected one', customer(asking('r1', 'f'), rejecting('r1'), asking('r2', 'f'))],
  ])('serves no other request than one that %s', (_, state) => {
    expect(refusalOn('f', state)).toEqual(inUse);
    expect(refusalOn('g', state)).toBeUndefined();
  });

  test('serves the same request when it is made again', () => {
    expect(decide(asking('r1', 'f'), customer(asking('r1', 'f')), NOW)).toEqual([]);
  });

  test('of a request that was rejected serves another', () => {
    expect(refusalOn('f', customer(asking('r1', 'f'), rejecting('r1')))).toBeUndefined();
  });

  test('that serves several in a log from before is free once all of them are rejected', () => {
    const { evidence } = asking('r1', 'f');
    const requested = (requestId: string) =>
      ({
        type: 'FundingRequested',
        data: { requestId, amount: 100n, currency: 'BTC', evidence, depositAddress: null },
      }) as const;
    const rejected = (requestId: string) => ({ type: 'FundingRejected', data: { requestId } }) as const;
    const both = [requested('r1'), requested('r2')].reduce<Account>(evolve, customer());
    expect(refusalOn('f', both)).toEqual(inUse);
    for (const [first, last] of [
      ['r1', 'r2'],
      ['r2', 'r1'],
    ] as const) {
      const one = evolve(both, rejected(first));
      expect(refusalOn('f', one)).toEqual(inUse);
      expect(refusalOn('f', evolve(one, rejected(last)))).toBeUndefined();
    }
  });

  test('shows one payment, in whatever order requests are made and decided', () => {
    const [request, file] = [fc.constantFrom('r1', 'r2', 'r3', 'r4'), fc.constantFrom('f', 'g')];
    const command = fc.oneof(
      fc.tuple(request, file).map(([id, fileId]) => asking(id, fileId)),
      request.map((id) => confirming(id)),
      request.map(rejecting),
    );
    fc.assert(
      fc.property(fc.array(command, { maxLength: 20 }), (commands) => {
        let state: Account = customer();
        // By request, the file of those that are open or confirmed.
        const shown = new Map<string, string>();
        for (const command of commands) {
          const isFree =
            command.type !== 'RequestFunding' || ![...shown.values()].includes(command.evidence.fileId);
          for (const event of taken(command, state, NOW)) {
            expect(isFree).toBe(true);
            if (event.type === 'FundingRequested')
              shown.set(event.data.requestId, event.data.evidence.fileId);
            if (event.type === 'FundingRejected') shown.delete(event.data.requestId);
            state = evolve(state, event);
          }
          for (const fileId of ['f', 'g'])
            expect(refusalOn(fileId, state)).toEqual(
              [...shown.values()].includes(fileId) ? inUse : undefined,
            );
        }
      }),
    );
  });
});

describe('deciding a funding request', () => {
  const requested = fundingOf('r1', '10.00', 'BTC');

  test('confirmed: the wallet moves by the amount and the balance by its worth, from the deposits', () => {
    const [event] = decide(confirming('r1', pricesOf({ BTC: '3' })), customer(requested), NOW);
    expect(event && codecs.encode(event)).toEqual({
      type: 'FundingConfirmed',
      version: 2,
      data: {
        requestId: 'r1',
        currency: 'BTC',
        amount: '10.00',
        price: '3.00000000',
        converted: '3.33333333',
        after: { wallet: '10.00', balance: '3.33333333' },
        postings: [
          { account: 'operator/deposits', currency: 'USD', amount: '-10.00' },
          { account: 'customer/u1/available', currency: 'USD', amount: '10.00' },
          { account: 'operator/deposits', currency: 'BTC', amount: '-3.33333333' },
          { account: 'customer/u1/available', currency: 'BTC', amount: '3.33333333' },
        ],
      },
    });
    expect(customer(requested, confirming('r1', pricesOf({ BTC: '3' })))).toMatchObject({
      available: { ...noAmounts, USD: 1_000n, BTC: 333_333_333n },
    });
  });

  test('rejected: nothing moves', () => {
    const state = customer(requested, rejecting('r1'));
    expect(state.available).toEqual(noAmounts);
    expect(state.requests.get('r1')?.status).toBe('rejected');
  });

  test.each([
    ['confirmed', 'ConfirmFunding', confirming('r1'), confirming('r1'), 'Transaction already confirmed'],
    ['confirmed', 'RejectFunding', confirming('r1'), rejecting('r1'), 'Transaction Closed'],
    ['rejected', 'ConfirmFunding', rejecting('r1'), confirming('r1'), 'Transaction Closed'],
    ['rejected', 'RejectFunding', rejecting('r1'), rejecting('r1'), 'Transaction Closed'],
  ] as const)('once %s, %s is refused', (_closed, _type, first, second, message) => {
    expect(refusalOf(() => decide(second, customer(requested, first), NOW))).toEqual({
      code: message === 'Transaction Closed' ? 'request_closed' : 'request_already_confirmed',
      message,
    });
  });

  test.each([confirming('r2'), rejecting('r2')])('$type refuses a request that is not there', (command) => {
    expect(refusalOf(() => decide(command, customer(requested), NOW))?.code).toBe('request_not_found');
  });

  test('a confirmation that would not fit is refused, and the request can still be rejected', () => {
    const state = customer(adjusting('BTC', '92233720368547758.07', pricesOf({ BTC: '1000000' })), requested);
    expect(refusalOf(() => decide(confirming('r1'), state, NOW))?.code).toBe('amount_invalid');
    expect(decide(rejecting('r1'), state, NOW)).toHaveLength(1);
  });
});

describe('adjusting', () => {
  test('credits what is positive, debits what is negative, skips zero, in the order given', () => {
    const prices = pricesOf({ BTC: '2', PI: '4' });
    const state = customer(adjusting('USDT', '50.00'));
    const events = decide(
      {
        type: 'AdjustWallet',
        entries: [
          { currency: 'BTC', amount: 1_000n },
          { currency: 'PI', amount: 0n },
          { currency: 'USDT', amount: -500n },
        ],
        prices,
      },
      state,
      NOW,
    );
    expect(events.map((event) => codecs.encode(event))).toMatchObject([
      {
        type: 'WalletCredited',
        data: { currency: 'BTC', amount: '10.00', price: '2.00000000', converted: '5.00000000' },
      },
      {
        type: 'WalletDebited',
        data: { currency: 'USDT', amount: '5.00', price: '1.00000000', converted: '5.000000' },
      },
    ]);
    expect(events.reduce(evolve, state)).toMatchObject({
      available: { USD: 5_500n, BTC: 500_000_000n, PI: 0n, USDT: 45_000_000n },
    });
  });

  test('a debit goes back to the adjustments', () => {
    const [event] = decide(adjusting('PI', '-2.00'), customer(adjusting('PI', '5.00')), NOW);
    expect(event && codecs.encode(event).data['postings']).toEqual([
      { account: 'customer/u1/available', currency: 'USD', amount: '-2.00' },
      { account: 'operator/adjustments', currency: 'USD', amount: '2.00' },
      { account: 'customer/u1/available', currency: 'PI', amount: '-2.0000000' },
      { account: 'operator/adjustments', currency: 'PI', amount: '2.0000000' },
    ]);
  });

  test.each(['BTC', 'PI', 'USDT'] as const)(
    'more than there is in %s is refused in its words',
    (currency) => {
      const state = customer(adjusting(currency, '5.00'));
      expect(refusalOf(() => decide(adjusting(currency, '-5.01'), state, NOW))).toEqual({
        code: 'insufficient_balance',
        message: `Insufficient ${currency} wallet balance!`,
      });
      expect(decide(adjusting(currency, '-5.00'), state, NOW)).toHaveLength(1);
    },
  );

  test('a wallet that would do does not make up for a currency that would not', () => {
    const state = customer(adjusting('BTC', '5.00'), adjusting('PI', '5.00'));
    expect(refusalOf(() => decide(adjusting('BTC', '-6.00'), state, NOW))?.message).toBe(
      'Insufficient BTC wallet balance!',
    );
  });

  test('is all or nothing: one entry that is refused refuses them all', () => {
    const entries = [
      { currency: 'BTC', amount: 100n },
      { currency: 'PI', amount: -1n },
    ] as const;
    const command = { type: 'AdjustWallet', entries, prices: pricesOf() } as const;
    expect(refusalOf(() => decide(command, customer(), NOW))?.message).toBe(
      'Insufficient PI wallet balance!',
    );
  });

  test('an entry may spend what the one before it brought', () => {
    const entries = [
      { currency: 'BTC', amount: 100n },
      { currency: 'BTC', amount: -100n },
    ] as const;
    expect(decide({ type: 'AdjustWallet', entries, prices: pricesOf() }, customer(), NOW)).toHaveLength(2);
  });

  test.each([[[]], [[{ currency: 'BTC', amount: 0n }] as const]])('of nothing is refused', (entries) => {
    const command = { type: 'AdjustWallet', entries, prices: pricesOf() } as const;
    expect(refusalOf(() => decide(command, customer(), NOW))?.code).toBe('amount_invalid');
  });

  test.each([
    ['an amount', MAX_MINOR + 1n, pricesOf({ BTC: '1000000' })],
    ['a debit', -MAX_MINOR - 1n, pricesOf({ BTC: '1000000' })],
    ['what it is worth', MAX_MINOR, pricesOf()],
    ['what it is worth at the smallest price', 1_000_000_000n, pricesOf({ BTC: '0.00000001' })],
  ])('refuses %s that no engine can hold', (_, amount, prices) => {
    const command = { type: 'AdjustWallet', entries: [{ currency: 'BTC', amount }], prices } as const;
    expect(refusalOf(() => decide(command, customer(), NOW))?.code).toBe('amount_invalid');
  });

  test.each([
    ['the wallet', '92233720368547758.07', pricesOf({ BTC: '1000000' })],
    ['the balance', '92233720368.00', pricesOf()],
  ])('refuses what would make %s more than any engine can hold', (_, dollars, prices) => {
    const state = customer(adjusting('BTC', dollars, prices));
    expect(refusalOf(() => decide(adjusting('BTC', dollars, prices), state, NOW))?.code).toBe(
      'amount_invalid',
    );
  });

  test('books at the price of each currency and stores it', () => {
    fc.assert(
      fc.property(accountCommand('AdjustWallet'), (command) => {
        fc.pre(command.type === 'AdjustWallet' && command.approval === undefined);
        fc.pre(command.entries.every(({ amount }) => amount >= 0n));
        for (const event of taken(command, customer())) {
          if (event.type !== 'WalletCredited') throw new Error('an empty wallet is credited only');
          const { currency, amount, converted, price } = event.data;
          expect(price).toBe(command.prices[currency]);
          const worth = convertFromUsd(amount, currency, command.prices[currency]);
          expect(converted).toBe(worth);
        }
      }),
    );
  });
});
