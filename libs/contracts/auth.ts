import { z } from 'zod';
import { accepted, instant, reason, role, userId } from './common.js';
import { duties } from './duties.js';
import { passkeyAssertion, passkeyId, passkeyRequest } from './passkeys.js';
import { atMost, filledLine, typedEmail } from './typed.js';

/**
 * Length of a new password: the least that a policy may ask for, what it asks for where nothing is set, and what hashing
 * should be asked to chew. A password of before may have as many characters as `ofBefore`.
 */
export const PASSWORD_LENGTH = { min: 6, byDefault: 8, max: 128, ofBefore: 256 } as const;

const INCOMPLETE = 'Incomplete information';
const filled = (max: number) => filledLine(max, INCOMPLETE);

/** A person's own words about themselves; encrypted wherever they are kept in the log. */
export const profile = z.object({
  firstname: filled(100),
  lastname: filled(100),
  email: typedEmail(INCOMPLETE),
  phone: filled(40),
});
export type Profile = z.infer<typeof profile>;

/** A password that somebody chooses; the server's policy may ask for more. */
export const newPassword = z
  .string(INCOMPLETE)
  .min(1, INCOMPLETE)
  .min(PASSWORD_LENGTH.min, `Password should be at least ${PASSWORD_LENGTH.min} characters`)
  .max(PASSWORD_LENGTH.max, `Password should be at most ${PASSWORD_LENGTH.max} characters`);
/** A password that somebody has. */
export const password = z
  .string(INCOMPLETE)
  .min(1, INCOMPLETE)
  .max(PASSWORD_LENGTH.ofBefore, atMost(PASSWORD_LENGTH.ofBefore));

const MATCH = { path: ['confirmPassword'], message: 'Passwords do not match' };
const matches = (body: { readonly password: string; readonly confirmPassword?: string | undefined }) =>
  body.confirmPassword === undefined || body.confirmPassword === body.password;
/** Of a text that whoever registers was shown. */
const shownText = z
  .string()
  .regex(/^(?:[0-9a-f]{64})?$/, 'Please give the SHA-256 of the text.')
  .optional()
  .meta({
    description:
      'SHA-256 of the text that was shown, in hexadecimal, or empty where there was none. Refused when the text in force is another; left out, that one counts as shown',
  });
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
    terms: shownText,
    privacy: shownText,
  })
  .refine(matches, MATCH);
/** A customer whom an admin registers. */
export const createAccountBody = person.refine(matches, MATCH);
export type RegisterBody = z.infer<typeof registerBody>;
export const registerAnswer = accepted.extend({ userId, role });

const CREDENTIALS = 'Email and password are required';
export const signInBody = z.object({
  email: z.string(CREDENTIALS).max(254, atMost(254)).trim().min(1, CREDENTIALS),
  password: z
    .string(CREDENTIALS)
    .min(1, CREDENTIALS)
    .max(PASSWORD_LENGTH.ofBefore, atMost(PASSWORD_LENGTH.ofBefore)),
});

export type SignInBody = z.infer<typeof signInBody>;

export const done = z.object({ message: accepted.shape.message });

/** What a browser needs to act for a person: the access token is for memory, the refresh token is in a cookie. */
export const session = z.object({
  accessToken: z.string().meta({ description: 'For the header `Authorization: Bearer …`' }),
  expiresAt: instant.meta({ description: 'Of the access token' }),
  user: z.object({ userId, role, firstname: z.string() }),
  mustChoosePassword: z.literal(true).optional().meta({
    description:
      'There where an admin chose the password: nothing else is done before `PUT /api/me/password` has set another one',
  }),
  message: done.shape.message,
});
export type Session = z.infer<typeof session>;

/** Of whoever has a second factor, what the password is answered with: no session yet. */
export const secondStep = z.object({
  challenge: z.string().meta({
    description:
      'Of whoever has a second factor, and nothing of the session then: for the second step; good for five minutes, and once',
  }),
  expiresAt: instant,
  passkey: passkeyRequest
    .optional()
    .meta({ description: 'Of whoever has a passkey: what it can sign instead' }),
  message: done.shape.message,
});
export type SecondStep = z.infer<typeof secondStep>;
export const signInAnswer = z.union([session, secondStep]);

const CODE = 'Please enter the code.';
/** Six digits, or a recovery code, however it is typed. */
const secondFactorCode = z
  .string(CODE)
  .max(64, atMost(64))
  .trim()
  .min(1, CODE)
  .meta({ description: 'A code of the authenticator app, or a recovery code' });
/** What whoever has a second factor shows beside the password, where no recovery code will do. */
export const appCode = secondFactorCode.meta({
  description: 'A code of the authenticator app, where the second factor is on and no passkey signed',
});
const challenge = z.string('Please sign in again.').min(1, 'Please sign in again.').max(128, atMost(128));
export const finishSignInBody = z
  .object({ challenge, code: secondFactorCode.optional(), passkey: passkeyAssertion.optional() })
  .refine(({ code, passkey }) => (code === undefined) !== (passkey === undefined), {
    path: ['code'],
    message: CODE,
  });

