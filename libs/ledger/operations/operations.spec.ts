import { describe, expect, test } from '@jest/globals';
import { operations, operationsDecider, operationsStream } from '#ledger';

const { codecs, decide, evolve, initial } = operationsDecider;
const now = '2026-01-10T12:34:00.000Z';

describe('what admins order of the program', () => {
  test('has a stream a month', () => expect(operationsStream(now)).toBe('operations-2026-01'));

  test.each(operations)('is written down as it was ordered: %s', (operation) => {
    const order = { operation, about: 'accounts', stream: 'account-u1' };
    const events = decide({ type: 'Order', order }, initial, now);
    expect(events).toEqual([{ type: 'OperationOrdered', data: order }]);
    expect(events.reduce(evolve, initial)).toEqual({ ordered: 1 });
  });

  test('is of one type', () => expect(Object.keys(codecs.versions)).toEqual(['OperationOrdered']));
});
