import type { ErrorCode, Problem } from '#contracts';

/** Why a call gave no answer. Only a `problem` was said by the server; its `detail` is meant for the person. */
export type ApiError =
  | {
      readonly kind: 'problem';
      readonly status: number;
      readonly code: ErrorCode;
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

/** Narrows what RTK Query hands to a screen: our own errors, or its serialized exceptions. */
export function asApiError(error: unknown): ApiError | undefined {
  return typeof error === 'object' && error !== null && 'kind' in error ? (error as ApiError) : undefined;
}

/** True when the call failed because the session is over, about which the sign-in dialog already speaks. */
export function isSessionOver(error: unknown): boolean {
  return asApiError(error)?.kind === 'session';
}

/** True when the server answered with this code. */
export function hasCode(error: unknown, ...codes: readonly ErrorCode[]): boolean {
  const known = asApiError(error);
  return known?.kind === 'problem' && codes.includes(known.code);
}
