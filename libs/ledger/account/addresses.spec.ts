import { describe, expect, test } from '@jest/globals';
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
  const save = (hours: number, address: string, currency?: PaymentCurrency, isAnyIts: boolean = true) =>
    send(hours, { type: 'SaveWalletAddress', address, currency, isAnyIts, waitMs: DAY });
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
    save(1, 'pi', 'PI', false);
    expect(goesTo(1, 'PI')).toBe('pi');
  });
});
