import { SweepFiles, type Bus } from '#application';
import type { JobKind } from '#jobs';
import type { Actor } from '#kernel';

const EVERY_MS = 60 * 60 * 1_000;
const ATTEMPTS = 3;
const SWEEP: Actor = { id: 'file-sweep', kind: 'system', role: 'system' };

/**
 * Finishes what programs that ended left in the store of files, and deletes files that nothing names, a bounded number a
 * run; each run goes on where the one before stopped.
 */
export function fileSweep(bus: Pick<Bus, 'execute'>): JobKind {
  let next: string | undefined;
  return {
    name: 'file-sweep',
    everyMs: () => EVERY_MS,
    attempts: ATTEMPTS,
    run: async () => {
      const { next: stopped, ...swept } = await bus.execute(new SweepFiles({ actor: SWEEP }, next));
      next = stopped;
      return swept;
    },
  };
}
