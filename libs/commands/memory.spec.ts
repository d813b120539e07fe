import { expect, test } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createMemoryEventStore } from '#event-store/memory';
import { createExecutor, createStateCache } from '#commands';
import { accountDecider, accountStream } from '#ledger';
import { fundingOf } from '#ledger/testing';
import { contextOf } from './testing/index.js';

/** The count may be off by this factor, either way. */
const FACTOR = 2;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes that the program's objects take now. */
async function memoryInUse(): Promise<number> {
  for (let n = 0; n < 4; n++) {
    collect();
    await setImmediate();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test.each([
  ['many short', 1_000, 4],
  ['few long', 4, 1_000],
])(
  'the states of %s streams take the memory that is counted, within a factor',
  async (_, streams, requests) => {
    const log = createMemoryEventStore();
    const writer = createExecutor({ store: log, decider: accountDecider, clock: () => 0 });
    const names = Array.from({ length: streams }, (__, n) => accountStream(`user-${n}`));
    for (const [n, stream] of names.entries()) {
      const opening = {
        type: 'OpenAccount',
        userId: `user-${n}`,
        accountNumber: '3000000001',
        role: 'user',
        profile: 'x'.repeat(300),
      } as const;
      await writer.execute(stream, opening, contextOf(`${stream} opening`));
      await Promise.all(
        Array.from({ length: requests }, (__, r) =>
          writer.execute(stream, fundingOf(`${n}-${r}`, '1.00', 'BTC'), contextOf(`${stream} ${r}`)),
        ),
      );
    }
    // Events as a program reads them: nothing of them is shared with the log.
    const store = {
      ...log,
      readStream: async (...asked: Parameters<typeof log.readStream>) =>
        JSON.parse(JSON.stringify(await log.readStream(...asked))) as Awaited<
          ReturnType<typeof log.readStream>
        >,
    };
    const cache = createStateCache();
    const reader = createExecutor({ store, decider: accountDecider, clock: () => 0, cache });
    const before = await memoryInUse();
    for (const stream of names) await reader.load(stream);
    const grown = (await memoryInUse()) - before;
    const counted = cache.bytes();
    expect(counted).toBeGreaterThan(grown / FACTOR);
    expect(counted).toBeLessThan(grown * FACTOR);
    // Still in use, so that nothing of it has been collected.
    for (const one of [reader, writer]) expect((await one.load(names[0]!)).revision).toBe(requests);
  },
);
