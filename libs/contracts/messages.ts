import { z } from 'zod';
import { accepted, atMost, instant, listQuery, pageOf, position, reason } from './common.js';

export const messageId = z
  .string()
  .regex(/^[A-Za-z0-9]{35}$/)
  .meta({ description: '35 random letters and digits' });

const filled = (what: string, max: number) => z.string(what).trim().min(1, what).max(max, atMost(max));
const EMAIL = 'Please enter a valid e-mail address.';
const name = filled('Please enter your name.', 200);
const email = filled('Please enter your e-mail address.', 254).pipe(z.email(EMAIL));
const phone = filled('Please enter your phone number.', 40);
const businessType = filled('Please enter your type of business.', 100);

/** A message as whoever is not signed in must send it. */
export const visitorMessage = z.object({
  name,
  email,
  phone,
  businessType,
  subject: z.string().trim().max(200, atMost(200)).optional(),
  message: filled('Please enter a message.', 4_000),
});
export type VisitorMessage = z.infer<typeof visitorMessage>;

export const messageBody = visitorMessage
  .partial({ name: true, email: true, phone: true, businessType: true })
  .meta({
    description:
      'A visitor gives name, e-mail, phone and type of business; those of a customer come from the account',
  });
export type MessageBody = z.infer<typeof messageBody>;
export const sentAnswer = accepted.extend({ messageId });

/** A message as admins read it; its words read `forgotten` once it or its sender was erased. */
export const message = z.object({
  id: messageId,
  created: instant,
  isRead: z.boolean(),
  userId: z.string().nullable().meta({ description: 'The customer who sent it; null for a visitor' }),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  businessType: z.string(),
  subject: z.string(),
  message: z.string(),
  position,
});
export type MessageView = z.infer<typeof message>;
export const messagePage = pageOf(message);
export type MessagePage = z.infer<typeof messagePage>;
export const messageQuery = listQuery.extend({ status: z.enum(['unread', 'read']).optional() });

export const messageDecisionBody = z.object({ reason: reason.optional() });
export const messageDecisionAnswer = accepted.extend({ messageId });
