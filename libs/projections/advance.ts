import { errorText, isEngineError, type Position, type RecordedEvent } from '#kernel';
import type { Checkpoint } from '#read-store';
import type { Mark } from './bookkeeping.js';
import { changesOf, forgetChanges, isInterrupted, withUntold } from './changes.js';
import type { Delivery } from './delivery.js';
import { foldEvents, park, UnsureFold } from './fold.js';
import { laneIn } from './lanes.js';
import type { Budget } from './limits.js';
import { noteAdvanced, noteMoved, noteWaiting, type ModelBuild } from './model-build.js';
import { readPage } from './pages.js';
import type { RunnerContext } from './runner-context.js';
import { beginTraced, type TracedBatch } from './traced.js';

export type Advanced = {
  readonly events: number;
  /** The last page was short: this was the end of the log. */
  readonly atHead: boolean;
};

/**
 * Folds what follows `from` for all builds, which all stand there, and writes it as one batch: at most `budget`, and
 * not past `upTo`. When it throws, nothing was written and the builds stand where they stood.
 */
export async function advanceTogether(
  context: RunnerContext,
  builds: readonly ModelBuild[],
  from: Checkpoint,
  budget: Budget,
  upTo: Position | undefined,
): Promise<Advanced> {
  let at = from;
  let events = 0;
  let last: Delivery | undefined;
  let isShort = false;
  const batch = beginTraced(context.tracer);
  const isFull = () =>
    events >= budget.events ||
    builds.some(({ fold }) => fold.documents.changed() >= budget.documents) ||
    (events > 0 && context.isStopping());
  try {
    while (!isShort && !isFull() && at.position !== upTo) {
      const asked = Math.min(budget.page, budget.events - events);
      const page = await readPage(context, at, asked, upTo);
      isShort = page.isShort;
      if (page.deliveries.length === 0 && !page.isPast) break;
      if (last === undefined) noteAllWaiting(context, builds, page.deliveries[0]?.stored);
      for (const { fold } of builds) await foldEvents(fold, page.deliveries);
      batch?.add(page.deliveries.map(({ stored }) => stored));
      events += page.deliveries.length;
      last = page.deliveries.at(-1) ?? last;
      const reached = last === undefined ? from : checkpointAfter(last);
      at = page.isPast && upTo !== undefined ? { ...reached, position: upTo } : reached;
      if (!isShort) await context.yieldToEventLoop();
    }
    if (at.position !== from.position) await write(context, builds, at, last, batch);
  } catch (error) {
    for (const { fold } of builds) dropBatch(fold);
    throw error;
  }
  const waiting = isShort ? undefined : last && Date.parse(last.stored.at);
  if (last !== undefined || isShort)
    for (const modelBuild of builds) noteAdvanced(modelBuild, waiting, context.clock());
  return { events, atHead: isShort };
}

function checkpointAfter({ stored, ordinal }: Delivery): Checkpoint {
  return { position: stored.position, ordinal };
}

function noteAllWaiting(
  context: RunnerContext,
  builds: readonly ModelBuild[],
  first: RecordedEvent | undefined,
): void {
  if (first === undefined) return;
  const since = Date.parse(first.at);
  for (const modelBuild of builds) noteWaiting(modelBuild, since, context.clock());
}

function dropBatch({ documents, parking }: ModelBuild['fold']): void {
  documents.rollback();
  parking.rollback();
}

