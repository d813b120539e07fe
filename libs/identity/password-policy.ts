import { LodeError } from '#kernel';

/** What a password must contain besides having a length. */
export const passwordClasses = ['lowercase', 'uppercase', 'numeric', 'non-alphanumeric'] as const;
export type PasswordClass = (typeof passwordClasses)[number];

/** Which passwords people may choose; the ones that they have are not looked at. */
export type PasswordPolicy = {
  readonly minLength: number;
  /** At most `PASSWORD_LENGTH_MAX`. */
  readonly maxLength: number;
  readonly requires: readonly PasswordClass[];
};

/** The most that hashing should be asked to chew. */
export const PASSWORD_LENGTH_MAX = 256;

export const DEFAULT_PASSWORD_POLICY: PasswordPolicy = {
  minLength: 6,
  maxLength: PASSWORD_LENGTH_MAX,
  requires: [],
};

const patterns: Readonly<Record<PasswordClass, RegExp>> = {
  lowercase: /\p{Ll}/u,
  uppercase: /\p{Lu}/u,
  numeric: /\p{Nd}/u,
  'non-alphanumeric': /[^\p{L}\p{N}]/u,
};

const words: Readonly<Record<PasswordClass, string>> = {
  lowercase: 'a lower-case letter',
  uppercase: 'an upper-case letter',
  numeric: 'a digit',
  'non-alphanumeric': 'a character that is neither letter nor digit',
};

/** Refuses a new password that breaks the policy with `password_policy`, in one sentence; `missing` says what it lacks. */
export function checkPassword(policy: PasswordPolicy, password: string): void {
  const { minLength, maxLength, requires } = policy;
  if (password.length < minLength)
    throw refusal(`Password should be at least ${minLength} characters`, ['length']);
  if (password.length > maxLength)
    throw refusal(`Password should be at most ${maxLength} characters`, ['length']);
  const missing = requires.filter((one) => !patterns[one].test(password));
  if (missing.length > 0)
    throw refusal(`Password should have ${missing.map((one) => words[one]).join(', ')}`, missing);
}

function refusal(message: string, missing: readonly string[]): LodeError {
  return new LodeError('password_policy', message, { missing });
}
