import { expect, test } from '@jest/globals';
import { createMemoryEventStore } from '#event-store/memory';
import { checkLog } from '#event-store/testing';
import { contextOf, slow, startTally } from './testing/index.js';

const STREAM = 'tally-1';
const EXECUTORS = 4;
const COMMANDS = 6_000;
const LATENCY_MS = 2;
const TEST_MS = 60_000;

test(
  `${COMMANDS} commands on one stream through ${EXECUTORS} executors are carried out once each, and none is refused`,
  async () => {
    const log = createMemoryEventStore();
    const executors = Array.from({ length: EXECUTORS }, (_, n) =>
      startTally(slow(log, LATENCY_MS), { year: 2026 + n }),
    );
    const answers = await Promise.allSettled(
      Array.from({ length: COMMANDS }, (_, n) =>
        executors[n % EXECUTORS]!.execute(STREAM, { do: 'add', amount: 1 }, contextOf(`k${n}`)),
      ),
    );
    expect(answers.filter(({ status }) => status === 'rejected')).toEqual([]);
    const commands = (await checkLog(log)).map(({ meta }) => meta.commandId);
    expect(commands).toHaveLength(COMMANDS);
    expect(new Set(commands).size).toBe(COMMANDS);
    for (const executor of executors) expect((await executor.load(STREAM)).state.sum).toBe(COMMANDS);
  },
  TEST_MS,
);
