import { expect, test } from '@jest/globals';
import type { EventStore, LogHeader } from '#event-store';
import { keepProgram } from './newer.js';

test.each([
  ['1.9.0', '1.10.0', '1.10.0'],
  ['1.10.0', '1.9.0', '1.10.0'],
  ['1.2.0-rc.1', '1.2.0', '1.2.0'],
  ['1.2.0', '1.2.0-rc.1', '1.2.0'],
  ['1.2.0-rc.2', '1.2.0-rc.10', '1.2.0-rc.10'],
  ['1.2.0', '1.3.0-rc.1', '1.3.0-rc.1'],
])('of %s and then %s a log keeps %s as its latest program', async (first, second, latest) => {
  let header: LogHeader = { logId: 'log', partitions: 1 };
  const log = {
    header: async () => header,
    changeHeader: async (change: Parameters<EventStore['changeHeader']>[0]) => {
      const { program } = typeof change === 'function' ? change(header) : change;
      header = { ...header, ...(program === undefined ? {} : { program }) };
    },
  };
  await keepProgram(log, { program: first });
  await keepProgram(log, { program: second });
  expect(header.program).toBe(latest);
});
