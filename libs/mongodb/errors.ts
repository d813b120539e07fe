import {
  BSON,
  MongoAPIError,
  MongoError,
  MongoErrorLabel,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
  MongoWriteConcernError,
  type Document,
} from 'mongodb';
import { LodeError } from '#kernel';

/** The server's codes that adapters know. */
export const codes = {
  unauthorized: 13,
  namespaceNotFound: 26,
  namespaceExists: 48,
  commandNotFound: 59,
  commandNotSupported: 115,
  documentValidationFailure: 121,
  duplicateKey: 11_000,
} as const;

/** The server took no command of this kind: it isn't the primary, or not yet, or stops. */
const NOT_PRIMARY: ReadonlySet<number> = new Set([91, 189, 10_107, 11_600, 11_602, 13_435, 13_436]);
/** Those of them that may come while a command is carried out. */
const INTERRUPTED: ReadonlySet<number> = new Set([91, 11_600, 11_602]);
/** How commands are encoded. */
export const ENCODING = { ignoreUndefined: true } as const;
/** No space on the disk, and the space that the account has. */
const FULL: ReadonlySet<number> = new Set([8_000, 12_501, 14_031]);
const REFUSED: ReadonlySet<number> = new Set([13, 18, 8_001]);
/** Time limits, a cursor or a plan that is gone: the same again may well succeed. */
const PASSING: ReadonlySet<number> = new Set([6, 7, 43, 50, 89, 112, 134, 175, 202, 237, 262, 9_001]);

/** What the driver says of itself before it has sent anything: it is closed, or too many wait for a connection. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  'MongoNotConnectedError',
  'MongoPoolClosedError',
  'MongoServerClosedError',
  'MongoStalePrimaryError',
  'MongoTopologyClosedError',
  'MongoWaitQueueTimeoutError',
]);
/** That the driver, or what it counts with the server by, was closed while the command was under way. */
const GIVEN_UP: ReadonlySet<string> = new Set(['MongoClientClosedError', 'MongoExpiredSessionError']);
/** That no connection could be had: another command found the server away. */
const NO_CONNECTION_HAD = 'MongoPoolClearedError';
/** How the driver marks what fails before a connection is made and both ends have greeted each other. */
const NOT_MADE = [MongoErrorLabel.HandshakeError, MongoErrorLabel.SystemOverloadedError];

/** The code of an error that the server answered with. */
export function serverCode(error: unknown): number | undefined {
  return error instanceof MongoServerError && typeof error.code === 'number' ? error.code : undefined;
}

/** The ports' error for one of a read that asked so; a wrong use of the driver is given back as it came. */
export function readFailure(error: unknown, asked: Document): unknown {
  const code = serverCode(error);
  if (code !== undefined) return byCode(code, error);
  if (isMisuse(error)) return error;
  return notEncoded(error, asked) ?? unavailable(error);
}

/** The ports' error for one of a write of this command: what may have happened has an unknown outcome, whatever it failed with. */
export function writeFailure(error: unknown, command: Document): unknown {
  // It happened on one server, and may be lost with it.
  if (error instanceof MongoWriteConcernError) return unknownOutcome(error);
  const code = serverCode(error);
  if (code !== undefined)
    return INTERRUPTED.has(code) || PASSING.has(code) ? unknownOutcome(error) : byCode(code, error);
  if (isMisuse(error)) return error;
  return neverLeft(error) ? unavailable(error) : (notEncoded(error, command) ?? unknownOutcome(error));
}

/**
 * The error for what can't be encoded, whatever server it is for: nothing of it was sent. An answer that can't be decoded fails
 * with the same kinds of errors, so it is encoded again to know.
 */
function notEncoded(cause: unknown, command: Document): LodeError | undefined {
  if (cause instanceof MongoError) return undefined;
  try {
    BSON.serialize(command, ENCODING);
    return undefined;
  } catch {
    return new LodeError('internal', 'What MongoDB was to be sent cannot be encoded.', {}, { cause });
  }
}

/** The ports' error for a code, of a whole command or of one of its statements. */
export function byCode(code: number, cause: unknown): LodeError {
  const as = (kind: LodeError['code'], message: string) =>
    new LodeError(kind, message, {}, { cause: withoutValues(cause) });
  if (NOT_PRIMARY.has(code) || PASSING.has(code)) return unavailable(cause);
  if (FULL.has(code)) return as('storage_full', 'There is no room in MongoDB.');
  if (REFUSED.has(code))
    return as(
      'unavailable',
      'MongoDB refuses the name and password, or they may not do this: look at the rights.',
    );
  return as('storage_failed', `MongoDB failed with its error ${code}.`);
}

/** A server's error that two documents have one key, without the key: it may be an e-mail, and causes are logged. */
function withoutValues(error: unknown): unknown {
  if (serverCode(error) !== codes.duplicateKey || !(error instanceof MongoServerError)) return error;
  const message = error.message.replace(/ dup key: .*$/s, '');
  return new MongoServerError({ message, code: codes.duplicateKey });
}

export function unavailable(cause: unknown): LodeError {
  return new LodeError('unavailable', 'MongoDB cannot be reached.', {}, { cause });
}

export function unknownOutcome(cause: unknown): LodeError {
  return new LodeError(
    'unknown_outcome',
    'MongoDB did not say whether it wrote this. Send the same again.',
    {},
    { cause },
  );
}

/**
 * True for what the driver is asked for and never does. All else may fail because of the server, also what comes as a
 * `TypeError`: so ends an answer that the driver can't make sense of.
 */
function isMisuse(error: unknown): boolean {
  return error instanceof MongoAPIError && !neverLeft(error) && !GIVEN_UP.has(error.name);
}

/**
 * There was no server, the connection was never made, or it was taken away before the command got it. One that the driver's
 * monitor takes away under a command (`PoolClearedOnNetworkError`, a kind of the other) may have carried it.
 */
function neverLeft(error: unknown): boolean {
  if (error instanceof MongoServerSelectionError) return true;
  if (error instanceof MongoError && NOT_CONNECTED.has(error.name)) return true;
  if (!(error instanceof MongoNetworkError)) return false;
  return error.name === NO_CONNECTION_HAD || NOT_MADE.some((label) => error.hasErrorLabel(label));
}