export const secondFactorState = z.object({
  isOn: z.boolean().meta({ description: 'Signing in asks for a code or a passkey beside the password' }),
  hasApp: z.boolean().meta({ description: 'There is an authenticator app' }),
  recoveryCodesLeft: z.int().meta({ description: 'How many recovery codes were not used yet' }),
  passkeys: z.array(z.object({ passkeyId, name: z.string(), addedAt: instant, usedAt: instant.optional() })),
  passkeysRefused: z
    .enum(['number', 'insecure'])
    .nullable()
    .meta({ description: 'Why there can be no passkeys: the address is a number, or has no TLS' }),
  rpId: z.string().nullable().meta({
    description:
      'The host that passkeys belong to: none is made or used at another. Null where there can be none',
  }),
  isDue: z.boolean().meta({
    description: 'It has to be set up before anything else: admins need one, and this one has none',
  }),
});
/** What proves that a second factor is its owner’s to change: a passkey, or the password, with a code where one is on. */
export const secondFactorProofBody = z.object({
  password: password.optional(),
  code: secondFactorCode.optional(),
  passkey: passkeyAssertion.optional(),
});
export type SecondFactorState = z.infer<typeof secondFactorState>;
export const newSecondFactor = z.object({
  secret: z.string().meta({ description: 'For an authenticator app; base 32. Shown once' }),
  uri: z.string().meta({ description: 'The same as an `otpauth` address, for a QR code' }),
  message: done.shape.message,
});
export const confirmSecondFactorBody = z.object({ code: secondFactorCode });
export const removeLostSecondFactorBody = z.object({ reason });
export const recoveryCodes = z.object({
  recoveryCodes: z
    .array(z.string())
    .meta({ description: 'Shown once; each is taken once. None where there are some already' }),
  message: done.shape.message,
});

/** What a new password must have, so that a form can say so before it is sent. */
export const passwordPolicy = z.object({
  minLength: z.int().meta({ description: 'Characters' }),
  maxLength: z.int().meta({ description: 'Characters' }),
  requires: z
    .array(z.enum(['lowercase', 'uppercase', 'numeric', 'non-alphanumeric']))
    .meta({ description: 'Kinds of characters that must be among them' }),
  refuses: z.array(z.enum(['common', 'personal', 'unchanged'])).meta({
    description:
      'Passwords that are refused whatever they have: common ones that are guessed first, the own name or e-mail address, the one that is to be changed',
  }),
});
export type PasswordPolicyView = z.infer<typeof passwordPolicy>;

export const changePasswordBody = z.object({
  oldPassword: password,
  newPassword,
  code: appCode.optional(),
  passkey: passkeyAssertion.optional(),
});
export type ChangePasswordBody = z.infer<typeof changePasswordBody>;

export const transferPin = z
  .string('A transfer pin has 4 digits.')
  .regex(/^\d{4}$/, 'A transfer pin has 4 digits.')
  .meta({ description: '4 digits. Never stored as it is, never shown' });
export const transferPinBody = z.object({
  pin: transferPin,
  password,
  code: appCode.optional(),
  passkey: passkeyAssertion.optional(),
});
export type TransferPinBody = z.infer<typeof transferPinBody>;
export const transferPinState = z.object({
  state: z
    .enum(['missing', 'set', 'locked'])
    .meta({ description: 'locked: it was wrong too often and has to be set anew' }),
});

/** A session whose owner has proved again who they are. */
export const sessionProved = z.object({
  provedUntil: instant.meta({ description: 'Until when no other proof is asked for' }),
  message: z.string(),
});

/** What happened to how a person comes in. */
export const securityEvents = z.object({
  events: z.array(
    z.object({
      eventId: z.string(),
      type: z.string(),
      description: z.string().meta({ description: 'What it was, in a few words' }),
      at: instant,
      by: z
        .enum(['owner', 'visitor', 'admin', 'system'])
        .meta({ description: 'visitor: somebody who was not signed in' }),
      address: z
        .string()
        .optional()
        .meta({ description: 'Where it came from; left out where it is not kept, and of admins' }),
      agent: z.string().optional().meta({ description: 'The program, as it calls itself; as `address`' }),
    }),
  ),
  next: z
    .int()
    .nullable()
    .meta({ description: 'Ask with this `from` for the next page, which may hold fewer than `limit`' }),
  previous: z.int().nullable().meta({ description: 'The same for the page before' }),
});
export type SecurityEvents = z.infer<typeof securityEvents>;

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
  duty: z.enum(duties).meta({ description: 'What the new admin is there for' }),
  invitationId: z.string(),
  token: z.string().meta({ description: 'Shown once; only its hash is kept' }),
  path: z.string().meta({ description: 'The page that accepts it' }),
  expiresAt: instant,
});
