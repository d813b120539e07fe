import { createBellListeners, rings, type Bell, type BellListeners } from '#bell';
import type { Life } from './machines.js';
import { latency, type World } from './network.js';

/** How late a ring may be, in milliseconds: others overtake it. */
const LATE_MS = 3_000;

/** Bells of programs that hear each other ring, unless a ring is lost; some come late, and some again or for nothing. */
export function createBells(world: World): (life: Life) => Bell | undefined {
  const { time, draws } = world;
  const room = new Map<Life, BellListeners>();
  return (life) => {
    if (!world.plan.bells) return undefined;
    const listeners = createBellListeners(life.timers);
    room.set(life, listeners);
    life.onEnd(() => room.delete(life));
    return {
      ring: (about) => {
        const { deaf, late } = world.plan;
        for (const [other, { call }] of room) {
          if (draws.chance(deaf)) continue;
          const way = latency(world) + (draws.chance(late) ? draws.between(0, LATE_MS) : 0);
          time.after(way, `ring of ${about}`, () => call(about), other);
          if (!draws.chance(late)) continue;
          const again = draws.oneOf([about, ...rings]);
          time.after(draws.between(0, LATE_MS), `another ring of ${again}`, () => call(again), other);
        }
        world.happened.add('a bell rings');
      },
      on: listeners.on,
      isConnected: () => room.has(life),
      close: async () => void room.delete(life),
    };
  };
}
