import { errorText, isEngineError, LodeError, type Position } from '#kernel';
import { changesOf } from './advance.js';
import { foldAgain } from './fold.js';
import type { ModelBuild } from './model-build.js';
import { openOne } from './pages.js';
import { beforeParked, isTaken, readParked, type Failure, type ParkedEvent } from './parking.js';
import type { DocumentChange, RunnerContext } from './runner-context.js';

export type Replayed = {
  /** Events folded now. */
  readonly replayed: number;
  /** Events of the stream that are still parked or wait. */
  readonly left: number;
};

/**
 * Folds a stream's parked and waiting events again, in order, each with its own write that also takes it off the list.
 * The first that still fails ends it: it stays parked with what failed now, and the later ones wait on.
 *
 * On an engine without transactions a death between the two halves of such a write leaves the event parked although it
 * was folded. The documents that have it say so, in the same write, and don't take it again.
 */
export async function replayStream(
  context: RunnerContext,
  modelBuild: ModelBuild,
  stream: string,
): Promise<Replayed> {
  const { fold } = modelBuild;
  const stored = await readParked(context.store, fold.build, stream);
  const parked = stored.filter((one) => isTaken(one, modelBuild.checkpoint.position));
  let replayed = 0;
  for (const one of parked) {
    const failure = await replayOne(context, modelBuild, one);
    if (failure !== undefined) {
      await keep(context, one, failure);
      return { replayed, left: parked.length - replayed };
    }
    replayed++;
  }
  return { replayed, left: 0 };
}

async function replayOne(
  context: RunnerContext,
  modelBuild: ModelBuild,
  parked: ParkedEvent,
): Promise<Failure | undefined> {
  const { fold } = modelBuild;
  const delivery = await openOne(context, beforeParked(parked));
  if (delivery?.stored.id !== parked.eventId)
    throw new LodeError(
      'internal',
      `The log has another event at ${parked.position} than the one that was parked.`,
    );
  try {
    const failure = await foldAgain(fold, delivery);
    if (failure !== undefined) return failure;
    const { put, remove } = fold.documents.pending();
    await context.store.write([
      { build: fold.build, put, remove },
      { build: context.books.parked, put: [], remove: [parked.id] },
    ]);
    fold.documents.commit();
    fold.parking.release(parked);
    context.wrote([modelBuild], reported(modelBuild, put, remove, parked.position));
    return undefined;
  } catch (error) {
    fold.documents.rollback();
    if (isEngineError(error)) throw error;
    return { attempts: 1, error: errorText(error) };
  }
}

function reported(
  modelBuild: ModelBuild,
  put: Parameters<typeof changesOf>[1],
  remove: readonly string[],
  position: Position,
): readonly DocumentChange[] {
  const isTold = modelBuild.isActive && modelBuild.fold.model.isQuiet !== true;
  return isTold ? changesOf(modelBuild, put, remove, position) : [];
}

async function keep(context: RunnerContext, parked: ParkedEvent, failure: Failure): Promise<void> {
  const attempts = parked.attempts + failure.attempts;
  const kept: ParkedEvent = { ...parked, attempts, error: failure.error, state: 'parked' };
  await context.store.write([{ build: context.books.parked, put: [kept], remove: [] }]);
}
