import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isLodeError } from '#kernel';
import {
  CONTENT_BYTES_MAX,
  defaultBonusPolicy,
  fits,
  convertFromUsd,
  paymentCurrencies,
  PRICE_LIMITS,
  RATE_LIMITS,
  settingsDecider,
  settingsStream,
  type BonusPolicy,
  type Settings,
  type SettingsCommand,
} from '#ledger';

const { decide, evolve, initial } = settingsDecider;
const NOW = '2026-01-01T00:00:00.000Z';
const refusal = expect.objectContaining({ code: 'setting_invalid' });

function taken(command: SettingsCommand, state: Settings) {
  return decide(command, state, NOW);
}

function after(...commands: readonly SettingsCommand[]): Settings {
  return commands.reduce((state, one) => taken(one, state).reduce(evolve, state), initial);
}

const policyWith = (change: Partial<BonusPolicy>): SettingsCommand => ({
  type: 'SetBonusPolicy',
  policy: { ...defaultBonusPolicy, ...change },
});

describe('the settings', () => {
  test('have the specification’s values until somebody sets them', () => {
    expect(settingsStream).toBe('settings-global');
    expect(initial).toEqual({
      deposit: {},
      prices: { BTC: 100_000_000n, PI: 100_000_000n, USDT: 100_000_000n },
      rate: undefined,
      bonusPolicy: { rate: '0.10', windowDays: 7, everyHours: 7, capDays: 7, currency: 'USDT' },
      content: {},
      adminAccess: { needsSecondFactor: false },
      approvalLimits: { tiers: {}, expireHours: 72 },
    });
  });

  test('save only the fields of the deposit details that are given and not empty', () => {
    const first = { phoneNumber: '+41', email: 'a@lode.example', btcWallet: 'bc1' };
    const second = { phoneNumber: '', email: '  ', btcWallet: ' bc2 ', piWallet: 'G' };
    const state = after({ type: 'ChangeDepositDetails', details: first });
    const events = taken({ type: 'ChangeDepositDetails', details: second }, state);
    expect(events).toEqual([{ type: 'DepositDetailsChanged', data: { btcWallet: 'bc2', piWallet: 'G' } }]);
    expect(events.reduce(evolve, state).deposit).toEqual({ ...first, btcWallet: 'bc2', piWallet: 'G' });
  });

  test('remove the fields of the deposit details that are null', () => {
    const state = after({
      type: 'ChangeDepositDetails',
      details: { email: 'a@lode.example', btcWallet: 'bc1' },
    });
    const command = {
      type: 'ChangeDepositDetails',
      details: { btcWallet: null, piWallet: null, email: '' },
    } as const;
    const events = taken(command, state);
    expect(events).toEqual([{ type: 'DepositDetailsChanged', data: { btcWallet: null } }]);
    const removed = events.reduce(evolve, state);
    expect(removed.deposit).toEqual({ email: 'a@lode.example' });
    expect(taken(command, removed)).toEqual([]);
    expect(after({ type: 'ChangeDepositDetails', details: { btcWallet: null } }).deposit).toEqual({});
  });

  test('ignore an empty dollar rate', () => {
    const state = after({ type: 'SetDollarRate', rate: 92_500_000n });
    expect(state.rate).toBe(92_500_000n);
    expect(taken({ type: 'SetDollarRate', rate: undefined }, state)).toEqual([]);
  });

  test('keep the price of a currency that is left out', () => {
    const state = after({ type: 'SetPrices', prices: { BTC: 5n * 10n ** 12n, PI: 50_000_000n } });
    const command = { type: 'SetPrices', prices: { BTC: 5n * 10n ** 12n, USDT: 99_000_000n } } as const;
    const events = taken(command, state);
    expect(events).toEqual([{ type: 'PricesSet', data: { prices: { USDT: 99_000_000n } } }]);
    expect(events.reduce(evolve, state).prices).toEqual({
      BTC: 5n * 10n ** 12n,
      PI: 50_000_000n,
      USDT: 99_000_000n,
    });
  });

  test.each([
    ['BTC', 0n],
    ['PI', -1n],
    ['USDT', PRICE_LIMITS.min - 1n],
    ['BTC', PRICE_LIMITS.max + 1n],
  ] as const)('refuse a %s price of %s, and then change no price', (currency, price) => {
    const command = { type: 'SetPrices', prices: { PI: 7_000_000n, [currency]: price } } as const;
    expect(() => taken(command, initial)).toThrow(refusal);
  });

  test.each([0n, -1n, RATE_LIMITS.max + 1n])('refuse a dollar rate of %s', (rate) => {
    expect(() => taken({ type: 'SetDollarRate', rate }, initial)).toThrow(refusal);
  });

  test('take prices and rates at their bounds', () => {
    const { min, max } = PRICE_LIMITS;
    expect(after({ type: 'SetPrices', prices: { BTC: min, PI: max } }).prices).toMatchObject({
      BTC: min,
      PI: max,
    });
    expect(after({ type: 'SetDollarRate', rate: RATE_LIMITS.max }).rate).toBe(RATE_LIMITS.max);
  });

  test('whatever price is taken, nine million dollars fit the balance that they are booked to', () => {
    const price = fc.bigInt({ min: PRICE_LIMITS.min, max: PRICE_LIMITS.max });
    const amount = fc.bigInt({ min: 0n, max: 900_000_000n });
    fc.assert(
      fc.property(fc.constantFrom(...paymentCurrencies), price, amount, (currency, at, cents) => {
        const { prices } = after({ type: 'SetPrices', prices: { [currency]: at } });
        expect(fits(convertFromUsd(cents, currency, prices[currency]))).toBe(true);
      }),
    );
  });

  test.each([
    [{ rate: '1.01' }],
    [{ rate: '-0.1' }],
    [{ rate: '0.12345' }],
    [{ rate: '10%' }],
    [{ rate: '' }],
    [{ rate: '.5' }],
    [{ windowDays: 0 }],
    [{ windowDays: 366 }],
    [{ everyHours: 0 }],
    [{ everyHours: 169 }],
    [{ everyHours: 1.5 }],
    [{ capDays: Number.NaN }],
    [{ capDays: 366 }],
    [{ currency: 'USD' as 'BTC' }],
  ])('refuse the bonus policy %j', (change) => {
    expect(() => taken(policyWith(change), initial)).toThrow(refusal);
  });

  test('say which currencies a bonus is paid in, and which rates of the dollar are taken', () => {
    const words = (message: string) => expect.objectContaining({ code: 'setting_invalid', message });
    expect(() => taken(policyWith({ currency: 'USD' as 'BTC' }), initial)).toThrow(
      words('Please choose BTC, PI or USDT.'),
    );
    expect(() => taken({ type: 'SetDollarRate', rate: 0n }, initial)).toThrow(
      words('Please enter a rate above 0 and up to 1000000000.'),
    );
  });

  test.each([
    ['0', '0.00'],
    ['0.1', '0.10'],
    ['0.1000', '0.10'],
    ['0.125', '0.125'],
    ['0.0001', '0.0001'],
    ['1', '1.00'],
    ['1.0', '1.00'],
  ])('store the bonus rate %s as %s', (given, stored) => {
    expect(after(policyWith({ rate: given, capDays: 3 })).bonusPolicy).toEqual({
      ...defaultBonusPolicy,
      rate: stored,
      capDays: 3,
    });
  });

  test('give a section of the site its default again when it is null', () => {
    const hero = { title: 'Hello' };
    const state = after({ type: 'ChangeContent', content: { hero, team: [] } });
    expect(state.content).toEqual({ hero, team: [] });
    const events = taken({ type: 'ChangeContent', content: { hero: null, plans: null } }, state);
    expect(events).toEqual([{ type: 'ContentChanged', data: { content: { hero: null } } }]);
    expect(events.reduce(evolve, state).content).toEqual({ team: [] });
  });

  test('say whether admins need a second factor, and only what is new', () => {
    const on = { type: 'SetAdminAccess', needsSecondFactor: true } as const;
    const off = { ...on, needsSecondFactor: false };
    expect(taken(off, initial)).toEqual([]);
    const events = taken(on, initial);
    expect(events).toEqual([{ type: 'AdminAccessSet', data: { needsSecondFactor: true } }]);
    const state = events.reduce(evolve, initial);
    expect(state.adminAccess).toEqual({ needsSecondFactor: true });
    expect(taken(on, state)).toEqual([]);
    expect(taken(off, state).reduce(evolve, state)).toEqual(initial);
  });

  test('hold no more of the site’s texts than fit, counted in bytes and all together', () => {
    const half = 'ü'.repeat(CONTENT_BYTES_MAX / 4);
    const state = after({ type: 'ChangeContent', content: { one: half } });
    expect(() => taken({ type: 'ChangeContent', content: { two: half } }, state)).toThrow(refusal);
    expect(taken({ type: 'ChangeContent', content: { one: null, two: half } }, state)).toHaveLength(1);
  });

  const text = fc.constantFrom('', ' ', 'one', 'two');
  const command: fc.Arbitrary<SettingsCommand> = fc.oneof(
    fc.record({
      type: fc.constant('ChangeDepositDetails'),
      details: fc.record({ email: text, btcWallet: text, piWallet: text }, { requiredKeys: [] }),
    }),
    fc.record({
      type: fc.constant('SetDollarRate'),
      rate: fc.option(fc.bigInt({ min: -1n, max: 3n }), { nil: undefined }),
    }),
    fc.record({
      type: fc.constant('SetPrices'),
      prices: fc.record(
        { BTC: fc.bigInt({ min: 9_999n, max: 10_001n }), PI: fc.constant(100_000_000n) },
        { requiredKeys: [] },
      ),
    }),
    fc.record({
      type: fc.constant('SetBonusPolicy'),
      policy: fc.record({
        rate: fc.constantFrom('0.1', '0.10', '0.5', '2'),
        windowDays: fc.integer({ min: 0, max: 8 }),
        everyHours: fc.constantFrom(7, 24),
        capDays: fc.constantFrom(7),
        currency: fc.constantFrom(...paymentCurrencies),
      }),
    }),
    fc.record({
      type: fc.constant('ChangeContent'),
      content: fc.dictionary(
        fc.constantFrom('hero', 'constructor', '__proto__'),
        fc.constantFrom(null, 'x', ['y']),
      ),
    }),
    fc.record({ type: fc.constant('SetAdminAccess'), needsSecondFactor: fc.boolean() }),
    fc.record({
      type: fc.constant('SetApprovalLimits'),
      tiers: fc.dictionary(
        fc.constantFrom(...paymentCurrencies),
        fc.array(
          fc.record({
            above: fc.bigInt({ min: -1n, max: 10n ** 20n }),
            approvals: fc.integer({ min: 1, max: 6 }),
          }),
          { maxLength: 5 },
        ),
      ),
      expireHours: fc.option(fc.integer({ min: 0, max: 800 }), { nil: undefined }),
      deciders: fc.integer({ min: 1, max: 6 }),
    }),
  );
  const outcome = (one: SettingsCommand, state: Settings) => {
    try {
      return taken(one, state);
    } catch (error) {
      if (isLodeError(error)) return [];
      throw error;
    }
  };

  test('asked for what is already so give no events', () => {
    fc.assert(
      fc.property(fc.array(command), command, (before, one) => {
        const step = (state: Settings, next: SettingsCommand) => outcome(next, state).reduce(evolve, state);
        expect(outcome(one, [...before, one].reduce(step, initial))).toEqual([]);
      }),
    );
  });

  test('whatever was asked, hold only prices and rates within their bounds', () => {
    fc.assert(
      fc.property(fc.array(command), (commands) => {
        const step = (state: Settings, next: SettingsCommand) => outcome(next, state).reduce(evolve, state);
        const { prices, rate } = commands.reduce(step, initial);
        for (const currency of paymentCurrencies) {
          expect(prices[currency] >= PRICE_LIMITS.min && prices[currency] <= PRICE_LIMITS.max).toBe(true);
        }
        expect(rate === undefined || (rate >= RATE_LIMITS.min && rate <= RATE_LIMITS.max)).toBe(true);
      }),
    );
  });

  test('whatever was asked, hold limits that rise and that there are admins for', () => {
    fc.assert(
      fc.property(fc.array(command), (commands) => {
        const step = (state: Settings, next: SettingsCommand) => outcome(next, state).reduce(evolve, state);
        const { tiers, expireHours } = commands.reduce(step, initial).approvalLimits;
        expect(expireHours >= 1 && expireHours <= 720).toBe(true);
        for (const of of Object.values(tiers)) {
          expect(of.length >= 1 && of.length <= 4).toBe(true);
          for (const [n, { above, approvals }] of of.entries()) {
            expect(above >= 0n && approvals >= 2 && approvals <= 5).toBe(true);
            expect(n === 0 || (above > of[n - 1]!.above && approvals > of[n - 1]!.approvals)).toBe(true);
          }
        }
      }),
    );
  });
});

