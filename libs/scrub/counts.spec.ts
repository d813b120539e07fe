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

const isBuiltAnew = (accounts: number, expected: number) => [
  {
    what: `The read model accounts has ${accounts} documents, and the log gives ${expected}: it is built anew.`,
    rebuild: 'accounts',
  },
];

test.each([
  ['one too few', 2, logStart, isBuiltAnew(2, 3)],
  ['as many as the log gives', 3, logStart, []],
  ['one too many', 4, logStart, isBuiltAnew(4, 3)],
  ['as many as before an event that came meanwhile', 3, later, []],
  ['as many as after it', 4, later, []],
  ['more than after it', 5, later, isBuiltAnew(5, 4)],
])('a read model with %s documents', async (_, accounts, position, found) => {
  expect(await compared(accounts, position)).toEqual(found);
});
