import type { PlatformEvent } from './events.js';
import type { Platform } from './state.js';

export type PlatformCommand = { readonly type: 'FoundPlatform'; readonly platformId: string };

/** What a platform answers to a command. One that is founded keeps its id, whichever is offered. */
export function decide({ platformId }: PlatformCommand, state: Platform): readonly PlatformEvent[] {
  return state.kind === 'founded' ? [] : [{ type: 'PlatformFounded', data: { platformId } }];
}
