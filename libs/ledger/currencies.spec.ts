import { describe, expect, test } from '@jest/globals';
import {
  currencies,
  depositFieldOf,
  depositFields,
  displayScale,
  mainPaymentCurrency,
  paymentChoices,
  paymentCurrencies,
  paymentCurrenciesIn,
  scales,
  versionWithCurrencies,
} from '#ledger';

/** What logs, documents and answers of today's logs rest on. A new currency is added to these lines, and changes none. */
describe('the four currencies', () => {
  test('are listed by code, the wallet’s own first; forms have an order of their own', () => {
    expect(currencies).toEqual(['USD', 'BTC', 'PI', 'USDT']);
    expect(paymentCurrencies).toEqual(['BTC', 'PI', 'USDT']);
    expect(paymentChoices).toEqual(['BTC', 'USDT', 'PI']);
    expect(paymentChoices).toContain(mainPaymentCurrency);
  });

  test('have the scales that amounts were ever written with', () => {
    expect(scales).toEqual({ USD: 2, BTC: 8, PI: 7, USDT: 6 });
    expect(currencies.map(displayScale)).toEqual([2, 4, 4, 4]);
  });

  test('are deposited where the settings say', () => {
    expect(depositFields).toEqual([
      'phoneNumber',
      'email',
      'contactAddress',
      'btcWallet',
      'ethWallet',
      'piWallet',
    ]);
    expect(depositFieldOf).toEqual({ BTC: 'btcWallet', PI: 'piWallet', USDT: 'ethWallet' });
  });

  test('leave the versions of read models as they were first counted', () => {
    expect(versionWithCurrencies(3)).toBe(3);
  });

  test('are named in sentences', () => {
    expect(paymentCurrenciesIn('or')).toBe('BTC, PI or USDT');
    expect(paymentCurrenciesIn('and')).toBe('BTC, PI and USDT');
  });
});
