import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  accountDecider,
  payoutAddress,
  type Account,
  type AccountCommand,
  type PaymentCurrency,
} from '#ledger';
import { adjusting, withdrawalOf } from '#ledger/testing';

const NOON = Date.parse('2026-01-01T12:00:00.000Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const { decide, evolve, initial } = accountDecider;

/** An account, and what is done to it at the hours after noon that are said. */
function customer() {
  let state: Account = initial;
  const at = (hours: number) => new Date(NOON + hours * HOUR).toISOString();
  const send = (hours: number, command: AccountCommand) => {
    const events = decide(command, state, at(hours));
    state = events.reduce(evolve, state);
    return events.map(({ type }) => type);
  };
  const goesTo = (hours: number, currency: PaymentCurrency) =>
    state.kind === 'open' ? payoutAddress(state, currency, at(hours)) : null;
  send(0, {
    type: 'OpenAccount',
    userId: 'u1',
    accountNumber: '3000000001',
    role: 'user',
    profile: 'sealed',
  });
  for (const currency of ['BTC', 'PI', 'USDT'] as const) send(0, adjusting(currency, '100.00'));
  const save = (hours: number, address: string, currency?: PaymentCurrency, unfit: readonly string[] = []) =>
    send(hours, { type: 'SaveWalletAddress', address, currency, unfit, waitMs: DAY });
  const cancel = (hours: number, currency?: PaymentCurrency) =>
    send(hours, { type: 'CancelWalletAddress', currency });
  const withdraw = (hours: number, address: string | null) =>
    send(hours, { ...withdrawalOf(`r${hours}`, '1.00', 'BTC'), address });
  return { send, save, cancel, withdraw, goesTo };
}

describe('where withdrawals go', () => {
  test('is the first address at once, and another one once its wait is over: the old one until then', () => {
    const { save, goesTo, withdraw } = customer();
    expect(() => withdraw(0, null)).toThrow(expect.objectContaining({ code: 'wallet_address_missing' }));
    expect(save(0, 'first', 'BTC')).toEqual(['WalletAddressSaved']);
    expect([goesTo(0, 'BTC'), goesTo(0, 'PI')]).toEqual(['first', null]);
    save(1, 'second', 'BTC');
    expect([goesTo(1, 'BTC'), goesTo(24.9, 'BTC'), goesTo(25, 'BTC')]).toEqual(['first', 'first', 'second']);
    expect(() => withdraw(24, 'second')).toThrow(expect.objectContaining({ code: 'wallet_address_differs' }));
    expect(withdraw(24.5, 'first')).toEqual(['WithdrawalRequested']);
    expect(withdraw(25, 'second')).toEqual(['WithdrawalRequested']);
    expect(() => withdraw(26, 'first')).toThrow(expect.objectContaining({ code: 'wallet_address_differs' }));
  });

  test('starts to wait anew with each other address, and is kept by saving it again', () => {
    const { save, goesTo } = customer();
    save(0, 'first', 'BTC');
    save(1, 'second', 'BTC');
    expect(save(2, 'second', 'BTC')).toEqual([]);
    save(20, 'third', 'BTC');
    expect([goesTo(26, 'BTC'), goesTo(44, 'BTC')]).toEqual(['first', 'third']);
    expect(save(30, 'first', 'BTC')).toEqual(['WalletAddressCanceled']);
    expect(goesTo(99, 'BTC')).toBe('first');
    expect(save(99, 'first', 'BTC')).toEqual([]);
  });

  test('stays when the change is canceled in time, and not after', () => {
    const { save, cancel, goesTo } = customer();
    save(0, 'first', 'BTC');
    expect(cancel(0, 'BTC')).toEqual([]);
    save(1, 'second', 'BTC');
    expect(cancel(2, 'BTC')).toEqual(['WalletAddressCanceled']);
    expect(cancel(2, 'BTC')).toEqual([]);
    expect(goesTo(99, 'BTC')).toBe('first');
    save(3, 'second', 'BTC');
    expect(() => cancel(27, 'BTC')).toThrow(expect.objectContaining({ code: 'wallet_address_in_force' }));
    expect(goesTo(27, 'BTC')).toBe('second');
  });

  test('is the one of every currency where one has none of its own, and that one is changed with a wait', () => {
    const { send, save, goesTo } = customer();
    send(0, { type: 'SaveWalletAddress', address: 'any' });
    expect([goesTo(0, 'BTC'), goesTo(0, 'PI')]).toEqual(['any', 'any']);
    // It can be one of this currency: whoever saves another one changes where money goes.
    save(1, 'mine', 'BTC');
    expect([goesTo(1, 'BTC'), goesTo(25, 'BTC'), goesTo(25, 'PI')]).toEqual(['any', 'mine', 'any']);
    // It can't: this is the first one of that currency.
    save(1, 'pi', 'PI', ['any']);
    expect(goesTo(1, 'PI')).toBe('pi');
  });

  test('is at once a first address that fits, also while another one waits for all currencies', () => {
    const { save, goesTo } = customer();
    save(0, 'ethereum');
    save(1, 'bitcoin');
    save(2, 'mine', 'BTC', ['ethereum']);
    expect([goesTo(2, 'BTC'), goesTo(2, 'USDT'), goesTo(25, 'USDT')]).toEqual([
      'mine',
      'ethereum',
      'bitcoin',
    ]);
  });

  test('is another one at once where the one in force can be paid to no more', () => {
    const { save, goesTo } = customer();
    save(0, 'ethereum', 'USDT');
    save(1, 'tron', 'USDT', ['ethereum']);
    expect(goesTo(1, 'USDT')).toBe('tron');
    // And back: the first one could be paid to until an hour ago.
    save(2, 'theirs', 'USDT', ['tron']);
    expect([goesTo(2, 'USDT'), goesTo(25.9, 'USDT'), goesTo(26, 'USDT')]).toEqual(['tron', 'tron', 'theirs']);
  });

  test('waits where the one that could be paid to was taken away within the waiting time', () => {
    const { save, goesTo } = customer();
    save(0, 'bitcoin');
    save(1, 'ethereum');
    save(26, 'theirs', 'BTC', ['ethereum']);
    expect([goesTo(26, 'BTC'), goesTo(50, 'BTC')]).toEqual(['ethereum', 'theirs']);
    save(27, 'another', 'BTC', ['ethereum']);
    expect([goesTo(50, 'BTC'), goesTo(51, 'BTC')]).toEqual(['ethereum', 'another']);
  });

  test('is the one of every currency again once a first own one is canceled', () => {
    const { save, cancel, goesTo } = customer();
    save(0, 'any');
    save(1, 'mine', 'BTC');
    save(2, 'mine too', 'BTC');
    cancel(3, 'BTC');
    save(4, 'any too');
    expect([goesTo(27, 'BTC'), goesTo(28, 'BTC'), goesTo(28, 'PI')]).toEqual(['any', 'any too', 'any too']);
  });
});

describe('a currency that had the address of all', () => {
  test('keeps that one as its own when it is saved while another one waits', () => {
    const { save, goesTo } = customer();
    save(0, 'any');
    save(1, 'mine', 'BTC');
    expect(save(2, 'any', 'BTC')).toEqual(['WalletAddressSaved']);
    expect(save(2, 'any', 'BTC')).toEqual([]);
    save(3, 'any too');
    expect([goesTo(99, 'BTC'), goesTo(99, 'PI')]).toEqual(['any', 'any too']);
  });

  test('has its first own one canceled, then the change of all, and then nothing', () => {
    const { save, cancel, goesTo } = customer();
    save(0, 'any');
    save(1, 'any too');
    save(2, 'mine', 'BTC');
    expect(cancel(3, 'BTC')).toEqual(['WalletAddressCanceled']);
    expect([goesTo(99, 'BTC'), goesTo(99, 'PI')]).toEqual(['any too', 'any too']);
    expect(cancel(4, 'BTC')).toEqual(['WalletAddressCanceled']);
    expect([goesTo(99, 'BTC'), goesTo(99, 'PI')]).toEqual(['any', 'any']);
    expect(cancel(5, 'BTC')).toEqual([]);
  });
});

const NETWORKS = ['x', 'y', 'z'] as const;
type Network = (typeof NETWORKS)[number];
type Step =
  | { readonly does: 'save'; readonly text: string; readonly currency?: PaymentCurrency | undefined }
  | { readonly does: 'cancel'; readonly currency?: PaymentCurrency | undefined }
  | { readonly does: 'set'; readonly currency: PaymentCurrency; readonly network: Network }
  | { readonly does: 'wait'; readonly hours: number };

const currency = fc.constantFrom<PaymentCurrency>('BTC', 'PI', 'USDT');
/** An address is of the network that its first letter says. */
const text = fc.tuple(fc.constantFrom(...NETWORKS), fc.nat(2)).map(([network, n]) => `${network}${n}`);
const oneOrAll = fc.option(currency, { nil: undefined });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ does: fc.constant('save' as const), text, currency: oneOrAll }) },
  fc.record({ does: fc.constant('cancel' as const), currency: oneOrAll }),
  fc.record({
    does: fc.constant('set' as const),
    currency,
    network: fc.constantFrom<Network>(...NETWORKS),
  }),
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 30 }) }),
  },
);
const ALL: readonly PaymentCurrency[] = ['BTC', 'PI', 'USDT'];
const TEXTS = NETWORKS.flatMap((network) => [0, 1, 2].map((n) => `${network}${n}`));

