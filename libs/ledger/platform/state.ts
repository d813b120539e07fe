import { invariant } from '#kernel';
import type { PlatformEvent } from './events.js';

/** The clocks that operators have accepted; instants are ISO 8601. */
export type AcceptedClocks = {
  readonly count: number;
  /** What the one said that was accepted last. */
  readonly instant: string;
  /** The latest instant that was known before any of them. */
  readonly ceiling: string;
};

export type Platform =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'founded';
      readonly platformId: string;
      /** Left out while no clock had to be accepted. */
      readonly clocks?: AcceptedClocks;
    };

/** A platform that nobody has founded: one whose first start is not over, or that is from before they were. */
export const noPlatform: Platform = { kind: 'none' };

/** Folds one event into the platform. */
export function evolve(state: Platform, { type, data }: PlatformEvent): Platform {
  switch (type) {
    case 'PlatformFounded':
      invariant(state.kind === 'none', 'a platform is founded once');
      return { kind: 'founded', platformId: data.platformId };
    case 'ClockAccepted': {
      invariant(state.kind === 'founded', 'a platform is founded before its clock is accepted');
      const { count, ceiling } = state.clocks ?? { count: 0, ceiling: data.was };
      const clocks = {
        count: count + 1,
        instant: data.instant,
        ceiling: data.was > ceiling ? data.was : ceiling,
      };
      return { ...state, clocks };
    }
    case 'StoresAccepted':
      invariant(state.kind === 'founded', 'a platform is founded before its stores are accepted');
      return state;
  }
}