/** One write of everything that the builds hold unwritten, with their checkpoint and the last event up to there. */
async function write(
  context: RunnerContext,
  builds: readonly ModelBuild[],
  checkpoint: Checkpoint,
  last: Delivery | undefined,
  batch?: TracedBatch,
): Promise<void> {
  const contents = builds.map((modelBuild) => ({ modelBuild, ...modelBuild.fold.documents.pending() }));
  const parked = builds.flatMap(({ fold }) => fold.parking.pending());
  const changes = contents.map(({ modelBuild, ...batch }) =>
    changesOf(modelBuild, batch, checkpoint.position),
  );
  try {
    await context.store.write([
      ...(parked.length === 0 ? [] : [{ build: context.books.parked, put: parked, remove: [] }]),
      // Before the documents, as it also says how far a batch went that did not get to its checkpoint.
      ...(last === undefined
        ? []
        : [
            context.books.anchor(
              builds.map(({ fold }) => fold.build),
              last,
            ),
          ]),
      ...contents.map(({ modelBuild, put, remove }) => ({
        build: modelBuild.fold.build,
        checkpoint,
        put,
        remove,
      })),
    ]);
  } catch (error) {
    if (isInterrupted(context.store, error))
      builds.forEach((modelBuild, n) => {
        forgetChanges(modelBuild, changes[n] ?? []);
        modelBuild.fold.parking.interrupt(checkpoint.position);
      });
    throw error;
  }
  for (const modelBuild of builds) {
    modelBuild.fold.documents.commit();
    modelBuild.fold.parking.commit();
    noteMoved(modelBuild, checkpoint, context.clock());
  }
  context.wrote(
    builds,
    builds.flatMap((modelBuild, n) => withUntold(modelBuild, changes[n] ?? [])),
    batch,
  );
}

const RECOVERY_PAGE = 500;
/** An event that is delivered by itself after a death was delivered before in a batch and in a part of it. */
const DELIVERED_BEFORE = 2;

/**
 * Folds up to `count` events for one build, one at a time, each with its own write: the way around an event that the
 * batch could not be written with, or that ended the process. In the latter case (`isMarked`) each delivery is counted
 * in the store before it is made, and one that was counted often enough is parked without being made again.
 */
export async function advanceSingly(
  context: RunnerContext,
  modelBuild: ModelBuild,
  count: number,
  isMarked: boolean,
): Promise<Advanced> {
  let events = 0;
  let at = modelBuild.checkpoint;
  let last: Delivery | undefined;
  let isShort = false;
  try {
    while (events < count && !context.isStopping()) {
      const page = await readPage(context, at, Math.min(count - events, RECOVERY_PAGE));
      for (const delivery of page.deliveries) {
        last = delivery;
        at = checkpointAfter(delivery);
        events++;
        if (modelBuild.fold.concerns(delivery)) await deliverAlone(context, modelBuild, delivery, isMarked);
        noteAdvanced(modelBuild, Date.parse(delivery.stored.at), context.clock());
      }
      isShort = page.isShort;
      if (isShort) break;
      await context.yieldToEventLoop();
    }
    if (at.position !== modelBuild.checkpoint.position) await write(context, [modelBuild], at, last);
    if (isShort) noteAdvanced(modelBuild, undefined, context.clock());
  } catch (error) {
    dropBatch(modelBuild.fold);
    throw error;
  }
  return { events, atHead: isShort };
}

async function deliverAlone(
  context: RunnerContext,
  modelBuild: ModelBuild,
  delivery: Delivery,
  isMarked: boolean,
): Promise<void> {
  const { fold, suspected } = modelBuild;
  const { stored: event } = delivery;
  const { tries } = context.limits;
  if (isMarked) {
    const isOfThis = ({ events, position }: Mark) => events === 1 && position === event.position;
    // One from before lanes may stand beside those of its lane.
    const marked = suspected.filter(isOfThis).map(({ attempts }) => attempts);
    const earlier = marked.length > 0 ? Math.max(...marked) : Math.min(DELIVERED_BEFORE, tries - 1);
    if (earlier >= tries) {
      const error = `the process ended ${earlier} times while it handled this event`;
      if (fold.parking.decided(event) === undefined) park(fold, delivery, { attempts: earlier, error });
      else await foldEvents(fold, [delivery]);
      await write(context, [modelBuild], checkpointAfter(delivery), delivery);
      return;
    }
    const mark = { position: event.position, events: 1, attempts: earlier + 1 };
    await context.books.mark(fold.build, mark, laneIn(fold.model, event.stream, context.lanes.of));
  }
  let failure: unknown;
  for (let attempt = 0; attempt < tries; attempt++) {
    try {
      await foldEvents(fold, [delivery]);
      await write(context, [modelBuild], checkpointAfter(delivery), delivery);
      return;
    } catch (error) {
      dropBatch(fold);
      if (isEngineError(error) || error instanceof UnsureFold) throw error;
      failure = error;
    }
  }
  park(fold, delivery, { attempts: tries, error: errorText(failure) });
  await write(context, [modelBuild], checkpointAfter(delivery), delivery);
}
