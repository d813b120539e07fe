import { dictionary } from '@zxcvbn-ts/language-common';
import { LodeError } from '#kernel';

/** What a password must contain besides having a length. */
export const passwordClasses = ['lowercase', 'uppercase', 'numeric', 'non-alphanumeric'] as const;
export type PasswordClass = (typeof passwordClasses)[number];

/** Which passwords people may choose; the ones that they have are not looked at. */
export type PasswordPolicy = {
  /** At least `PASSWORD_LENGTH_MIN`. */
  readonly minLength: number;
  /** At most `PASSWORD_LENGTH_MAX`. */
  readonly maxLength: number;
  readonly requires: readonly PasswordClass[];
};

/** What is refused whatever the policy: a password that many have, that says whose it is, or that is the one before. */
export const refusedPasswords = ['common', 'personal', 'unchanged'] as const;

/** The least that a policy may ask for. */
export const PASSWORD_LENGTH_MIN = 6;
/** The most that hashing should be asked to chew. */
export const PASSWORD_LENGTH_MAX = 128;

export const DEFAULT_PASSWORD_POLICY: PasswordPolicy = {
  minLength: 8,
  maxLength: PASSWORD_LENGTH_MAX,
  requires: [],
};

/** Whose password it is to be. */
export type PasswordOwner = {
  readonly email?: string | undefined;
  /** First and last name. */
  readonly names?: readonly string[] | undefined;
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

/** What is guessed first; all in lower case. */
const common: ReadonlySet<string> = new Set(dictionary['passwords-common']);

/** Refuses a new password that breaks the policy with `password_policy`, in one sentence; `missing` says what it lacks. */
export function checkPassword(policy: PasswordPolicy, password: string, owner: PasswordOwner = {}): void {
  const { minLength, maxLength, requires } = policy;
  if (password.length < minLength)
    throw refusal(`Password should be at least ${minLength} characters`, ['length']);
  if (password.length > maxLength)
    throw refusal(`Password should be at most ${maxLength} characters`, ['length']);
  const missing = requires.filter((one) => !patterns[one].test(password));
  if (missing.length > 0)
    throw refusal(`Password should have ${missing.map((one) => words[one]).join(', ')}`, missing);
  if (common.has(folded(password)))
    throw refusal('Password should not be one that many people have: those are guessed first', ['common']);
  if (isPersonal(password, owner))
    throw refusal('Password should not be your name or your e-mail address', ['personal']);
}

/** The refusal of a password that is the one before. */
export function unchangedPassword(): LodeError {
  return refusal('Password should not be the one that you have', ['unchanged']);
}

/** Whether a password is the e-mail, what stands before its @, or names: in any case, and whatever parts their letters. */
function isPersonal(password: string, { email = '', names = [] }: PasswordOwner): boolean {
  const joined = [names.join(''), names.toReversed().join('')];
  const own = [email, email.split('@')[0] ?? '', ...names, ...joined].map(lettersOf);
  return own.some((word) => word !== '' && word === lettersOf(password));
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function lettersOf(text: string): string {
  return folded(text).replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function refusal(message: string, missing: readonly string[]): LodeError {
  return new LodeError('password_policy', message, { missing });
}
