import { describe, expect, test } from '@jest/globals';
import { bodyOf, type Fields } from './fields';

const fields: Fields = {
  transferType: 'international',
  accountNumber: '12 34 56',
  accountName: 'Ann Ode',
  bankName: 'First Bank',
  bankAddress: '1 Bank Street',
  routingNumber: '021000021',
  swiftBicIban: 'FRSTUS33',
  holderAddress: '2 Home Road',
  currency: 'BTC',
  amount: '1,250.5',
  narration: 'Rent',
  pin: '1234',
};
const { pin: _pin, accountNumber: _number, amount: _amount, ...typed } = fields;

describe('what a transfer sends', () => {
  test('to a bank abroad is all that was typed but the pin, with plain numbers', () => {
    expect(bodyOf(fields, { kind: 'bank' })).toEqual({ ...typed, accountNumber: '123456', amount: '1250.5' });
  });

  test('to a bank at home has no SWIFT code', () => {
    const { swiftBicIban: _swift, ...local } = typed;
    expect(bodyOf({ ...fields, transferType: 'local' }, { kind: 'bank' })).toEqual({
      ...local,
      transferType: 'local',
      accountNumber: '123456',
      amount: '1250.5',
    });
  });

  test('to a customer says nothing of a bank', () => {
    expect(Object.keys(bodyOf(fields, { kind: 'customer', name: 'Ann', again: () => undefined }))).toEqual([
      'transferType',
      'accountNumber',
      'currency',
      'narration',
      'amount',
    ]);
  });
});
