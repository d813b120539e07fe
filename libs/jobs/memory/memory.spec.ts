import { LodeError, systemMonotonic } from '#kernel';
import type { Jobs } from '#jobs';
import { describeJobs } from '#jobs/contract';
import { createMemoryJobs, type MemoryQueues } from '#jobs/memory';

describeJobs('memory', async () => {
  const queues: MemoryQueues = new Map();
  const cut = new Set<Jobs>();
  return {
    open: async (options) => {
      const jobs: Jobs = createMemoryJobs(
        {
          queues,
          now: systemMonotonic,
          ask: async (_, work) => {
            if (cut.has(jobs)) throw new LodeError('unavailable', 'it was killed');
            return work();
          },
        },
        // A busy machine may give a test nothing for as long as the contract's lease lasts.
        { ...options, limits: { ...options.limits, leaseMs: 800 }, onProblem: () => undefined },
      );
      return jobs;
    },
    kill: async (jobs) => void cut.add(jobs),
    lose: async () => queues.clear(),
    cleanUp: async () => undefined,
  };
});
