import { z } from 'zod';
import { duties } from './duties.js';
import { accepted, instant, listOrder, pageOf, pageQuery, position } from './common.js';

export const invitationId = z
  .uuid('Please enter the id of an invitation.')
  .meta({ description: 'Id of an invitation' });
const duty = z.enum(duties).meta({ description: 'What whoever accepts it is there for as an admin' });
export const inviteBody = z
  .object({
    duty: duty.optional().meta({ description: 'What the new admin is there for; left out, an owner' }),
  })
  .default({});
const doer = z.object({
  userId: z.string().nullable().meta({ description: 'null for the operator and for Lode itself' }),
  name: z.string(),
});
/** An invitation as admins read it. Its link is shown once, to whoever issued it. */
export const invitation = z.object({
  id: invitationId,
  created: instant,
  duty,
  expiresAt: instant.meta({ description: 'When its link ends' }),
  issuedBy: doer,
  state: z.enum(['open', 'accepted', 'unfinished', 'revoked', 'expired']).meta({
    description:
      'unfinished: somebody accepted it, and their registration was cut off before there was an account',
  }),
  end: z
    .object({ at: instant, by: doer, reason: z.string().optional() })
    .nullable()
    .meta({ description: 'Who accepted or revoked it; null until somebody did' }),
  position,
});
export type InvitationView = z.infer<typeof invitation>;
export const invitationPage = pageOf(invitation);
export type InvitationPage = z.infer<typeof invitationPage>;
export const invitationQuery = pageQuery.extend({ order: listOrder });

export const revokedAnswer = accepted.extend({ invitationId });
