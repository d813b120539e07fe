import { eventCodecs, plainCodec, type EventCodecs } from '#kernel';
import type { InvitationEvent } from './events.js';

/** How the events are stored: just as they are. */
export const invitationCodecs: EventCodecs<InvitationEvent> = eventCodecs<InvitationEvent>({
  InvitationIssued: plainCodec(),
  InvitationAccepted: plainCodec(),
});
