import { eventCodecs, plainCodec, type EventCodecs } from '#kernel';
import type { AdminsEvent } from './events.js';

/** How the events are stored: just as they are. */
export const adminsCodecs: EventCodecs<AdminsEvent> = eventCodecs<AdminsEvent>({
  AdminActivated: plainCodec(),
  AdminAdmitted: plainCodec(),
  AdminDutyChanged: plainCodec(),
  AdminExpected: plainCodec(),
  AdminRemoved: plainCodec(),
  AdminSuspended: plainCodec(),
});
