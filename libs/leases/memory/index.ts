import type { Clock } from '#kernel';
import { leaseLimits, replaced, type CheckedLeases } from '#leases';

/** Who has a name, and until when. */
type Held = { readonly holder: string; readonly epoch: number; readonly until: number };

/** What several holders in one process share. */
export type MemoryLeaseStore = Map<string, Held>;

/** A lease that would run for longer than any does was taken before the clock was set back. */
function isRunning(until: number, now: number): boolean {
  return until > now && until <= now + leaseLimits.ttlMs;
}

/** Leases in memory, for one holder. */
export function createMemoryLeases(store: MemoryLeaseStore, holder: string, clock: Clock): CheckedLeases {
  const hold = (name: string, epoch: number) =>
    store.set(name, { holder, epoch, until: clock() + leaseLimits.ttlMs });
  const isMine = (name: string, epoch: number) => {
    const held = store.get(name);
    return held?.epoch === epoch && held.until > 0;
  };
  return {
    acquire: async (name) => {
      const held = store.get(name);
      if (held !== undefined && held.holder !== holder && isRunning(held.until, clock())) return undefined;
      const epoch = (held?.epoch ?? 0) + 1;
      hold(name, epoch);
      return {
        name,
        epoch,
        renew: async () => {
          if (!isMine(name, epoch)) return false;
          hold(name, epoch);
          return true;
        },
        release: async () => {
          if (isMine(name, epoch)) store.set(name, { holder, epoch, until: 0 });
        },
      };
    },
    isHeld: async (name) => isRunning(store.get(name)?.until ?? 0, clock()),
    check: ({ name, epoch }) => {
      if ((store.get(name)?.epoch ?? 0) > epoch) throw replaced(name);
    },
  };
}
