import { kindsBeyond, type EventStore } from '#event-store';
import { isLodeError } from '#kernel';
import { capitalized, refuse } from './consistency.js';
import type { LogReader, Mismatch } from './engines.js';
import type { LogEngine } from './log.js';

/** Kinds of events that are named. */
const NAMED_MAX = 5;

type Compared = Pick<LogEngine, 'name' | 'knownKinds' | 'program'>;

type Looked = Pick<LogReader, 'kinds' | 'header'>;

/** As `newerMismatch`, thrown as `storage_failed`. */
export async function refuseNewer(events: Looked, log: Compared): Promise<void> {
  refuse(await newerMismatch(events, log));
}

/** Whether a newer program wrote events to a log that this one can't read. Nothing is read of the events themselves. */
export async function newerMismatch(
  events: Looked,
  { name, knownKinds, program = '' }: Compared,
): Promise<Mismatch | undefined> {
  if (knownKinds === undefined) return undefined;
  const unknown = Object.entries(kindsBeyond(await events.kinds(), knownKinds)).sort();
  if (unknown.length === 0) return undefined;
  const latest = (await events.header())?.program;
  const named = unknown.slice(0, NAMED_MAX).map(([type, version]) => `${type} of version ${version}`);
  const others = unknown.length > NAMED_MAX ? [`${unknown.length - NAMED_MAX} more`] : [];
  return {
    what: `${capitalized(name)} holds events of a newer Lode, which this one can't read: ${[...named, ...others].join(', ')}.`,
    todo:
      latest !== undefined && isLater(latest, program)
        ? `Start Lode ${latest}, or a later one.`
        : 'Start the version of Lode that wrote them, or a later one.',
  };
}

/** Keeps with a log that this program has it to write, where no later one had: those before can say which one is needed. */
export async function keepProgram(
  events: Pick<EventStore, 'header' | 'changeHeader'>,
  { program }: Pick<LogEngine, 'program'>,
): Promise<void> {
  if (program === undefined) return;
  const isNews = (known: string | undefined) => known === undefined || isLater(program, known);
  try {
    if (isNews((await events.header())?.program))
      await events.changeHeader((header) => (isNews(header.program) ? { program } : {}));
  } catch (error) {
    // Nothing but a sentence goes by it: a disk that is full keeps nobody from reading.
    if (!isLodeError(error)) throw error;
  }
}

/** Whether a version such as 1.10.0 is later than another one; 1.10.0-rc.1 comes before 1.10.0. */
function isLater(version: string, other: string): boolean {
  const [one, two] = [partsOf(version), partsOf(other)];
  const byNumbers = compare(one.numbers, two.numbers);
  if (byNumbers !== 0) return byNumbers > 0;
  if (one.suffix === '' || two.suffix === '') return one.suffix === '' && two.suffix !== '';
  return compare(one.suffix, two.suffix) > 0;
}

function partsOf(version: string): { readonly numbers: string; readonly suffix: string } {
  const [numbers = '', ...suffix] = version.split('-');
  return { numbers, suffix: suffix.join('-') };
}

function compare(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
