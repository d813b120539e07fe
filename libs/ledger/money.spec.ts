import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  convertFromUsd,
  currencies,
  displayMoney,
  displayScale,
  fits,
  formatDecimal,
  formatMoney,
  INVALID_AMOUNT,
  MAX_MINOR,
  parseDecimal,
  parseMoney,
  paymentCurrencies,
  PRICE_SCALE,
  scales,
  sizeOf,
} from '#ledger';
import { anyMinor, anyPrice } from '#ledger/testing';
import { InvariantViolation } from '#kernel';

const currency = fc.constantFrom(...currencies);
const paymentCurrency = fc.constantFrom(...paymentCurrencies);

describe('parsing', () => {
  test('reads back every amount that was written, and writes what it read the same', () => {
    fc.assert(
      fc.property(anyMinor(), fc.nat({ max: 12 }), (minor, scale) => {
        const text = formatDecimal(minor, scale);
        expect(parseDecimal(text, scale)).toBe(minor);
        expect(formatDecimal(parseDecimal(text, scale), scale)).toBe(text);
      }),
    );
  });

  test('takes fewer decimals than the scale for zeros', () => {
    fc.assert(
      fc.property(anyMinor(), currency, (minor, name) => {
        const short = formatMoney(minor, name).replace(/\.?0+$/, (zeros) =>
          zeros.startsWith('.') ? '' : zeros,
        );
        const shortest = short.includes('.') ? short.replace(/0+$/, '') : short;
        expect(parseMoney(shortest, name)).toBe(minor);
      }),
    );
  });

  test('never rounds: a decimal too many is refused, also a zero', () => {
    fc.assert(
      fc.property(anyMinor(), currency, fc.stringMatching(/^\d{1,10}$/), (minor, name, more) => {
        expect(() => parseMoney(formatMoney(minor, name) + more, name)).toThrow(INVALID_AMOUNT);
      }),
    );
  });

  test.each([
    ['0', 0n],
    ['0.01', 1n],
    ['12.3', 1_230n],
    ['-12.34', -1_234n],
    ['007.50', 750n],
    ['92233720368547758.07', MAX_MINOR],
    ['-92233720368547758.07', -MAX_MINOR],
  ])('reads %s US dollars', (text, cents) => {
    expect(parseMoney(text, 'USD')).toBe(cents);
  });

  test('negative zero is zero, and is written without a sign', () => {
    expect(parseMoney('-0', 'USD')).toBe(0n);
    expect(formatMoney(parseMoney('-0.00', 'USD'), 'USD')).toBe('0.00');
  });

  test.each([
    '',
    ' ',
    ' 1',
    '1 ',
    '1\n',
    '+1',
    '--1',
    '- 1',
    '1-',
    '.5',
    '5.',
    '.',
    '-',
    '1.2.3',
    '1,000',
    '1_000',
    '1e3',
    '1E3',
    '0x10',
    '0b1',
    '1n',
    'NaN',
    'Infinity',
    '-Infinity',
    '$1',
    '−1',
    '１',
    '١',
    'null',
    '1.001',
    '92233720368547758.08',
    '-92233720368547758.08',
    '9'.repeat(30),
    '0'.repeat(31),
    '9'.repeat(100_000),
  ])('refuses %j', (text) => {
    expect(() => parseMoney(text, 'USD')).toThrow(
      expect.objectContaining({ code: 'amount_invalid', message: INVALID_AMOUNT }),
    );
  });

  test('takes no text but plain decimal numbers', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0019-+.,e x') }), (text) => {
        const plain = /^-?[0-9]+([.][0-9]{1,2})?$/.test(text);
        const read = () => parseMoney(text, 'USD');
        if (plain) expect(Number(read())).toBeCloseTo(Number(text) * 100);
        else expect(read).toThrow(INVALID_AMOUNT);
      }),
    );
  });
});

describe('formatting', () => {
  test.each([
    [0n, 2, '0.00'],
    [5n, 2, '0.05'],
    [-5n, 2, '-0.05'],
    [12_345n, 2, '123.45'],
    [12_345n, 0, '12345'],
    [1n, 8, '0.00000001'],
    [-MAX_MINOR, 2, '-92233720368547758.07'],
  ])('%d at %d decimals is %s', (minor, scale, text) => {
    expect(formatDecimal(minor, scale)).toBe(text);
  });

  test('writes every decimal of the currency', () => {
    fc.assert(
      fc.property(anyMinor(), currency, (minor, name) => {
        expect(formatMoney(minor, name)).toMatch(new RegExp(`^-?\\d+\\.\\d{${scales[name]}}$`));
      }),
    );
  });
});

