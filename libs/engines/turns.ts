import { LodeError, systemTimers } from '#kernel';
import { createActiveRunner, type Lease, type Leases } from '#leases';
import type { Turn } from './inspection.js';

/** The lease of whoever runs the projections. */
export const PROJECTOR = 'projector';
/** The lease of whoever runs the reactors. */
export const REACTORS = 'reactors';

/**
 * Takes a lease that programs have while they run, and keeps it until it is released. Undefined while a program has it.
 * Rejects with what asking for it failed with.
 */
export async function takeTurn(
  leases: Pick<Leases, 'acquire'>,
  name: string,
): Promise<(Turn & { readonly lease: Lease }) | undefined> {
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => undefined);
  let lease: Lease | undefined;
  const turns = createActiveRunner({
    leases,
    name,
    begin: async (taken) => {
      lease = taken;
      return async () => lost.reject(new LodeError('conflict', `Another program has the ${name} now.`));
    },
    onProblem: () => undefined,
    timers: systemTimers,
  });
  await turns.start();
  if (lease !== undefined) return { lease, lost: lost.promise, release: turns.stop };
  await turns.stop();
  return undefined;
}
