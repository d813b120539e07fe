import type { Problem } from '#contracts';
import { isLodeError, LodeError, type ErrorCode } from '#kernel';
import { statusOf, titleOf } from './status.js';

/** The media type of every refusal (RFC 9457). */
export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** What went wrong with one member of the input. */
export type Issue = { readonly path: string; readonly message: string };

/** Input that the route's schema refused. */
export class InvalidInput extends LodeError {
  constructor(readonly issues: readonly Issue[]) {
    super('validation_failed', issues[0]?.message ?? 'The request is not valid.');
  }
}

/** The problem document of an error. What is not a refusal is a bug, and of a bug the caller learns nothing. */
export function problemOf(error: unknown): Problem {
  const refusal = toLodeError(error);
  const { code } = refusal;
  const status = statusOf[code];
  return {
    type: `/api/docs/errors#${code}`,
    title: titleOf[status] ?? 'Error',
    status,
    code,
    detail: refusal.message,
    ...(refusal instanceof InvalidInput ? { errors: [...refusal.issues] } : {}),
  };
}

/** The error in the house's own words: a refusal as it is, the web framework's by its kind, anything else `internal`. */
export function toLodeError(error: unknown): LodeError {
  if (error instanceof LodeError) return error;
  if (isLodeError(error)) return new LodeError(error.code, error.message, error.details);
  const [code, message] = foreign(error);
  return new LodeError(code, message, {}, { cause: error });
}

const MALFORMED = 'The body is not valid JSON.';

function foreign(error: unknown): [ErrorCode, string] {
  const { code, statusCode, status } = fields(error);
  switch (code) {
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return ['malformed_json', MALFORMED];
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return ['body_too_large', 'The body is too large.'];
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_INVALID_MULTIPART_CONTENT_TYPE':
      return ['media_type', 'The body is not of the type that this route takes.'];
    case 'FST_FILES_LIMIT':
    case 'FST_PARTS_LIMIT':
    case 'FST_FIELDS_LIMIT':
      return ['validation_failed', 'The form holds more than one file.'];
    case 'FST_REQ_FILE_TOO_LARGE':
      return ['file_too_large', 'The file is too large.'];
  }
  switch (statusCode ?? status) {
    case 400:
      return error instanceof SyntaxError ? ['malformed_json', MALFORMED] : ['validation_failed', 'The request is not valid.'];
    case 404:
      return ['route_not_found', 'There is nothing at this address.'];
    case 413:
      return ['body_too_large', 'The body is too large.'];
    case 415:
      return ['media_type', 'The body is not of the type that this route takes.'];
    case 429:
      return ['rate_limited', 'Too many requests. Wait a little and try again.'];
    default:
      return ['internal', 'Something went wrong.'];
  }
}

function fields(error: unknown): { code?: unknown; statusCode?: unknown; status?: unknown } {
  return typeof error === 'object' && error !== null ? error : {};
}
