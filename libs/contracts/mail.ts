import { z } from 'zod';
import { done, newPassword } from './auth.js';
import { instant, pageQuery, userId } from './common.js';
import { sitePaths } from './pages.js';
import { securityProof } from './proof.js';
import { typedEmail } from './typed.js';

/** Pages that links in mails lead to, each with its token behind a #. */
export const mailPages = {
  resetPassword: sitePaths.resetPassword,
  verifyEmail: sitePaths.verifyEmail,
  confirmEmail: sitePaths.confirmEmail,
} as const;
export type MailPage = keyof typeof mailPages;

export const requestPasswordResetBody = z.object({
  email: typedEmail('Please enter your e-mail address.'),
});
export const requestPasswordResetAnswer = done;

/** The secret of a link in a mail. */
const linkToken = z
  .string('This link is not complete.')
  .min(1, 'This link is not complete.')
  .max(128, 'This link is not complete.')
  .meta({ description: 'What stands behind the # of the link. It is never part of an address' });

export const resetPasswordBody = z.object({ token: linkToken, newPassword });
export type ResetPasswordBody = z.infer<typeof resetPasswordBody>;

export const verifyEmailBody = z.object({ token: linkToken });
export type VerifyEmailBody = z.infer<typeof verifyEmailBody>;

export const confirmEmailChangeBody = z.object({ token: linkToken });

export const requestEmailChangeBody = z.object({
  email: typedEmail('Please enter your new e-mail address.'),
  proof: securityProof.optional(),
});
/** An e-mail address that is to take the place of a person's. */
export const pendingEmail = z.object({
  email: z.string().meta({ description: 'The address that a link was sent to' }),
  expiresAt: instant.meta({ description: 'The link is good until then' }),
});
export const emailChange = z.object({
  pending: pendingEmail.nullable().meta({ description: 'Null while no link waits' }),
});
export type EmailChangeView = z.infer<typeof emailChange>;
export const requestEmailChangeAnswer = z.object({ pending: pendingEmail, message: done.shape.message });

/** A mail as admins see it: never what it says. */
export const mail = z.object({
  mailId: z.string(),
  userId,
  kind: z.string().meta({ description: 'What it is about, such as reset-password' }),
  to: z.string().meta({
    description:
      'The recipient; `forgotten` once the person is erased, `unreadable` while what is kept of it is damaged',
  }),
  state: z.enum(['queued', 'sent', 'given up']),
  queuedAt: instant,
  at: instant.meta({ description: 'When it is tried next; of one that has ended, when that was' }),
  attempts: z.int(),
  failure: z.string().nullable().meta({ description: 'What the last attempt failed with' }),
});
export type MailView = z.infer<typeof mail>;
export const mails = z.object({
  items: z.array(mail),
  next: z.string().nullable().meta({ description: 'The cursor of the page behind; null on the last' }),
});
export type MailList = z.infer<typeof mails>;
export const mailQuery = pageQuery.extend({
  cursor: z
    .string()
    .regex(/^\d{1,16}\.[0-9a-f]{1,64}$/, 'This cursor is not from this list.')
    .optional()
    .meta({ description: '`next` of the page before' }),
});
