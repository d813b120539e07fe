import { invariant, type Envelope } from '#kernel';
import { invitationStream, type Duty } from '#ledger';
import type { Document } from '#read-store';
import { readModel, type Handler } from '../read-model.js';
import type { EventsOf } from './streams.js';

/** Who did it, by id only. */
type Doer = Pick<Envelope['meta']['actor'], 'id' | 'kind'>;

/** One invitation. Whether its time is over is not here: that depends on when somebody looks. */
export type InvitationDocument = Document & {
  readonly created: string;
  /** What it makes of whoever accepts it. */
  readonly duty: Duty;
  readonly expiresAt: string;
  readonly issuedBy: Doer;
  readonly status: 'issued' | 'accepted' | 'revoked';
  /** How it ended; null until somebody accepted or revoked it. */
  readonly end: { readonly at: string; readonly by: Doer; readonly reason?: string } | null;
};

function ends<Event extends EventsOf<'invitation'>>(
  status: 'accepted' | 'revoked',
  byOf: (event: Event & Envelope) => Doer,
): Handler<Event, InvitationDocument> {
  return (event) => [
    {
      id: event.data.invitationId,
      change: (invitation) => {
        invariant(invitation !== undefined, `${event.type} of an invitation that is there`);
        const { at, meta, position } = event;
        const reason = meta.reason === undefined ? {} : { reason: meta.reason };
        return { ...invitation, position, status, end: { at, by: byOf(event), ...reason } };
      },
    },
  ];
}

/** One document an invitation. */
export const invitations = readModel<EventsOf<'invitation'>, InvitationDocument>({
  name: 'invitations',
  version: 2,
  // Those of version 1 don't say what an invitation makes.
  oldestServed: 2,
  indexes: [{ name: 'created', equals: [], order: ['created'] }],
  on: {
    InvitationIssued: ({ at, data, meta, position }) => [
      {
        id: data.invitationId,
        change: (invitation) => {
          invariant(invitation === undefined, 'an invitation is issued once');
          const { id, kind } = meta.actor;
          return {
            created: at,
            duty: data.duty,
            end: null,
            expiresAt: data.expiresAt,
            id: data.invitationId,
            issuedBy: { id, kind },
            position,
            status: 'issued',
          };
        },
      },
    ],
    // It is accepted by whoever comes with the link, who is no person of the log before that.
    InvitationAccepted: ends('accepted', ({ data }) => ({ id: data.userId, kind: 'person' })),
    InvitationRevoked: ends('revoked', ({ meta: { actor } }) => ({ id: actor.id, kind: actor.kind })),
  },
  ownerOf: () => null,
  isQuiet: true,
  streamOf: invitationStream,
});
