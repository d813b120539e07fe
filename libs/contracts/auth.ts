import { z } from 'zod';
import { accepted, instant, role, userId } from './common.js';

/** Length of a password: at least the identity policy's default, at most what hashing should be asked to chew. */
export const PASSWORD_LENGTH = { min: 6, max: 256 } as const;

const INCOMPLETE = 'Incomplete information';
const filled = (max: number) => z.string(INCOMPLETE).trim().min(1, INCOMPLETE).max(max);

/** A person's own words about themselves; encrypted wherever they are kept in the log. */
export const profile = z.object({
  firstname: filled(100),
  lastname: filled(100),
  email: filled(254).pipe(z.email('Please enter a valid e-mail address.')),
  phone: filled(40),
});
export type Profile = z.infer<typeof profile>;

export const registerBody = profile
  .extend({
    password: z
      .string(INCOMPLETE)
      .min(1, INCOMPLETE)
      .min(PASSWORD_LENGTH.min, `Password should be at least ${PASSWORD_LENGTH.min} characters`)
      .max(PASSWORD_LENGTH.max, `Password should be at most ${PASSWORD_LENGTH.max} characters`),
    confirmPassword: z.string().optional(),
    invitation: z
      .string()
      .max(128)
      .optional()
      .meta({ description: 'Makes an admin when it is unused and in time' }),
  })
  .refine((body) => body.confirmPassword === undefined || body.confirmPassword === body.password, {
    path: ['confirmPassword'],
    message: 'Passwords do not match',
  });
export type RegisterBody = z.infer<typeof registerBody>;
export const registerAnswer = accepted.extend({ userId, role });

const CREDENTIALS = 'Email and password are required';
export const signInBody = z.object({
  email: z.string(CREDENTIALS).trim().min(1, CREDENTIALS).max(254),
  password: z.string(CREDENTIALS).min(1, CREDENTIALS).max(PASSWORD_LENGTH.max),
});

export type SignInBody = z.infer<typeof signInBody>;

/** What a browser needs to act for a person: the access token is for memory, the refresh token is in a cookie. */
export const session = z.object({
  accessToken: z.string(),
  expiresAt: instant,
  user: z.object({ userId, role, firstname: z.string() }),
  message: z.string(),
});
export type Session = z.infer<typeof session>;

export const signedOut = z.object({ message: z.string() });

export const invitationAnswer = accepted.extend({
  invitationId: z.string(),
  token: z.string().meta({ description: 'Shown once; only its hash is kept' }),
  path: z.string().meta({ description: 'The page that accepts it' }),
  expiresAt: instant,
});
