import { invariant, LodeError } from '#kernel';
import type { AcceptedStores, PlatformEvent } from './events.js';
import type { Platform } from './state.js';

export type PlatformCommand =
  | { readonly type: 'FoundPlatform'; readonly platformId: string }
  /** Instants are ISO 8601: what the clock says, and the latest one that is known. */
  | {
      readonly type: 'AcceptClock';
      readonly instant: string;
      readonly was: string;
      readonly reason?: string | undefined;
    }
  | { readonly type: 'AcceptStores'; readonly accepted: AcceptedStores };

type AcceptClock = Extract<PlatformCommand, { type: 'AcceptClock' }>;

/** What a platform answers to a command. */
export function decide(command: PlatformCommand, state: Platform): readonly PlatformEvent[] {
  switch (command.type) {
    case 'FoundPlatform':
      // One that is founded keeps its id, whichever is offered.
      return state.kind === 'founded'
        ? []
        : [{ type: 'PlatformFounded', data: { platformId: command.platformId } }];
    case 'AcceptClock':
      return acceptClock(command, state);
    case 'AcceptStores':
      invariant(state.kind === 'founded', 'a platform is founded before its stores are accepted');
      return command.accepted.wrong.length === 0 ? [] : [{ type: 'StoresAccepted', data: command.accepted }];
  }
}

/** Takes what the clock says for the time. To go back behind what was known needs a reason. */
function acceptClock({ instant, was, reason }: AcceptClock, state: Platform): readonly PlatformEvent[] {
  invariant(state.kind === 'founded', 'a platform is founded before its clock is accepted');
  if (state.clocks?.instant === instant) return [];
  if (instant < was && reason === undefined)
    throw new LodeError(
      'setting_invalid',
      `The clock says ${instant}, which is before the latest time that is known, ${was}: to accept it a reason is needed.`,
    );
  return [{ type: 'ClockAccepted', data: { instant, was, ...(reason === undefined ? {} : { reason }) } }];
}
