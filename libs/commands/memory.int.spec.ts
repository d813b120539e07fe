import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { StatesAsked, StatesMeasured } from './testing/memory.worker.js';

/** The count may be off by this factor, either way. */
const FACTOR = 2;

test.each([
  ['many short', 2_000, 4],
  ['few long', 4, 2_000],
])(
  'the states of %s streams take the memory that is counted, within a factor',
  async (_, streams, requests) => {
    const workerData: StatesAsked = { streams, requests };
    const thread = new Worker(new URL('testing/memory.worker.js', import.meta.url), { workerData });
    const [{ grown, counted }] = (await once(thread, 'message')) as [StatesMeasured];
    await thread.terminate();
    expect(counted).toBeGreaterThan(grown / FACTOR);
    expect(counted).toBeLessThan(grown * FACTOR);
  },
);