describe('the limits of approvals', () => {
  const above = (dollars: bigint, approvals: number) => ({ above: dollars * 100n, approvals });
  const setting = (
    tiers: Extract<SettingsCommand, { type: 'SetApprovalLimits' }>['tiers'],
    deciders = 3,
    expireHours?: number,
  ): SettingsCommand => ({ type: 'SetApprovalLimits', tiers, deciders, expireHours });

  test('are none at first, and approvals count for three days', () => {
    expect(initial.approvalLimits).toEqual({ tiers: {}, expireHours: 72 });
  });

  test('are kept of a currency that is left out, and lifted by an empty list', () => {
    const both = after(setting({ BTC: [above(1_000n, 2)], PI: [above(0n, 3)] }));
    const changed = after(
      setting({ BTC: [above(1_000n, 2)], PI: [above(0n, 3)] }),
      setting({ PI: [] }, 3, 24),
    );
    expect(both.approvalLimits).toEqual({
      tiers: { BTC: [above(1_000n, 2)], PI: [above(0n, 3)] },
      expireHours: 72,
    });
    expect(changed.approvalLimits).toEqual({ tiers: { BTC: [above(1_000n, 2)] }, expireHours: 24 });
  });

  test('give no event while tiers and hours stay as they are', () => {
    const first = setting({ BTC: [above(1_000n, 2)] });
    const state = after(first);
    expect(taken(first, state)).toEqual([]);
    expect(taken(setting({}, 3, 72), state)).toEqual([]);
    expect(taken(setting({}, 3, 24), state)).toHaveLength(1);
  });

  test('are not set where there are fewer admins than they need, nor kept from being lifted by that', () => {
    const state = after(setting({ BTC: [above(1_000n, 3)] }));
    expect(() => taken(setting({ PI: [above(1n, 3)] }, 2), state)).toThrow(refusal);
    expect(taken(setting({ BTC: [] }, 2), state)).toHaveLength(1);
    expect(taken(setting({ PI: [above(1n, 2)] }, 2), state)).toHaveLength(1);
  });
});
