import type { SerializedError } from '@reduxjs/toolkit';
import type { ErrorCode, Problem } from '#contracts';

/**
 * Why a call gave no answer. Only a `problem` was said by the server; its `detail` is meant for the person, and its
 * `code` is one of those that the route may refuse with.
 */
export type ApiError<Code extends ErrorCode = ErrorCode> =
  | {
      readonly kind: 'problem';
      readonly status: number;
      readonly code: Code;
      readonly detail: string;
      readonly errors: readonly { readonly path: string; readonly message: string }[];
    }
  /** No answer, or one that isn't ours: whether a command was carried out is not known. */
  | { readonly kind: 'unreachable' }
  /** The session is over; the sign-in dialog stands open. */
  | { readonly kind: 'session' };

/** The server's refusal in the form that screens use; an answer that is no problem document counts as unreachable. */
export async function readProblem(response: Response): Promise<ApiError> {
  const isProblem = response.headers.get('content-type')?.includes('json') === true;
  const body = isProblem ? ((await response.json().catch(() => null)) as Partial<Problem> | null) : null;
  if (body?.code === undefined || body.detail === undefined) return { kind: 'unreachable' };
  const { code, detail, errors = [] } = body;
  return { kind: 'problem', status: response.status, code, detail, errors };
}

/** What RTK Query hands to a screen: our own errors, its serialized exceptions, or nothing when all is well. */
export type Failure<Code extends ErrorCode = ErrorCode> = ApiError<Code> | SerializedError | undefined;

/** Our own error, where it is one. */
export function asApiError<Code extends ErrorCode>(error: Failure<Code>): ApiError<Code> | undefined {
  return error !== undefined && 'kind' in error ? error : undefined;
}

/** The server's own words about a refusal. */
export function detailOf(error: Failure): string | undefined {
  const known = asApiError(error);
  return known?.kind === 'problem' ? known.detail : undefined;
}

/** True when the call failed because the session is over, about which the sign-in dialog already speaks. */
export function isSessionOver(error: Failure): boolean {
  return asApiError(error)?.kind === 'session';
}

/** True when the server answered with one of these codes, which are codes that the route may refuse with. */
export function hasCode<Code extends ErrorCode>(
  error: Failure<Code>,
  ...codes: readonly NoInfer<Code>[]
): boolean {
  const known = asApiError(error);
  return known?.kind === 'problem' && codes.includes(known.code);
}

/** True when an admin has to prove again who they are before what was asked is done; nothing was done yet. */
export function needsProof(error: ApiError): boolean {
  return error.kind === 'problem' && error.code === 'step_up_required';
}

/** What is said of a command that may have been done: it has not failed, and under its key it is safe to send again. */
export const UNKNOWN_OUTCOME =
  "We don't know yet whether this was done. Send it again: it is never done twice";

/** True when the server doesn't know whether the command was done. */
export function isOutcomeUnknown(error: Failure): boolean {
  const known = asApiError(error);
  return known?.kind === 'problem' && known.code === 'unknown_outcome';
}
