import {
  comparePositions,
  isLodeError,
  logStart,
  parsePosition,
  type Position,
  type RecordedEvent,
} from '#kernel';
import type { EventStore } from '#event-store';
import { createLogCheck, FAULTS_MAX, type LogCheck, type LogCheckOptions, type LogReport } from './check.js';
import { faultOf, type Fault } from './faults.js';
import type { StreamKind } from './kinds.js';

/** The half of a log that a check reads. */
export type LogToCheck = Pick<EventStore, 'readAll' | 'readStream'>;

/** The history that a log must begin with: that of a backup. */
export type Milestone = { readonly events: number; readonly digest: string };

export type VerifyLogOptions = {
  readonly log: LogToCheck;
  readonly kinds: readonly StreamKind[];
  /** Where to end, inclusive: what is appended meanwhile is left for the next time. */
  readonly upTo: Position;
  /** As `LogCheckOptions` has it. */
  readonly nextPosition: LogCheckOptions['nextPosition'];
  readonly since?: Milestone;
  /** Told how many events were looked at, now and then. */
  readonly progress?: (events: number) => void;
  readonly streamsMax?: number;
};

/** Events read at a time. */
const PAGE = 2_000;

/**
 * Walks the log once, in order, and says what is in it and what is wrong with it. A second walk follows only when ids
 * may be there twice.
 */
export async function verifyLog(options: VerifyLogOptions): Promise<LogReport> {
  const { log, kinds, upTo, nextPosition, since, progress = () => {}, streamsMax } = options;
  const check = createLogCheck({
    kinds,
    nextPosition,
    readStream: log.readStream,
    ...(streamsMax === undefined ? {} : { streamsMax }),
  });
  let events = 0;
  let [found, passed] = [0, 0];
  const look = async (event: RecordedEvent) => {
    if ((await check.next(event)) !== undefined) found += 1;
    events += 1;
    // After a place that was passed over they are no longer counted as then.
    if (events === since?.events && passed === 0) checkMilestone(check, event, since);
    if (events % PAGE === 0) progress(events);
    return found < FAULTS_MAX;
  };
  const pass = (fault: Fault) => {
    check.pass(fault);
    found += 1;
    passed += 1;
    return found < FAULTS_MAX;
  };
  await walk(log, upTo, look, pass);
  progress(events);
  if (since !== undefined && events < since.events && found === 0) {
    const what = `the log ends before the ${since.events} events that it once had`;
    check.add({ kind: 'history', position: upTo, what });
  }
  if (check.suspects().size > 0 && found < FAULTS_MAX) await findTwins(log, upTo, check);
  return check.report();
}

function checkMilestone(check: LogCheck, event: RecordedEvent, { digest }: Milestone): void {
  if (check.report().digest === digest) return;
  check.add(faultOf(event, 'history', 'up to here the log is not the one that it once was'));
}

/** Gives every event up to a position to `look`, and every place that can't be read to `pass`, until one has enough. */
async function walk(
  log: LogToCheck,
  upTo: Position,
  look: (event: RecordedEvent) => Promise<boolean>,
  pass: (fault: Fault) => boolean,
): Promise<void> {
  let after = logStart;
  let size = PAGE;
  for (;;) {
    let page: readonly RecordedEvent[];
    try {
      page = await log.readAll(after, size);
    } catch (error) {
      // Of a page that can't be read, everything before the event that is the reason can be.
      if (size > 1) {
        size = 1;
        continue;
      }
      const fault = unreadable(error, after);
      const there = parsePosition(fault.position);
      if (!pass(fault) || there === undefined || comparePositions(there, after) <= 0) return;
      after = there;
      size = PAGE;
      continue;
    }
    for (const event of page) {
      if (comparePositions(event.position, upTo) > 0) return;
      if (!(await look(event))) return;
      after = event.position;
    }
    if (page.length < size) return;
  }
}

/** The place that an engine says it could not read; any other failure is the caller's. */
function unreadable(error: unknown, after: Position): Fault {
  if (!isLodeError(error) || error.code !== 'storage_failed') throw error;
  const { position, stream, revision, type } = error.details;
  return {
    kind: 'unreadable',
    position: typeof position === 'string' ? position : `after ${after}`,
    ...(typeof stream === 'string' ? { stream } : {}),
    ...(typeof revision === 'number' ? { revision } : {}),
    ...(typeof type === 'string' ? { type } : {}),
    what: error.message,
  };
}

/** Counts the ids that may be there twice. */
async function findTwins(log: LogToCheck, upTo: Position, check: LogCheck): Promise<void> {
  const suspects = check.suspects();
  const met = new Map<string, RecordedEvent>();
  const look = async (event: RecordedEvent) => {
    if (!suspects.has(event.id)) return true;
    const first = met.get(event.id);
    if (first === undefined) met.set(event.id, event);
    else check.add(faultOf(event, 'id', `its id is also that of position ${first.position}`));
    return true;
  };
  // Each is a fault already.
  let passed = 0;
  await walk(log, upTo, look, () => (passed += 1) < FAULTS_MAX);
}
