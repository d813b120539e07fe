import { isEngineError, type Position, type RecordedEvent } from '#kernel';
import type { Checkpoint, Document } from '#read-store';
import type { Delivery } from './delivery.js';
import { foldEvents } from './fold.js';
import type { Budget } from './limits.js';
import { noteAdvanced, noteWaiting, type Member } from './member.js';
import { readPage } from './pages.js';
import { errorText, parkedEvent } from './parking.js';
import type { DocumentChange, Works } from './works.js';

export type Advanced = {
  readonly events: number;
  /** The last page was short: this was the end of the log. */
  readonly atHead: boolean;
};

/**
 * Folds what follows `from` for all members, which all stand there, and writes it as one batch: at most `budget`, and
 * not past `upTo`. When it throws, nothing was written and the members stand where they stood.
 */
export async function advanceTogether(
  works: Works,
  members: readonly Member[],
  from: Checkpoint,
  budget: Budget,
  upTo: Position | undefined,
): Promise<Advanced> {
  let at = from;
  let events = 0;
  let last: Delivery | undefined;
  let isShort = false;
  const isFull = () =>
    events >= budget.events ||
    members.some(({ fold }) => fold.documents.changed() >= budget.documents) ||
    (events > 0 && works.isStopping());
  try {
    while (!isShort && !isFull() && at.position !== upTo) {
      const asked = Math.min(budget.page, budget.events - events);
      const page = await readPage(works, at, asked, upTo);
      isShort = page.isShort;
      if (page.deliveries.length === 0 && !page.isPast) break;
      if (last === undefined) noteAllWaiting(works, members, page.deliveries[0]?.stored);
      for (const { fold } of members) await foldEvents(fold, page.deliveries);
      events += page.deliveries.length;
      last = page.deliveries.at(-1) ?? last;
      const reached = last === undefined ? from : checkpointAfter(last);
      at = page.isPast && upTo !== undefined ? { ...reached, position: upTo } : reached;
      if (!isShort) await works.yieldToEventLoop();
    }
    if (at.position !== from.position) await write(works, members, at, last);
  } catch (error) {
    for (const { fold } of members) dropBatch(fold);
    throw error;
  }
  const waiting = isShort ? undefined : last && Date.parse(last.stored.at);
  if (last !== undefined || isShort)
    for (const member of members) noteAdvanced(member, waiting, works.clock());
  return { events, atHead: isShort };
}

function checkpointAfter({ stored, ordinal }: Delivery): Checkpoint {
  return { position: stored.position, ordinal };
}

function noteAllWaiting(works: Works, members: readonly Member[], first: RecordedEvent | undefined): void {
  if (first === undefined) return;
  const since = Date.parse(first.at);
  for (const member of members) noteWaiting(member, since, works.clock());
}

function dropBatch({ documents, parking }: Member['fold']): void {
  documents.rollback();
  parking.rollback();
}

/** One write of everything that the members hold unwritten, with their checkpoint and the last event up to there. */
async function write(
  works: Works,
  members: readonly Member[],
  checkpoint: Checkpoint,
  last: Delivery | undefined,
): Promise<void> {
  const contents = members.map(({ fold }) => fold.documents.pending());
  const parked = members.flatMap(({ fold }) => fold.parking.pending());
  await works.store.write([
    ...(parked.length === 0 ? [] : [{ build: works.books.parked, put: parked, remove: [] }]),
    ...(last === undefined
      ? []
      : [
          works.books.anchor(
            members.map(({ fold }) => fold.build),
            last,
          ),
        ]),
    ...members.map(({ fold }, n) => ({
      build: fold.build,
      checkpoint,
      put: contents[n]?.put ?? [],
      remove: contents[n]?.remove ?? [],
    })),
  ]);
  const changes: DocumentChange[] = [];
  members.forEach((member, n) => {
    member.fold.documents.commit();
    member.fold.parking.commit();
    member.checkpoint = checkpoint;
    if (member.isActive && member.fold.model.isQuiet !== true)
      changes.push(
        ...changesOf(member, contents[n]?.put ?? [], contents[n]?.remove ?? [], checkpoint.position),
      );
  });
  works.wrote(members, changes);
}

/** What a live listener is told of a write; a removed document is for admins only, since nobody owns it any more. */
export function changesOf(
  { fold: { model } }: Member,
  put: readonly Document[],
  remove: readonly string[],
  position: Position,
): readonly DocumentChange[] {
  const collection = model.name;
  return [
    ...put.map((document) => ({
      collection,
      id: document.id,
      position: document.position,
      ownerId: model.ownerOf(document),
    })),
    ...remove.map((id) => ({ collection, id, position, ownerId: null })),
  ];
}

const CAREFUL_PAGE = 500;
/** An event that is delivered by itself after a death was delivered before in a batch and in a part of it. */
const DELIVERED_BEFORE = 2;

/**
 * Folds up to `count` events for one member, one at a time, each with its own write: the way around an event that the
 * batch could not be written with, or that ended the process. In the latter case (`isMarked`) each delivery is counted
 * in the store before it is made, and one that was counted often enough is parked without being made again.
 */
export async function advanceSingly(
  works: Works,
  member: Member,
  count: number,
  isMarked: boolean,
): Promise<Advanced> {
  let events = 0;
  let at = member.checkpoint;
  let last: Delivery | undefined;
  let isShort = false;
  try {
    while (events < count && !works.isStopping()) {
      const page = await readPage(works, at, Math.min(count - events, CAREFUL_PAGE));
      for (const delivery of page.deliveries) {
        last = delivery;
        at = checkpointAfter(delivery);
        events++;
        if (member.fold.handles(delivery.stored.type)) await deliverAlone(works, member, delivery, isMarked);
        noteAdvanced(member, Date.parse(delivery.stored.at), works.clock());
      }
      isShort = page.isShort;
      if (isShort) break;
      await works.yieldToEventLoop();
    }
    if (at.position !== member.checkpoint.position) await write(works, [member], at, last);
    if (isShort) noteAdvanced(member, undefined, works.clock());
  } catch (error) {
    dropBatch(member.fold);
    throw error;
  }
  return { events, atHead: isShort };
}

async function deliverAlone(
  works: Works,
  member: Member,
  delivery: Delivery,
  isMarked: boolean,
): Promise<void> {
  const { fold, suspect } = member;
  const { stored: event } = delivery;
  const { tries } = works.limits;
  if (isMarked) {
    const isSuspect = suspect?.events === 1 && suspect.position === event.position;
    const earlier = isSuspect ? suspect.attempts : Math.min(DELIVERED_BEFORE, tries - 1);
    if (earlier >= tries) {
      const error = `the process ended ${earlier} times while it handled this event`;
      fold.parking.add(parkedEvent(fold.build, delivery, { attempts: earlier, error }));
      await write(works, [member], checkpointAfter(delivery), delivery);
      return;
    }
    await works.books.mark(fold.build, { position: event.position, events: 1, attempts: earlier + 1 });
  }
  let failure: unknown;
  for (let attempt = 0; attempt < tries; attempt++) {
    try {
      await foldEvents(fold, [delivery]);
      await write(works, [member], checkpointAfter(delivery), delivery);
      return;
    } catch (error) {
      dropBatch(fold);
      if (isEngineError(error)) throw error;
      failure = error;
    }
  }
  fold.parking.add(parkedEvent(fold.build, delivery, { attempts: tries, error: errorText(failure) }));
  await write(works, [member], checkpointAfter(delivery), delivery);
}
