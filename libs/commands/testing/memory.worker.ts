// A thread of its own, so that nothing but the states grows its heap while it is measured.
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { createMemoryEventStore } from '#event-store/memory';
import { createExecutor, createStateCache } from '#commands';
import { accountDecider, accountStream, type AccountCommand } from '#ledger';
import { contextOf } from './tally.js';

/** What the thread is asked: how many streams there are, and how many requests each has. */
export type StatesAsked = { readonly streams: number; readonly requests: number };
/** Bytes by which the heap grew when the streams were read, and bytes that the cache counted. */
export type StatesMeasured = { readonly grown: number; readonly counted: number };

const { streams, requests } = workerData as StatesAsked;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes that the thread's objects take now. */
async function memoryInUse(): Promise<number> {
  for (let n = 0; n < 4; n++) {
    collect();
    await setImmediate();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function requesting(requestId: string): AccountCommand {
  const evidence = { fileId: `f-${requestId}`, mediaType: 'image/png', bytes: 3, sha256: 'ab' };
  return { type: 'RequestFunding', requestId, amount: 100n, currency: 'BTC', evidence, depositAddress: null };
}

const log = createMemoryEventStore();
const writer = createExecutor({ store: log, decider: accountDecider, clock: () => 0 });
const names = Array.from({ length: streams }, (_, n) => accountStream(`user-${n}`));
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
    Array.from({ length: requests }, (_, r) =>
      writer.execute(stream, requesting(`${n}-${r}`), contextOf(`${stream} ${r}`)),
    ),
  );
}
// Events as a program reads them: nothing of them is shared with the log.
const store = {
  ...log,
  readStream: async (...asked: Parameters<typeof log.readStream>) =>
    JSON.parse(JSON.stringify(await log.readStream(...asked))) as Awaited<ReturnType<typeof log.readStream>>,
};
const cache = createStateCache();
const reader = createExecutor({ store, decider: accountDecider, clock: () => 0, cache });
const before = await memoryInUse();
for (const stream of names) await reader.load(stream);
const grown = (await memoryInUse()) - before;
// Still in use, so that nothing of it has been collected.
for (const one of [reader, writer])
  if ((await one.load(names[0]!)).revision !== requests) throw new Error('a stream has not what was written');
parentPort?.postMessage({ grown, counted: cache.bytes() } satisfies StatesMeasured);
