import { delay, invariant, LodeError, systemRandom } from '#kernel';
import type { JobKind, JobLimits } from './port.js';

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

export function noSuchKind(kind: string): LodeError {
  return new LodeError('validation_failed', `There is no job ${kind}.`);
}
