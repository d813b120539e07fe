import type { Decider } from '#kernel';
import { platformCodecs } from './codecs.js';
import { decide, type PlatformCommand } from './decide.js';
import type { PlatformEvent } from './events.js';
import { evolve, noPlatform, type Platform } from './state.js';

/** The installation as a whole: which one it is. */
export const platformDecider: Decider<PlatformCommand, PlatformEvent, Platform> = {
  initial: noPlatform,
  decide,
  evolve,
  codecs: platformCodecs,
};

/** The stream of the platform, of which there is one. */
export const platformStream = 'platform';

export type { PlatformCommand } from './decide.js';
export type { AcceptedStores, PlatformEvent } from './events.js';
export type { AcceptedClocks, Platform } from './state.js';
