import { LodeError, systemTimers } from '#kernel';
import { createActiveRunner, type Lease, type Leases } from '#leases';
import type { Turn } from './inspection.js';

/** The first lease of those who run the projections. */
export const PROJECTOR = 'projector';

/** The leases of those who may share the projections of so many lanes: each program has one. */
export function projectorSeats(lanes: number): readonly string[] {
  return Array.from({ length: lanes }, (_, n) => (n === 0 ? PROJECTOR : `${PROJECTOR}-${n}`));
}

/** Where orders to whoever folds a lane go. */
export function projectorOf(lane: number): string {
  return lane === 0 ? PROJECTOR : `${PROJECTOR}/${lane}`;
}

/** The lease of whoever runs the reactors. */
export const REACTORS = 'reactors';
/** The lease that one of those who run jobs has, while it can. */
export const JOBS = 'jobs';

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

/** Takes several leases, all of them or none; see `takeTurn`. */
export async function takeTurns(
  leases: Pick<Leases, 'acquire'>,
  names: readonly string[],
): Promise<Turn | undefined> {
  const turns: Turn[] = [];
  const release = async () => {
    await Promise.all(turns.map((turn) => turn.release()));
  };
  for (const name of names) {
    const turn = await takeTurn(leases, name);
    if (turn === undefined) {
      await release();
      return undefined;
    }
    turns.push(turn);
  }
  return { lost: Promise.race(turns.map(({ lost }) => lost)), release };
}
