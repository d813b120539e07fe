import { eventCodecs, plainCodec, type EventCodecs } from '#kernel';
import type { PlatformEvent } from './events.js';

/** How the events are stored: just as they are. */
export const platformCodecs: EventCodecs<PlatformEvent> = eventCodecs<PlatformEvent>({
  ClockAccepted: plainCodec(),
  PlatformFounded: plainCodec(),
  StoresAccepted: plainCodec(),
});
