import { invariant } from '#kernel';
import type { PlatformEvent } from './events.js';

export type Platform = { readonly kind: 'none' } | { readonly kind: 'founded'; readonly platformId: string };

/** A platform that nobody has founded: one whose first start is not over, or that is from before they were. */
export const noPlatform: Platform = { kind: 'none' };

/** Folds one event into the platform. */
export function evolve(state: Platform, event: PlatformEvent): Platform {
  invariant(state.kind === 'none', 'a platform is founded once');
  return { kind: 'founded', platformId: event.data.platformId };
}
