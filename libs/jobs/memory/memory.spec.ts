import { afterAll } from '@jest/globals';
import { LodeError } from '#kernel';
import type { Jobs } from '#jobs';
import { describeJobs } from '#jobs/contract';
import { createMemoryJobs, type MemoryQueues } from '#jobs/memory';

/**
 * Time that passes while this process has a processor: what a busy machine keeps from it, for signs of life too, is no time
 * of a lease.
 */
const TICK_MS = 5;
let now = 0;
const ticking = setInterval(() => (now += TICK_MS), TICK_MS);
afterAll(() => clearInterval(ticking));

describeJobs('memory', async () => {
  const queues: MemoryQueues = new Map();
  const cut = new Set<Jobs>();
  return {
    open: async (options) => {
      const jobs: Jobs = createMemoryJobs(
        {
          queues,
          now: () => now,
          ask: async (_, work) => {
            if (cut.has(jobs)) throw new LodeError('unavailable', 'it was killed');
            return work();
          },
        },
        { ...options, onProblem: () => undefined },
      );
      return jobs;
    },
    kill: async (jobs) => void cut.add(jobs),
    lose: async () => queues.clear(),
    cleanUp: async () => undefined,
  };
});
