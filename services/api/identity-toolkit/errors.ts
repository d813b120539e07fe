import { isLodeError, type ErrorCode } from '#kernel';
import { toLodeError } from '../http/problem.js';
import { statusOf } from '../http/status.js';

const BAD_REQUEST = 400;
const NOT_FOUND = 404;

/** A refusal in the words of this API. */
export class ToolkitRefusal extends Error {
  override readonly name = 'ToolkitRefusal';
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

/** A refusal with one of the codes that clients know, and, after a colon, what a person may read. */
export function refusal(code: string, message?: string): ToolkitRefusal {
  return new ToolkitRefusal(message === undefined ? code : `${code} : ${message}`, BAD_REQUEST);
}

/** The refusal of an address that nothing is served at. */
export function nothingHere(): ToolkitRefusal {
  return new ToolkitRefusal('OPERATION_NOT_ALLOWED : There is nothing at this address.', NOT_FOUND);
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
  method_not_allowed: 'METHOD_NOT_ALLOWED',
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

/**
 * The answer to an error. A refusal is a 400, as clients expect, but for an address that isn't served; a failure of ours
 * keeps its status.
 */
export function errorAnswer(error: unknown): ErrorAnswer {
  const message = messageOf(error);
  const status = statusFor(error);
  const reason = status >= 500 ? 'backendError' : 'invalid';
  return {
    status,
    body: { error: { code: status, message, errors: [{ message, reason, domain: 'global' }] } },
  };
}

function statusFor(error: unknown): number {
  if (error instanceof ToolkitRefusal) return error.status;
  const { code } = toLodeError(error);
  const status = statusOf[code];
  return status >= 500 || code === 'method_not_allowed' ? status : BAD_REQUEST;
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
