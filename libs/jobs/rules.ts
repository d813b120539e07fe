import {
  callerText,
  delay,
  hasCode,
  invariant,
  isEngineError,
  LodeError,
  plainFailure,
  serializeError,
  systemRandom,
} from '#kernel';
import type { JobKind, JobLimits, JobProblem } from './port.js';

/** The newest slot that has begun, as an ISO instant: slots are counted from the epoch. */
export function slotAt(now: number, everyMs: number): string {
  invariant(
    Number.isSafeInteger(everyMs) && everyMs > 0,
    'slots are a positive whole number of milliseconds apart',
  );
  return new Date(Math.floor(now / everyMs) * everyMs).toISOString();
}

/** The slot after that. */
export function nextSlot(now: number, everyMs: number): string {
  return slotAt(now + everyMs, everyMs);
}

/** The id of the run of a kind for a slot: what makes it one run, whoever asks for it and however often. */
export function runId(kind: string, slot: string): string {
  return `${kind}/${slot}`;
}

/** Milliseconds to wait after attempt number `attempt` (from 1) has failed. */
export function pauseAfter(attempt: number, limits: JobLimits): number {
  // Every run has a time of its own: there is nobody to stay out of step with.
  return delay(
    attempt,
    { firstMs: limits.retryFirstMs, lastMs: limits.retryLastMs, jitter: 0 },
    systemRandom,
  );
}

/** The kinds by name. Two of one name are a bug. */
export function kindsByName(kinds: readonly JobKind[]): ReadonlyMap<string, JobKind> {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  invariant(byName.size === kinds.length, 'every kind of job has a name of its own');
  return byName;
}

/** The kind of that name; `validation_failed` when there is none. */
export function kindNamed<T>(kinds: ReadonlyMap<string, T>, name: string): T {
  const kind = kinds.get(name);
  if (kind === undefined) throw new LodeError('validation_failed', `There is no job ${name}.`);
  return kind;
}

export function tooManyWait(): LodeError {
  return new LodeError('overloaded', 'Too many runs of this job are waiting.');
}

export function wereStopped(): LodeError {
  return plainFailure('unavailable', 'The jobs were stopped.');
}

export function runWasLost(): LodeError {
  return plainFailure('unavailable', 'The run was lost. Try again.');
}

/** True when an attempt of a run of a kind counts that failed with `error`. */
export type AttemptCount = (kind: string, runOfKind: string, error: unknown) => boolean;

/**
 * Tells which attempts count that fail. One after which it isn't known what it did doesn't, nor does any after it that an
 * engine fails: the run is neither done nor failed until that is known.
 */
export function createAttemptCount(): AttemptCount {
  /** The run of each kind of which nobody knows. */
  const unknown = new Map<string, string>();
  return (kind, run, error) => {
    if (hasCode(error, 'unknown_outcome')) unknown.set(kind, run);
    else if (!isEngineError(error)) unknown.delete(kind);
    return unknown.get(kind) !== run;
  };
}

/** Why a run is told to end early. */
export const endings = {
  stopped: 'the program stops',
  tookOver: 'another worker took over',
  tookLong: 'the run took too long',
} as const;

/** Why an attempt counts that nobody kept the end of. */
export const endNotKept = 'its worker died, or could not keep what came of it';

/** Characters of an error that are kept with its run and reported. */
const ERROR_LENGTH = 500;

/** What an attempt failed with, short enough to be kept; where an engine failed, in the words for whoever looks at runs. */
export function messageOf(error: unknown): string {
  const text = isEngineError(error) ? callerText(serializeError(error)) : serializeError(error).message;
  return text.slice(0, ERROR_LENGTH);
}

/** What an operator should hear of a kind, or of an attempt of a run of it. */
export function problemOf(kind: string, error: unknown, attempt?: number): JobProblem {
  const message = serializeError(error).message.slice(0, ERROR_LENGTH);
  return { kind, message, ...(attempt === undefined ? {} : { attempt }) };
}
