import { createHash } from 'node:crypto';
import type { Progress } from '#engines';
import type { EventStore } from '#event-store';
import {
  canonicalJson,
  comparePositions,
  LodeError,
  logStart,
  type Position,
  type RecordedEvent,
} from '#kernel';
import { appendsOf, type Rewritten } from './appends.js';
import { eventsOf } from './events.js';

/** What two logs have in common once one is a copy of the other. */
export type ComparedLogs = {
  readonly events: number;
  readonly streams: number;
  /** SHA-256 over the hashes of all events, in order. */
  readonly digest: string;
  /** Where the original ended. */
  readonly head: Position;
  /** Where in the copy what was at a position of the original is. */
  readonly placeOf: (position: Position) => Position;
};

/** Events written together. */
const BATCH = 1_000;

/**
 * Copies a log behind what the other one has of it already. An append is sent after the one before it was acknowledged,
 * so that the events have the same order whatever the engine. Answers with how far the log went that was copied.
 */
export async function copyLog(from: EventStore, to: EventStore, progress: Progress): Promise<Position> {
  const known = eventsOf(to, await to.head());
  let copied = 0;
  let waiting: Rewritten[] = [];
  const flush = async () => {
    for (const append of appendsOf(waiting)) await to.append(append);
    waiting = [];
  };
  const head = await from.head();
  for await (const event of eventsOf(from, head)) {
    const there = await known.next();
    if (there.done !== true) {
      if (!isSame(there.value, event)) throw different(event, there.value);
    } else {
      // Events of one command stay in one append, so that the copy never ends in the middle of one.
      const isNewCommand = waiting.at(-1)?.event.meta.commandId !== event.meta.commandId;
      if (waiting.length >= BATCH && isNewCommand) await flush();
      waiting.push({ event, bytes: Buffer.byteLength(canonicalJson(event)) });
    }
    progress('Copying the log', (copied += 1));
  }
  await flush();
  const more = await known.next();
  if (more.done !== true) throw different(undefined, more.value);
  return head;
}

/** Compares a log up to `head` with its copy, event by event, and finds where in that some places of it are. */
export async function compareLogs(
  from: EventStore,
  to: EventStore,
  {
    head,
    needed,
    progress,
  }: { readonly head: Position; readonly needed: readonly Position[]; readonly progress: Progress },
): Promise<ComparedLogs> {
  const digest = createHash('sha256');
  const streams = new Set<string>();
  const wanted = [...new Set(needed)].sort(comparePositions);
  const places = new Map<Position, Position>();
  const found = eventsOf(to, await to.head());
  let events = 0;
  let place = logStart;
  for await (const event of eventsOf(from, head)) {
    // A place between two events is as good as the one before it.
    while (wanted[0] !== undefined && comparePositions(wanted[0], event.position) < 0)
      places.set(wanted.shift() ?? logStart, place);
    const there = await found.next();
    if (there.done === true || !isSame(there.value, event)) throw different(event, there.value);
    place = there.value.position;
    digest.update(event.meta.chain);
    streams.add(event.stream);
    progress('Comparing the logs', (events += 1));
  }
  for (const position of wanted) places.set(position, place);
  const more = await found.next();
  if (more.done !== true) throw different(undefined, more.value);
  return {
    events,
    streams: streams.size,
    digest: digest.digest('hex'),
    head,
    placeOf: (position) => places.get(position) ?? logStart,
  };
}

/**
 * Refuses a log that has grown since it was compared up to `head`: a program on the same servers, begun meanwhile, writes to
 * it. What it wrote is copied when the command is given again.
 */
export async function refuseGrown(from: EventStore, head: Position): Promise<void> {
  if ((await from.head()) === head) return;
  throw new LodeError(
    'conflict',
    'Something was written while it was copied: stop every program, and give the same command again.',
  );
}

/** The chain is over everything else in an event and over all before it in its stream. */
function isSame(a: RecordedEvent, b: RecordedEvent): boolean {
  return a.stream === b.stream && a.revision === b.revision && a.meta.chain === b.meta.chain;
}

function different(is: RecordedEvent | undefined, there: RecordedEvent | undefined): LodeError {
  const name = (event: RecordedEvent | undefined) =>
    event === undefined ? 'nothing' : `${event.stream}@${event.revision}`;
  return new LodeError(
    'conflict',
    `The logs differ: where one has ${name(is)}, the other has ${name(there)}${there === undefined ? '' : `, at position ${there.position}`}.`,
  );
}
