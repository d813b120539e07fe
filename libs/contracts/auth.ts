import { z } from 'zod';
import { accepted, instant, role, userId } from './common.js';
import { atMost, filledLine } from './typed.js';

/** Length of a password: at least the identity policy's default, at most what hashing should be asked to chew. */
export const PASSWORD_LENGTH = { min: 6, max: 256 } as const;

const INCOMPLETE = 'Incomplete information';
const filled = (max: number) => filledLine(max, INCOMPLETE);

/** A person's own words about themselves; encrypted wherever they are kept in the log. */
export const profile = z.object({
  firstname: filled(100),
  lastname: filled(100),
  email: filled(254).pipe(z.email('Please enter a valid e-mail address.')),
  phone: filled(40),
});
export type Profile = z.infer<typeof profile>;

/** A password that somebody chooses; the server's policy may ask for more. */
const newPassword = z
  .string(INCOMPLETE)
  .min(1, INCOMPLETE)
  .min(PASSWORD_LENGTH.min, `Password should be at least ${PASSWORD_LENGTH.min} characters`)
  .max(PASSWORD_LENGTH.max, `Password should be at most ${PASSWORD_LENGTH.max} characters`);
/** A password that somebody has. */
const password = z
  .string(INCOMPLETE)
  .min(1, INCOMPLETE)
  .max(PASSWORD_LENGTH.max, atMost(PASSWORD_LENGTH.max));

const MATCH = { path: ['confirmPassword'], message: 'Passwords do not match' };
const matches = (body: { readonly password: string; readonly confirmPassword?: string | undefined }) =>
  body.confirmPassword === undefined || body.confirmPassword === body.password;
const person = profile.extend({
  password: newPassword,
  confirmPassword: z.string().optional().meta({ description: 'The same as `password`, when given' }),
});

export const registerBody = person
  .extend({
    invitation: z
      .string()
      .max(128, 'This invitation is not valid.')
      .optional()
      .meta({ description: 'Makes an admin when it is unused and in time' }),
  })
  .refine(matches, MATCH);
/** A customer whom an admin registers. */
export const createAccountBody = person.refine(matches, MATCH);
export type RegisterBody = z.infer<typeof registerBody>;
export const registerAnswer = accepted.extend({ userId, role });

const CREDENTIALS = 'Email and password are required';
export const signInBody = z.object({
  email: z.string(CREDENTIALS).trim().min(1, CREDENTIALS).max(254, atMost(254)),
  password: z.string(CREDENTIALS).min(1, CREDENTIALS).max(PASSWORD_LENGTH.max, atMost(PASSWORD_LENGTH.max)),
});

export type SignInBody = z.infer<typeof signInBody>;

export const done = z.object({ message: accepted.shape.message });

/** What a browser needs to act for a person: the access token is for memory, the refresh token is in a cookie. */
export const session = z.object({
  accessToken: z.string().meta({ description: 'For the header `Authorization: Bearer …`' }),
  expiresAt: instant.meta({ description: 'Of the access token' }),
  user: z.object({ userId, role, firstname: z.string() }),
  message: done.shape.message,
});
export type Session = z.infer<typeof session>;

/** What a new password must have, so that a form can say so before it is sent. */
export const passwordPolicy = z.object({
  minLength: z.int().meta({ description: 'Characters' }),
  maxLength: z.int().meta({ description: 'Characters' }),
  requires: z
    .array(z.enum(['lowercase', 'uppercase', 'numeric', 'non-alphanumeric']))
    .meta({ description: 'Kinds of characters that must be among them' }),
});
export type PasswordPolicyView = z.infer<typeof passwordPolicy>;

export const changePasswordBody = z.object({ oldPassword: password, newPassword });
export type ChangePasswordBody = z.infer<typeof changePasswordBody>;

export const transferPin = z
  .string('A transfer pin has 4 digits.')
  .regex(/^\d{4}$/, 'A transfer pin has 4 digits.')
  .meta({ description: '4 digits. Never stored as it is, never shown' });
export const transferPinBody = z.object({ pin: transferPin, password });
export type TransferPinBody = z.infer<typeof transferPinBody>;
export const transferPinState = z.object({
  state: z
    .enum(['missing', 'set', 'locked'])
    .meta({ description: 'locked: it was wrong too often and has to be set anew' }),
});

export const sessionId = z.string().regex(/^[A-Za-z0-9-]{1,64}$/);
/** A person's sessions, the one used last first. */
export const sessions = z.object({
  items: z.array(
    z.object({
      sessionId,
      createdAt: instant,
      lastUsedAt: instant.meta({ description: 'When its tokens were last renewed' }),
      endsAt: instant.meta({ description: 'When it ends at the latest' }),
      address: z.string().meta({ description: 'Where it was begun from' }),
      agent: z.string().meta({ description: 'The program that began it, as it calls itself' }),
      current: z.boolean().meta({ description: 'The session that asks' }),
    }),
  ),
});
export type SessionList = z.infer<typeof sessions>;
export const sessionsEnded = done.extend({ ended: z.int().meta({ description: 'How many sessions ended' }) });

export const invitationAnswer = accepted.extend({
  invitationId: z.string(),
  token: z.string().meta({ description: 'Shown once; only its hash is kept' }),
  path: z.string().meta({ description: 'The page that accepts it' }),
  expiresAt: instant,
});
