import { isTransientStatus } from '#files';
import { isLodeError, LodeError, plainFailure } from '#kernel';

const [OK, UNAUTHORIZED, FORBIDDEN, NOT_FOUND, NOT_IMPLEMENTED, FULL] = [200, 401, 403, 404, 501, 507];
const FULL_NAMES = ['InsufficientStorage', 'QuotaExceeded', 'XMinioStorageFull', 'StorageFull'];
const BUGS = ['TypeError', 'RangeError', 'ReferenceError', 'InvariantViolation'];
const REGION_NAMES = ['PermanentRedirect', 'AuthorizationHeaderMalformed', 'TemporaryRedirect'];

/** That the store answered, and refused. It has nothing of the request, nor of the answer's text: they may name keys. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly status: number,
    readonly reason: string,
    /** It may be of the time that the request was signed with; the client signs the next one by the store's. */
    readonly isOfTime = false,
  ) {
    super(`${status} ${reason}`);
  }
}

/** What a failed request came to: a `Refusal` when the store answered, the client's error when no answer came. */
export function outcomeOf(error: unknown): unknown {
  if (!isRecord(error) || !isRecord(error['$metadata'])) return error;
  const status = error['$metadata']['httpStatusCode'];
  // An answer that says it went well and can't be read was cut off.
  if (typeof status !== 'number' || status === OK) return error;
  const reason = String(error['name']);
  // The client says so of every answer while this machine's clock is minutes away from the store's.
  const isOfTime = status === FORBIDDEN && error['$metadata']['clockSkewCorrected'] === true;
  return new Refusal(status, /^\w{1,60}$/.test(reason) ? reason : 'Unknown', isOfTime);
}

/** True when the same request may do a moment later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof Refusal)
    return isTransientStatus(error.status) && error.status !== NOT_IMPLEMENTED && !isFull(error);
  return isUnanswered(error);
}

/** True when the same request may do that is signed with the store's time. */
export function isOfTime(error: unknown): boolean {
  return error instanceof Refusal && error.isOfTime && !isFull(error);
}

/** True when there is nothing by that name. */
export function isMissing(error: unknown): boolean {
  return error instanceof Refusal && error.status === NOT_FOUND && error.reason !== 'NoSuchBucket';
}

/** The `LodeError` that a failure is; a bug stays what it is. */
export function s3Error(error: unknown, bucket: string): unknown {
  if (error instanceof Refusal) return new LodeError(...wordsFor(error, bucket), {}, { cause: error });
  if (isLodeError(error) || !isUnanswered(error)) return error;
  return plainFailure('unavailable', "The store of files can't be reached.", { cause: error });
}

function wordsFor(refusal: Refusal, bucket: string): readonly ['storage_full' | 'storage_failed', string] {
  const { status, reason } = refusal;
  if (isFull(refusal)) return ['storage_full', 'The store of files is full: the file was not stored.'];
  if (status === NOT_FOUND) return ['storage_failed', `There is no bucket ${bucket} as S3_URL names it.`];
  if (REGION_NAMES.includes(reason))
    return ['storage_failed', `The bucket ${bucket} is in another region than S3_URL says.`];
  if (status === UNAUTHORIZED || status === FORBIDDEN)
    return [
      'storage_failed',
      `The store of files refuses the keys of S3_URL, or does not let them use the bucket ${bucket}.`,
    ];
  return ['storage_failed', `The store of files refused what was asked of it: ${status} ${reason}.`];
}

function isFull({ status, reason }: Refusal): boolean {
  return status === FULL || FULL_NAMES.includes(reason);
}

/** True for what the network, or the end of a try, makes of a request: whatever the client fails with and is no bug. */
function isUnanswered(error: unknown): boolean {
  return Error.isError(error) && !isLodeError(error) && !BUGS.includes(error.name);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
