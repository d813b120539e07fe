import { errorText, isEngineError, LodeError, plainFailure } from '#kernel';
import { changesOf, forgetChanges, isInterrupted, withUntold } from './changes.js';
import { foldAgain } from './fold.js';
import type { ModelBuild } from './model-build.js';
import { openOne } from './pages.js';
import { beforeParked, isHeld, readTaken, type Failure, type ParkedEvent } from './parking.js';
import type { RunnerContext } from './runner-context.js';

export type Replayed = {
  /** Events folded now. */
  readonly replayed: number;
  /** Events of the stream that are still parked or wait. */
  readonly left: number;
};

/**
 * Folds a stream's parked and waiting events again, in order, each with its own write that also takes it off the list.
 * The first that still fails ends it: it stays parked with what failed now, and the later ones wait on. Throws `unavailable`
 * when the runner is stopped in between.
 *
 * On an engine without transactions a death between the two halves of such a write leaves the event parked although it
 * was folded. The documents that have it say so, in the same write, and don't take it again.
 */
export async function replayStream(
  context: RunnerContext,
  modelBuild: ModelBuild,
  stream: string,
): Promise<Replayed> {
  const { fold, checkpoint } = modelBuild;
  const parked = (await readTaken(context.store, fold.build, checkpoint, stream)).filter(isHeld);
  let replayed = 0;
  let isStopped = false;
  for (const one of parked) {
    isStopped = context.isStopping();
    if (isStopped) break;
    const failure = await replayOne(context, modelBuild, one);
    if (failure !== undefined) {
      await keep(context, one, failure);
      break;
    }
    replayed++;
  }
  if (replayed > 0) await context.store.write([context.books.amended()]);
  if (isStopped) throw plainFailure('unavailable', 'The read models are being stopped.');
  return { replayed, left: parked.length - replayed };
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
    await writeOff(context, modelBuild, parked, 'folded');
    return undefined;
  } catch (error) {
    fold.documents.rollback();
    if (isEngineError(error)) throw error;
    return { attempts: 1, error: errorText(error) };
  }
}

/**
 * Leaves out a parked event, for as long as the build is read, and folds what waits behind it: also where it is left out
 * already, as a death may have come in between. Undefined when it is not parked; `validation_failed` when it waits itself.
 */
export async function discardParked(
  context: RunnerContext,
  modelBuild: ModelBuild,
  eventId: string,
): Promise<Replayed | undefined> {
  const taken = await ownTaken(context, modelBuild);
  const parked = taken.find((one) => one.eventId === eventId);
  if (parked === undefined) return undefined;
  if (parked.state === 'waiting')
    throw new LodeError('validation_failed', 'Only an event that failed itself can be discarded.');
  if (parked.state === 'parked') await writeOff(context, modelBuild, parked, 'discarded');
  return replayStream(context, modelBuild, parked.stream);
}

/** Writes what was made of a parked event, and that it is parked no longer. */
async function writeOff(
  context: RunnerContext,
  modelBuild: ModelBuild,
  parked: ParkedEvent,
  why: 'folded' | 'discarded',
): Promise<void> {
  const { fold } = modelBuild;
  const { put, remove } = fold.documents.pending();
  const changes = changesOf(modelBuild, { put, remove }, parked.position);
  try {
    await context.store.write([
      { build: fold.build, put, remove },
      why === 'folded'
        ? { build: context.books.parked, put: [], remove: [parked.id] }
        : { build: context.books.parked, put: [{ ...parked, state: why }], remove: [] },
      ...(why === 'folded' ? [] : [context.books.amended()]),
    ]);
  } catch (error) {
    if (isInterrupted(context.store, error)) {
      forgetChanges(modelBuild, changes);
      modelBuild.isParkingUnsure = true;
    }
    throw error;
  }
  fold.documents.commit();
  if (why === 'folded') fold.parking.release(parked);
  else fold.parking.discard(parked);
  context.wrote([modelBuild], withUntold(modelBuild, changes));
}

/** Looks what is parked after a replay that nobody heard the end of. */
export async function alignParking(context: RunnerContext, modelBuild: ModelBuild): Promise<void> {
  modelBuild.fold.parking.align(await ownTaken(context, modelBuild));
  modelBuild.isParkingUnsure = false;
  context.wrote([modelBuild], withUntold(modelBuild, []));
}

async function keep(context: RunnerContext, parked: ParkedEvent, failure: Failure): Promise<void> {
  const attempts = parked.attempts + failure.attempts;
  const kept: ParkedEvent = { ...parked, attempts, error: failure.error, state: 'parked' };
  await context.store.write([{ build: context.books.parked, put: [kept], remove: [] }]);
}

/** Of all that a build has taken and not folded what is in its own lanes. */
export async function ownTaken(
  { store }: Pick<RunnerContext, 'store'>,
  { fold: { build, hasStream }, checkpoint }: ModelBuild,
): Promise<readonly ParkedEvent[]> {
  return (await readTaken(store, build, checkpoint)).filter(({ stream }) => hasStream(stream));
}
