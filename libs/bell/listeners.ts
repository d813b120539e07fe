import type { Timers } from '#kernel';
import { bellLimits, rings, type Bell, type Ring } from './port.js';
import { seldom } from './seldom.js';

/** The listeners of one program. */
export type BellListeners = Pick<Bell, 'on'> & {
  /** Calls those of a kind, unless they just were called. */
  readonly call: (about: Ring) => void;
  /** Calls all of them: rings may have been missed. */
  readonly callAll: () => void;
  /** Calls nobody any more, also of what was rung just before. */
  readonly end: () => void;
};

export function createBellListeners(timers: Pick<Timers, 'after'>): BellListeners {
  const bells = new Map(
    rings.map((about) => {
      const listeners = new Set<() => void>();
      const call = seldom(timers, bellLimits.everyMs, () => {
        for (const listener of listeners) listener();
      });
      return [about, { listeners, call }];
    }),
  );
  return {
    on: (about, listener) => {
      // Its own for each call, so that the same function may be given twice and taken away once.
      const own = () => listener();
      bells.get(about)?.listeners.add(own);
      return () => void bells.get(about)?.listeners.delete(own);
    },
    call: (about) => bells.get(about)?.call(),
    callAll: () => {
      for (const { call } of bells.values()) call();
    },
    end: () => {
      for (const { listeners } of bells.values()) listeners.clear();
    },
  };
}