describe('display', () => {
  test.each([
    ['1234567.89', 'USD', '1,234,567.89'],
    ['-1234.5', 'USD', '−1,234.50'],
    ['999.99', 'USD', '999.99'],
    ['0', 'USD', '0.00'],
    ['-0.00', 'USD', '0.00'],
    ['0.99999999', 'BTC', '0.9999'],
    ['-0.99999999', 'BTC', '−0.9999'],
    ['-0.00009999', 'BTC', '0.0000'],
    ['1000.1', 'PI', '1,000.1000'],
    ['100', 'USDT', '100.0000'],
  ] as const)('shows %s %s as %s', (decimal, name, shown) => {
    expect(displayMoney(decimal, name)).toBe(shown);
  });

  test('cuts and never rounds: nothing looks larger than it is, and less than one shown unit is cut', () => {
    fc.assert(
      fc.property(anyMinor(), currency, (minor, name) => {
        const shown = displayMoney(formatMoney(minor, name), name);
        const read = parseDecimal(shown.replaceAll(',', '').replace('−', '-'), displayScale(name));
        const unit = 10n ** BigInt(scales[name] - displayScale(name));
        expect(read).toBe(minor / unit);
        expect(shown).toMatch(/^−?\d{1,3}(,\d{3})*\.\d+$/);
        expect(shown.startsWith('−')).toBe(read < 0n);
      }),
    );
  });
});

describe('conversion', () => {
  test.each([
    ['10.00', 'BTC', '1', '10.00000000'],
    ['10.00', 'BTC', '3', '3.33333333'],
    ['-10.00', 'BTC', '3', '-3.33333333'],
    ['0.01', 'USDT', '1.5', '0.006666'],
    ['0.01', 'PI', '1000000', '0.0000000'],
    ['1.00', 'BTC', '0.00000001', '100000000.00000000'],
  ] as const)('%s US dollars are in %s at %s: %s', (dollars, name, price, converted) => {
    const amount = convertFromUsd(parseMoney(dollars, 'USD'), name, parseDecimal(price, PRICE_SCALE));
    expect(formatMoney(amount, name)).toBe(converted);
  });

  test('never gives more value than was paid, and less than one minor unit less', () => {
    fc.assert(
      fc.property(anyMinor(0n), paymentCurrency, anyPrice(), (amount, name, price) => {
        const converted = convertFromUsd(amount, name, price);
        const paid = amount * 10n ** BigInt(scales[name] + PRICE_SCALE - scales.USD);
        expect(converted * price <= paid).toBe(true);
        expect((converted + 1n) * price > paid).toBe(true);
      }),
    );
  });

  test('rounds towards zero: a debit is the mirror of a credit', () => {
    fc.assert(
      fc.property(anyMinor(), paymentCurrency, anyPrice(), (amount, name, price) => {
        expect(convertFromUsd(-amount, name, price)).toBe(-convertFromUsd(amount, name, price));
      }),
    );
  });

  test('paid in parts never gives more than paid at once', () => {
    fc.assert(
      fc.property(anyMinor(0n), anyMinor(0n), paymentCurrency, anyPrice(), (a, b, name, price) => {
        const parts = convertFromUsd(a, name, price) + convertFromUsd(b, name, price);
        const whole = convertFromUsd(a + b, name, price);
        expect(whole - parts === 0n || whole - parts === 1n).toBe(true);
      }),
    );
  });

  test.each([0n, -1n])('has no price of %d', (price) => {
    expect(() => convertFromUsd(100n, 'BTC', price)).toThrow(InvariantViolation);
  });
});

describe('size', () => {
  test('is the amount without its sign', () => {
    expect([sizeOf(-3n), sizeOf(0n), sizeOf(3n)]).toEqual([3n, 0n, 3n]);
  });

  test.each([
    [MAX_MINOR, true],
    [MAX_MINOR + 1n, false],
    [-MAX_MINOR, true],
    [-MAX_MINOR - 1n, false],
  ])('%d fits: %s', (minor, answer) => {
    expect(fits(minor)).toBe(answer);
  });
});
