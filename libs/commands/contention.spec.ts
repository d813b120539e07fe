import { expect, test } from '@jest/globals';
import { drawsOf } from '#kernel/testing/draws';
import type { EventStore } from '#event-store';
import { createMemoryEventStore } from '#event-store/memory';
import { checkLog } from '#event-store/testing';
import { contextOf, slow, startTally, virtualTimers } from './testing/index.js';

const STREAM = 'tally-1';
const EXECUTORS = 4;
const COMMANDS = 6_000;
const LATENCY_MS = 2;

type Executors = readonly ReturnType<typeof startTally>[];

/** Sends the commands by turns through all executors at once; how many were answered so far, and what came of them. */
function sendAll(executors: Executors) {
  let answered = 0;
  const answers = Promise.allSettled(
    Array.from({ length: COMMANDS }, async (_, n) => {
      const command = { do: 'add', amount: 1 } as const;
      try {
        return await executors[n % EXECUTORS]?.execute(STREAM, command, contextOf(`k${n}`));
      } finally {
        answered += 1;
      }
    }),
  );
  return { answers, answered: () => answered };
}

/** None was refused, and the log has each once. */
async function expectEachOnce(log: EventStore, answers: readonly PromiseSettledResult<unknown>[]) {
  expect(answers.filter(({ status }) => status === 'rejected')).toEqual([]);
  const commands = (await checkLog(log)).map(({ meta }) => meta.commandId);
  expect(commands).toHaveLength(COMMANDS);
  expect(new Set(commands).size).toBe(COMMANDS);
}

test(`${COMMANDS} commands on one stream through ${EXECUTORS} executors are carried out once each, and none is refused`, async () => {
  const log = createMemoryEventStore();
  const executors = Array.from({ length: EXECUTORS }, (_, n) =>
    startTally(slow(log, LATENCY_MS), { year: 2026 + n }),
  );
  await expectEachOnce(log, await sendAll(executors).answers);
  for (const executor of executors) expect((await executor.load(STREAM)).state.sum).toBe(COMMANDS);
});

test.each([
  [1, 150],
  [2, 150],
  [3, 300],
  [4, 600],
])(
  'nor is any where all takes as long as on a machine that has other work (seed %d, %d ms a call, on virtual time)',
  async (seed, latencyMs) => {
    const log = createMemoryEventStore();
    const { timers, until } = virtualTimers();
    const { bytes: random } = drawsOf(seed);
    const executors = Array.from({ length: EXECUTORS }, (_, n) =>
      startTally(slow(log, latencyMs, timers), { year: 2026 + n, timers, random }),
    );
    const { answers, answered } = sendAll(executors);
    await until(() => answered() === COMMANDS);
    await expectEachOnce(log, await answers);
  },
);
