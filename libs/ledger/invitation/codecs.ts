import { eventCodecs, plainCodec, reading, type EventCodec, type EventCodecs } from '#kernel';
import type { InvitationEvent } from './events.js';

type Issued = Extract<InvitationEvent, { readonly type: 'InvitationIssued' }>['data'];

const invitationIssued: EventCodec<Issued> = {
  version: 2,
  read: {
    1: reading((stored: Omit<Issued, 'duty'>): Issued => ({ ...stored, duty: 'owner' })),
    2: reading((stored: Issued) => stored),
  },
  write: (data) => data,
};

/** How the events are stored: just as they are, but for what version 1 of an invitation didn't say. */
export const invitationCodecs: EventCodecs<InvitationEvent> = eventCodecs<InvitationEvent>({
  InvitationIssued: invitationIssued,
  InvitationAccepted: plainCodec(),
  InvitationRevoked: plainCodec(),
});
