import { InvalidInput } from '#application';
import { storageCodeOf, type Problem, type Route } from '#contracts';
import { callerText, isLodeError, LodeError, type ErrorCode } from '#kernel';
import { statusOf, titleOf } from './status.js';

/** The media type of every refusal (RFC 9457). */
export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/**
 * The problem document of an error; `route` is that of the contract, if the request came as far. What is not a refusal is a
 * bug, and of a bug the caller learns nothing; of an engine's failure only what is meant for callers.
 */
export function problemOf(error: unknown, route?: Route): Problem {
  const refusal = toLodeError(error);
  const { code } = refusal;
  const status = statusOf[code];
  const detail = callerText(refusal);
  // What may have been done has not failed.
  const failed = code === 'unknown_outcome' ? undefined : route?.failed?.replace('{reason}', () => detail);
  const storageCode = route?.tag === 'Files' ? storageCodeOf[code] : undefined;
  return {
    type: `/api/docs/errors#${code}`,
    title: titleOf[status] ?? 'Error',
    status,
    code,
    detail,
    ...(refusal instanceof InvalidInput ? { errors: [...refusal.issues] } : {}),
    ...(failed === undefined ? {} : { failed }),
    ...(storageCode === undefined ? {} : { storageCode }),
  };
}

/** The error in the house's own words: a refusal as it is, the web framework's by its kind, anything else `internal`. */
export function toLodeError(error: unknown): LodeError {
  if (error instanceof LodeError) return error;
  if (isLodeError(error)) {
    const { code, message, details, cause, told } = error;
    return new LodeError(code, message, details, { cause, ...(told === undefined ? {} : { told }) });
  }
  const [code, message] = foreign(error);
  return new LodeError(code, message, {}, { cause: error });
}

const MALFORMED = 'The body is not valid JSON.';

/** What the web framework says; Nest wraps Fastify's errors, which know more, as their cause. */
function foreign(error: unknown): [ErrorCode, string] {
  const { cause, statusCode, status } = fields(error);
  const code = fields(error).code ?? fields(cause).code;
  switch (code) {
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return ['malformed_json', MALFORMED];
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return ['validation_failed', 'The address is not valid.'];
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return ['body_too_large', 'The body is too large.'];
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_INVALID_MULTIPART_CONTENT_TYPE':
      return ['media_type', 'The body is not of the type that this route takes.'];
  }
  switch (statusCode ?? status) {
    case 400:
      return ['validation_failed', 'The request is not valid.'];
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

function fields(error: unknown): { code?: unknown; statusCode?: unknown; status?: unknown; cause?: unknown } {
  return typeof error === 'object' && error !== null ? error : {};
}