/** Plays the steps, and tells `saved` of each address that was saved: where money went in each of the hours before. */
function play(
  steps: readonly Step[],
  saved: (told: {
    readonly currency: PaymentCurrency | undefined;
    readonly text: string;
    readonly fits: (one: PaymentCurrency, address: string | null) => boolean;
    /** Where money went when it was saved. */
    readonly was: Readonly<Record<PaymentCurrency, string | null>>;
    /** By hour, the last one before it was saved. */
    readonly went: Readonly<Record<PaymentCurrency, readonly (string | null)[]>>;
    readonly goes: (one: PaymentCurrency) => string | null;
  }) => void,
) {
  const { save, cancel, goesTo } = customer();
  const networks = new Map<PaymentCurrency, Network>(ALL.map((one, n) => [one, NETWORKS[n] ?? 'x']));
  const fits = (one: PaymentCurrency, address: string | null) =>
    address !== null && address.startsWith(networks.get(one) ?? '-');
  const went: Record<PaymentCurrency, (string | null)[]> = { BTC: [], PI: [], USDT: [] };
  let hour = 0;
  for (const one of steps) {
    // Something is done at the beginning of an hour only; where money goes in it is looked at afterwards.
    hour += 1;
    if (one.does === 'set') networks.set(one.currency, one.network);
    else if (one.does === 'wait') hour += one.hours;
    for (const each of ALL) while (went[each].length < hour) went[each].push(goesTo(went[each].length, each));
    if (one.does === 'cancel') {
      try {
        cancel(hour, one.currency);
      } catch {
        // It is in force already.
      }
    }
    if (one.does !== 'save') continue;
    const of = one.currency === undefined ? ALL : [one.currency];
    const unfit = TEXTS.filter((address) => !of.some((each) => fits(each, address)));
    // An address may have waited until this very hour: that is not what is saved now.
    const was = { BTC: goesTo(hour, 'BTC'), PI: goesTo(hour, 'PI'), USDT: goesTo(hour, 'USDT') };
    save(hour, one.text, one.currency, unfit);
    saved({ currency: one.currency, text: one.text, fits, was, went, goes: (each) => goesTo(hour, each) });
  }
}

describe('whatever is saved, canceled and set', () => {
  test('money goes elsewhere at once only where it could go nowhere for the whole waiting time', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        play(steps, ({ fits, was, went, goes }) => {
          for (const one of ALL) {
            if (goes(one) === was[one] || !fits(one, goes(one))) continue;
            const lately = [...went[one].slice(-24), was[one]].filter((address) => fits(one, address));
            expect(lately).toEqual([]);
          }
        });
      }),
      { numRuns: 500 },
    );
  });

  test('an address is in force at once where none could ever be paid to', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const ever = new Set<string>();
        play(steps, ({ currency: own, text: address, fits, goes }) => {
          const of = own === undefined ? ALL : [own];
          const isFirst = ![...ever].some((one) => of.some((each) => fits(each, one)));
          if (own !== undefined && isFirst) expect(goes(own)).toBe(address);
          ever.add(address);
        });
      }),
      { numRuns: 500 },
    );
  });
});
