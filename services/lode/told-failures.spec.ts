import { expect, test } from '@jest/globals';
import { tellFailures } from './told-failures.js';

const WHERE = 'http://collector';
const CALM_MS = 60_000;

test('that a collector fails is told once, and that it is well once it has not failed for a minute', () => {
  const lines: string[] = [];
  const logger = {
    warn: (line: string) => void lines.push(line),
    info: (line: string) => void lines.push(line),
  };
  let now = 0;
  const tell = tellFailures(WHERE, logger, () => now);
  /** A batch a second, of which each fails or goes through as is said. */
  const send = (...fails: readonly boolean[]) => {
    for (const isFailure of fails) {
      now += 1_000;
      tell(isFailure ? new Error('away') : undefined);
    }
  };
  send(false);
  expect(lines).toEqual([]);
  for (let n = 0; n < 100; n += 1) send(true, false);
  expect(lines.splice(0)).toEqual([`traces can't be sent to ${WHERE}: away`]);
  now += CALM_MS - 2_001;
  send(false);
  expect(lines).toEqual([]);
  send(false);
  expect(lines.splice(0)).toEqual([`traces are sent to ${WHERE} again`]);
  send(true);
  expect(lines).toHaveLength(1);
});
