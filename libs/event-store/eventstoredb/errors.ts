import { ErrorType, isCommandError, type CommandError } from '@eventstore/db-client';
import { isLodeError, LodeError } from '#kernel';
import type { Server } from './server.js';
import { accessDenied } from './unreachable.js';

/** The status that gRPC has for a caller whose name or password is wrong. */
const UNAUTHENTICATED = 16;

/** What a failed attempt says about its append. */
export type AppendFailure =
  /** The stream's last revision is `actual` (-1: there is no stream) and not the expected one. */
  | { readonly kind: 'moved'; readonly actual: number }
  /** The server will not take it and has written nothing. */
  | { readonly kind: 'refused'; readonly error: LodeError }
  /** It never left this process. */
  | { readonly kind: 'not-sent'; readonly cause: unknown }
  /** It may or may not have been written. `redirected`: the client has been told which server to ask instead. */
  | { readonly kind: 'unknown'; readonly cause: unknown; readonly redirected: boolean };

/**
 * The one table from the client's append errors to ours. In batch mode one broken connection fails every append under
 * way with the same error, so that only an answer to this very append is ever taken as certain.
 */
export function appendFailure(error: unknown, server: Server): AppendFailure {
  if (isLodeError(error)) return { kind: 'refused', error };
  if (!isClientError(error)) {
    return neverLeft(error)
      ? { kind: 'not-sent', cause: error }
      : { kind: 'unknown', cause: error, redirected: false };
  }
  switch (error.type) {
    case ErrorType.WRONG_EXPECTED_VERSION:
      return {
        kind: 'moved',
        actual: typeof error.actualVersion === 'bigint' ? Number(error.actualVersion) : -1,
      };
    case ErrorType.STREAM_DELETED:
      return { kind: 'refused', error: streamDeleted(error.streamName, error) };
    case ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED:
      return {
        kind: 'refused',
        error: new LodeError(
          'body_too_large',
          `EventStoreDB takes at most ${error.maxAppendSize} bytes an append: raise its MaxAppendSize.`,
        ),
      };
    case ErrorType.ACCESS_DENIED:
      return { kind: 'refused', error: accessDenied(error, knowsUser(error), server) };
    default:
      return { kind: 'unknown', cause: error, redirected: error.type === ErrorType.NOT_LEADER };
  }
}

/** What a failed read means: a `LodeError` to throw, `try-again`, or a bug of ours to throw as it is. */
export function readFailure(error: unknown, server: Server): LodeError | 'try-again' | 'bug' {
  if (isLodeError(error)) return error.code === 'unavailable' ? 'try-again' : error;
  if (!isClientError(error)) return neverLeft(error) ? 'try-again' : 'bug';
  switch (error.type) {
    case ErrorType.STREAM_DELETED:
      return streamDeleted(error.streamName, error);
    case ErrorType.ACCESS_DENIED:
      return accessDenied(error, knowsUser(error), server);
    default:
      return 'try-again';
  }
}

/** True for the client's answer to a read of a stream that does not exist. */
export function isMissingStream(error: unknown): boolean {
  return isClientError(error) && error.type === ErrorType.STREAM_NOT_FOUND;
}

export function unknownOutcome(cause: unknown): LodeError {
  return new LodeError(
    'unknown_outcome',
    'EventStoreDB did not say whether it wrote this. Send the same again.',
    {},
    { cause },
  );
}

function streamDeleted(stream: string, cause: unknown): LodeError {
  return new LodeError(
    'internal',
    `The stream ${stream} was deleted in EventStoreDB, which Lode never does. Restore it from a backup.`,
    {},
    { cause },
  );
}

/** A name or password that is wrong is answered with a status of its own. */
function knowsUser({ code }: CommandError): boolean {
  return Number(code) !== UNAUTHENTICATED;
}

function isClientError(error: unknown): error is CommandError {
  return error instanceof Error && isCommandError(error);
}

/**
 * The client wraps what happens to a request that was sent, but not what happens before: asking the server for its
 * features fails with a bare gRPC error (a numeric code and no type), and looking for a cluster's leader with this text.
 */
function neverLeft(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('code' in error && typeof error.code === 'number') return true;
  return error instanceof Error && error.message.startsWith('Failed to discover');
}
