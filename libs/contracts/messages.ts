import { z } from 'zod';
import { accepted, instant, listQuery, pageOf, position } from './common.js';
import { filledLine, filledText, typedEmail, typedLine } from './typed.js';

export const messageId = z
  .string()
  .regex(/^[A-Za-z0-9]{35}$/, 'Please enter the id of a message.')
  .meta({ description: '35 random letters and digits' });

const name = filledLine(200, 'Please enter your name.');
const email = typedEmail('Please enter your e-mail address.');
const phone = filledLine(40, 'Please enter your phone number.');
const businessType = filledLine(100, 'Please enter your type of business.');

/** A message as whoever is not signed in must send it. */
export const visitorMessage = z.object({
  name,
  email,
  phone,
  businessType,
  subject: typedLine(200).optional(),
  message: filledText(4_000, 'Please enter a message.'),
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

export const messageDecisionAnswer = accepted.extend({ messageId });
