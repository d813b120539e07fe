import { eventCodecs, plainCodec, type EventCodecs } from '#kernel';
import type { ChangeEvent } from './events.js';

/** How the events are stored: just as they are. */
export const changeCodecs: EventCodecs<ChangeEvent> = eventCodecs<ChangeEvent>({
  ChangeAsked: plainCodec(),
  ChangeApproved: plainCodec(),
  ChangeMade: plainCodec(),
  ChangeRejected: plainCodec(),
  ChangeRefused: plainCodec(),
});
