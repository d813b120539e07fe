import { createBellListeners, type Bell, type BellListeners } from '#bell';
import type { Timers } from '#kernel';

/** Programs of one process that hear each other ring. */
export type BellRoom = Set<BellListeners>;

/** A bell among the programs of one process: those of one room. */
export function createMemoryBell(timers: Timers, room: BellRoom = new Set()): Bell {
  const listeners = createBellListeners(timers);
  room.add(listeners);
  return {
    ring: (about) => {
      for (const one of room) void timers.yieldNow().then(() => room.has(one) && one.call(about));
    },
    on: listeners.on,
    isConnected: () => room.has(listeners),
    close: async () => {
      room.delete(listeners);
      listeners.end();
    },
  };
}
