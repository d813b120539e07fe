import { createReadStream, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { linesOf, type ExclusiveEngines, type Line, type Progress } from '#engines';
import {
  LodeError,
  parsePosition,
  positionOf,
  systemClock,
  type Position,
  type RecordedEvent,
} from '#kernel';
import { accountStream } from '#ledger';
import type { EventStore } from '#event-store';
import { createLogCheck, ledgerKinds, type Fault } from '#verify';
import { appendsOf } from './appends.js';
import type { Call, Outcome } from './command.js';
import { eventsOf } from './events.js';
import { withExclusiveEngines } from './folder.js';
import { count, counted } from './output.js';

/** Events written together. */
const BATCH = 1_000;
/** The position of the first event of a log that counts its events. */
const FIRST = positionOf(1);

type Imported = {
  readonly present: number;
  readonly imported: number;
  readonly refusal: string | undefined;
  /** Whose accounts it has. */
  readonly people: readonly string[];
};

/** `lode import`. */
export async function runImport(call: Call): Promise<Outcome> {
  const { args, progress } = call;
  const file = resolve(args[0] ?? '');
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new LodeError('file_not_found', `There is no ${file}.`);
  if (found.isDirectory()) throw new LodeError('storage_failed', `${file} is a folder: import takes a file.`);
  const { present, imported, refusal, lost, head } = await withExclusiveEngines(call, async (engines) => {
    const log = await engines.openLogToFill();
    let taken: Imported;
    try {
      taken = await importLines(engines, log, file, progress);
    } finally {
      await log.close();
    }
    return { ...taken, ...(await finish(engines, taken.people)) };
  });
  const taken = `${counted(imported, 'event')} imported; ${count(present)} there already.`;
  return {
    ok: refusal === undefined,
    facts: { file, present, imported, withoutKey: lost, head: head ?? null, refusal: refusal ?? null },
    lines: [
      taken,
      ...(lost === 0
        ? []
        : [`${counted(lost, 'account')} without a key: what is encrypted there reads forgotten.`]),
      ...(head === undefined ? [] : [`A new head is kept: the log ends at position ${head}.`]),
      ...(refusal === undefined ? [] : [`WRONG: ${refusal}`]),
    ],
  };
}

/**
 * An export has no keys, so that those of people whom the identity store doesn't know are lost: it is told so, or their
 * accounts would be held back as long as their keys are looked for. Then the head is kept anew: what was imported is older
 * than it. Where the identity store is missing itself it is to be restored first.
 */
async function finish(
  { hasIdentity, openStoresAsTheyAre }: Pick<ExclusiveEngines, 'hasIdentity' | 'openStoresAsTheyAre'>,
  people: readonly string[],
): Promise<{ readonly lost: number; readonly head?: Position }> {
  if (!(await hasIdentity())) return { lost: 0 };
  const { identity, events, keepHead, stillHere, close } = await openStoresAsTheyAre();
  try {
    const lost = people.length === 0 ? 0 : await identity.giveUpPersonKeys(people, systemClock());
    await stillHere();
    await keepHead(true);
    return { lost, head: await events.head() };
  } finally {
    await close();
  }
}

/** Takes line after line, compares what the log has with what stands there, and writes the rest. */
async function importLines(
  { nextPosition }: Pick<ExclusiveEngines, 'nextPosition'>,
  store: EventStore,
  file: string,
  progress: Progress,
): Promise<Imported> {
  // Where positions are not counted by ones, appends that are sent together may come into the log in any order.
  const writer = createWriter(store, { inOrder: nextPosition === undefined });
  const readStream: EventStore['readStream'] = async (stream, read) => {
    await writer.flush();
    return store.readStream(stream, read);
  };
  let check: ReturnType<typeof createLogCheck> | undefined;
  const known = eventsOf(store, await store.head());
  const people: string[] = [];
  let present = 0;
  let refusal: string | undefined;
  for await (const line of linesOf(createReadStream(file))) {
    const event = eventIn(line);
    if (typeof event === 'string') {
      refusal = event;
      break;
    }
    check ??= createLogCheck({ kinds: ledgerKinds, nextPosition: countingOf(event), readStream });
    const fault = await check.next(event);
    if (fault !== undefined) {
      refusal = wrong(line, fault);
      break;
    }
    const same = await known.next();
    if (event.type === 'AccountOpened') people.push(event.stream.slice(accountStream('').length));
    if (same.done === true) await writer.add(event, line.bytes);
    else if (same.value.meta.chain === event.meta.chain) present += 1;
    else {
      refusal = `line ${line.number}: the log has another event there, at position ${same.value.position}.`;
      break;
    }
    if (line.number % BATCH === 0) progress('Importing', line.number);
  }
  // What stood before a line that is wrong is right, and the next import goes on from it.
  await writer.flush();
  return { present, imported: writer.written(), refusal, people };
}

/**
 * How the positions in a file go on, by its first event: counted by ones where they begin so, so that none is missing; else
 * they are of an engine that numbers its events in another way.
 */
function countingOf({ position }: RecordedEvent): ((position: Position) => Position) | undefined {
  return position === FIRST ? (before) => positionOf(BigInt(before) + 1n) : undefined;
}

/** The event of a line, or why it is none. */
function eventIn({ number, text, isWhole }: Line): RecordedEvent | string {
  if (!isWhole) return `line ${number}: it is cut off.`;
  try {
    const event = JSON.parse(text) as RecordedEvent;
    if (typeof event === 'object' && event !== null && parsePosition(String(event.position)) !== undefined) {
      return event;
    }
    return `line ${number}: it has no position.`;
  } catch {
    return `line ${number}: it is no JSON.`;
  }
}

function wrong({ number }: Line, { stream, revision, what }: Fault): string {
  return `line ${number}, ${stream ?? 'no stream'}@${revision ?? '?'}: ${what}.`;
}

/** Writes events in order; those of one command never in two batches, so that a crash never leaves half of one. */
function createWriter(store: EventStore, { inOrder }: { readonly inOrder: boolean }) {
  let waiting: { readonly event: RecordedEvent; readonly bytes: number }[] = [];
  let written = 0;

  const flush = async () => {
    const events = waiting;
    waiting = [];
    if (inOrder) for (const append of appendsOf(events)) await store.append(append);
    // Sent in one turn, they share one commit and keep their order.
    else await Promise.all(appendsOf(events).map((append) => store.append(append)));
    written += events.length;
  };

  return {
    flush,
    written: () => written,
    add: async (event: RecordedEvent, bytes: number) => {
      const isNewCommand = waiting.at(-1)?.event.meta.commandId !== event.meta.commandId;
      if (waiting.length >= BATCH && isNewCommand) await flush();
      waiting.push({ event, bytes });
    },
  };
}
