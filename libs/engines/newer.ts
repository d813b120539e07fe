import { kindsBeyond } from '#event-store';
import { capitalized, refuse } from './consistency.js';
import type { LogReader, Mismatch } from './engines.js';
import type { LogEngine } from './log.js';

/** Kinds of events that are named. */
const NAMED_MAX = 5;

type Compared = Pick<LogEngine, 'name' | 'knownKinds'>;

/** As `newerMismatch`, thrown as `storage_failed`. */
export async function refuseNewer(events: Pick<LogReader, 'kinds'>, log: Compared): Promise<void> {
  refuse(await newerMismatch(events, log));
}

/** Whether a newer program wrote events to a log that this one can't read. Nothing is read of the events themselves. */
export async function newerMismatch(
  events: Pick<LogReader, 'kinds'>,
  { name, knownKinds }: Compared,
): Promise<Mismatch | undefined> {
  if (knownKinds === undefined) return undefined;
  const unknown = Object.entries(kindsBeyond(await events.kinds(), knownKinds)).sort();
  if (unknown.length === 0) return undefined;
  const named = unknown.slice(0, NAMED_MAX).map(([type, version]) => `${type} of version ${version}`);
  const others = unknown.length > NAMED_MAX ? [`${unknown.length - NAMED_MAX} more`] : [];
  return {
    what: `${capitalized(name)} holds events of a newer Lode, which this one can't read: ${[...named, ...others].join(', ')}.`,
    todo: 'Start the version of Lode that wrote them, or a later one.',
  };
}
