import { isLodeError, type ErrorCode } from '#kernel';
import { toLodeError } from '../http/problem.js';
import { statusOf } from '../http/status.js';

/** A refusal in the words of this API. */
export class ToolkitRefusal extends Error {
  override readonly name = 'ToolkitRefusal';
}

/** A refusal with one of the codes that clients know, and, after a colon, what a person may read. */
export function refusal(code: string, message?: string): ToolkitRefusal {
  return new ToolkitRefusal(message === undefined ? code : `${code} : ${message}`);
}

/** What each of Lode's codes is called here (specification, section 8). */
const codes: Readonly<Partial<Record<ErrorCode, string>>> = {
  email_exists: 'EMAIL_EXISTS',
  invalid_credentials: 'INVALID_LOGIN_CREDENTIALS',
  account_not_found: 'EMAIL_NOT_FOUND',
  account_suspended: 'USER_DISABLED',
  too_many_attempts: 'TOO_MANY_ATTEMPTS_TRY_LATER',
  rate_limited: 'TOO_MANY_ATTEMPTS_TRY_LATER',
  token_missing: 'MISSING_ID_TOKEN',
  // Only with this code does a client let go of a session that has ended.
  token_invalid: 'TOKEN_EXPIRED',
  token_expired: 'TOKEN_EXPIRED',
  not_permitted: 'OPERATION_NOT_ALLOWED',
  unavailable: 'UNAVAILABLE',
  overloaded: 'UNAVAILABLE',
  storage_full: 'UNAVAILABLE',
  storage_failed: 'UNAVAILABLE',
  unknown_outcome: 'UNAVAILABLE',
  conflict: 'UNAVAILABLE',
  internal: 'INTERNAL_ERROR',
};

/** Codes after which the message says what the person can do about it. */
const spoken: Readonly<Partial<Record<ErrorCode, string>>> = {
  password_policy: 'PASSWORD_DOES_NOT_MEET_REQUIREMENTS',
  account_not_empty: 'ACCOUNT_NOT_EMPTY',
};

export type ErrorAnswer = {
  readonly status: number;
  readonly body: {
    readonly error: {
      readonly code: number;
      readonly message: string;
      readonly errors: readonly {
        readonly message: string;
        readonly reason: 'invalid' | 'backendError';
        readonly domain: 'global';
      }[];
    };
  };
};

/** The answer to an error. A refusal is always a 400, as clients expect; a failure of ours keeps its status. */
export function errorAnswer(error: unknown): ErrorAnswer {
  const message = messageOf(error);
  const failed = error instanceof ToolkitRefusal ? 400 : statusOf[toLodeError(error).code];
  const status = failed >= 500 ? failed : 400;
  const reason = status >= 500 ? 'backendError' : 'invalid';
  return {
    status,
    body: { error: { code: status, message, errors: [{ message, reason, domain: 'global' }] } },
  };
}

function messageOf(error: unknown): string {
  if (error instanceof ToolkitRefusal) return error.message;
  const { code, message } = toLodeError(error);
  const said = spoken[code];
  return said === undefined ? (codes[code] ?? 'INVALID_ARGUMENT') : `${said} : ${message}`;
}

/** Throws the same as `work`, but with another code when it is refused with one of Lode's. */
export async function renamed<T>(
  work: () => Promise<T> | T,
  names: Readonly<Partial<Record<ErrorCode, string>>>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const name = isLodeError(error) ? names[error.code] : undefined;
    throw name === undefined ? error : refusal(name);
  }
}
