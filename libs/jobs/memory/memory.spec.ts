import { afterAll } from '@jest/globals';
import { LodeError } from '#kernel';
import type { Jobs } from '#jobs';
import { describeJobs } from '#jobs/contract';
import { createMemoryJobs, type MemoryQueues } from '#jobs/memory';

/** Counts ticks of a timer: while a busy machine gives this process no time, neither a lease nor its renewal goes on. */
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
