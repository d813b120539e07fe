import { z } from 'zod';
import { approvalCount } from './approvals.js';
import { changeParts } from './change-acts.js';
import { accepted, instant, pageOf, pageQuery, position, requestId, userId } from './common.js';

/** The answer to what may take a second admin. */
export const secondAnswer = accepted.extend({
  approvals: approvalCount.optional().meta({
    description: 'Nothing was changed yet: another admin has to approve it. Left out once it is so',
  }),
  changeId: requestId.optional().meta({ description: 'The id by which another admin approves it' }),
});
export type SecondAnswer = z.infer<typeof secondAnswer>;

const members = z.record(z.string(), z.unknown());

/** A change that one admin asked for and that waits for another. */
export const waitingChange = z.object({
  id: requestId,
  part: z.enum(changeParts),
  data: members.meta({ description: 'What is to be changed, as it was asked for' }),
  was: members.meta({ description: 'The same members as they are now' }),
  of: z
    .object({ userId, name: z.string() })
    .nullable()
    .meta({ description: 'Whose duty or bonus it is; null of what holds for all' }),
  by: z
    .object({
      userId,
      name: z.string(),
      counts: z.boolean().meta({
        description:
          'False once this admin may not make such a change any more: it has to be asked for again',
      }),
    })
    .meta({ description: 'Who asked for it' }),
  reason: z.string().optional(),
  isOwn: z.boolean().meta({ description: 'Whoever asks for the list asked for the change, too' }),
  since: instant,
  until: instant.meta({ description: 'It can be approved until then' }),
  position,
});
export type WaitingChange = z.infer<typeof waitingChange>;
export const changePage = pageOf(waitingChange);
export type ChangePage = z.infer<typeof changePage>;
export const changeQuery = pageQuery;

export const changeDecision = accepted.extend({
  status: z.enum(['approved', 'rejected', 'refused']).meta({
    description: 'Refused is what was approved and could not be made: something else was changed meanwhile',
  }),
});
export type ChangeDecision = z.infer<typeof changeDecision>;
