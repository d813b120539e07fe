import { expect, test } from '@jest/globals';
import { type Position, logStart, parsePosition } from '#kernel';
import { compareCounts } from './counts.js';

/** What the log held where the look began: three accounts. */
const place = { after: logStart, counts: { AccountOpened: 3 } };
const later = parsePosition('1')!;

/** The log with one account more behind the place, and read models at a position with so many accounts. */
function compared(accounts: number, position: Position) {
  const log = {
    readAll: async (after: Position) =>
      after === logStart ? [{ type: 'AccountOpened', position: later }] : [],
  };
  const keysOf: Readonly<Record<string, number>> = { accounts, events: position === later ? 4 : 3 };
  const models = {
    checkpoint: async () => ({ position, ordinal: 0 }),
    list: async () => [],
    get: async () => undefined,
    keys: async (name: string) => Array.from({ length: keysOf[name] ?? 0 }, (_, at) => [String(at)]),
  };
  return compareCounts(log as never, models as never, place);
}

test.each([
  ['one document too few', 2, logStart, 3],
  ['one too many', 4, logStart, 3],
  ['more than after an event that came meanwhile', 5, later, 4],
])('a read model with %s is rebuilt', async (_, accounts, position, expected) => {
  expect(await compared(accounts, position)).toEqual([
    {
      what: `The read model accounts has ${accounts} documents, and the log gives ${expected}: it is built anew.`,
      rebuild: 'accounts',
    },
  ]);
});

test.each([
  ['as many documents as the log gives', 3, logStart],
  ['as many as before an event that came meanwhile', 3, later],
  ['as many as after it', 4, later],
])('a read model with %s is left as it is', async (_, accounts, position) => {
  expect(await compared(accounts, position)).toEqual([]);
});
