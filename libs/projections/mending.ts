import {
  comparePositions,
  invariant,
  isOutage,
  LodeError,
  type RecordedEvent,
  type StreamEvent,
} from '#kernel';
import { limits, type EventStore } from '#event-store';
import { damageIn, type Damage, type Document } from '#read-store';
import { changesOf, withUntold } from './changes.js';
import type { ModelBuild } from './model-build.js';
import { readTaken } from './parking.js';
import { replayStream } from './replay.js';
import type { RunnerContext } from './runner-context.js';

/**
 * What became of damaged documents: `made again` from the log; `held`, as the log can't be read for them, with every later
 * event that they need parked; or `built anew`, by another build beside theirs.
 */
export type Mended = 'made again' | 'held' | 'built anew';

/**
 * Makes damaged documents of a build again from the streams that they are made of. Of a model whose documents are made of
 * many streams another build is to be made. `folding` says that the fold can't go on without them. Undefined when that is
 * nothing new, or nothing is damaged any more.
 */
export async function mendDocuments(
  context: RunnerContext,
  modelBuild: ModelBuild,
  { ids }: Pick<Damage, 'ids'>,
  folding: boolean,
): Promise<Mended | undefined> {
  const { hasStream, model } = modelBuild.fold;
  const { streamOf } = model;
  const { readStream } = context.log;
  const damaged = await damagedAmong(context, modelBuild, ids);
  if (damaged.length === 0) return undefined;
  if (damaged === 'an index' || streamOf === undefined || readStream === undefined) {
    return beReplaced(modelBuild, damaged === 'an index' ? [''] : damaged, folding)
      ? 'built anew'
      : undefined;
  }
  let mended: Mended | undefined;
  // Those of other lanes are for whoever folds them.
  for (const id of damaged.filter((one) => hasStream(streamOf(one)))) {
    const isNew = note(modelBuild, [id]);
    try {
      await makeAgain(context, modelBuild, id, sourceOf(readStream, streamOf(id)));
      modelBuild.damaged.delete(id);
      mended ??= 'made again';
      await context.store.write([context.books.amended()]);
    } catch (error) {
      if (isOutage(error) && damageIn(error) === undefined) throw error;
      modelBuild.fold.documents.refuse(id);
      if (isNew) mended = 'held';
    }
  }
  return mended;
}

/** Notes what is damaged; false when all of that is known. */
function note({ damaged }: ModelBuild, ids: readonly string[]): boolean {
  const before = damaged.size;
  for (const id of ids) damaged.add(id);
  return damaged.size > before;
}

/** Another build is to take the place of this one, which goes on without the documents where it can. False when that is known. */
function beReplaced(modelBuild: ModelBuild, ids: readonly string[], folding: boolean): boolean {
  const { model, documents } = modelBuild.fold;
  const isNew = note(modelBuild, ids);
  if (!modelBuild.isActive || (folding && model.isShared === true)) {
    modelBuild.isUnsure = true;
    modelBuild.isHalted = true;
    return isNew;
  }
  modelBuild.isDamaged = true;
  if (folding) for (const id of ids) documents.refuse(id);
  return isNew;
}

/** Those of some documents that are still damaged. One that was met and can't be found by its id is an index's fault. */
async function damagedAmong(
  { store }: Pick<RunnerContext, 'store'>,
  { fold: { build } }: ModelBuild,
  ids: readonly string[],
): Promise<readonly string[] | 'an index'> {
  if (ids.length === 0) return 'an index';
  try {
    const found = await store.read(build, ids);
    return found.length < ids.length ? 'an index' : [];
  } catch (error) {
    const damage = damageIn(error);
    if (damage === undefined) throw error;
    return damage.ids;
  }
}

/** A stream, and how some of it is read. */
type Source = {
  readonly stream: string;
  readonly read: (from: number) => Promise<readonly RecordedEvent[]>;
};

function sourceOf(readStream: EventStore['readStream'], stream: string): Source {
  return {
    stream,
    read: async (from) => (await readStream(stream, { from, limit: limits.page })).map(placed),
  };
}

function placed(event: StreamEvent): RecordedEvent {
  const { position, stream } = event;
  if (position === undefined)
    throw new LodeError('storage_failed', `The log does not say where ${event.id} is.`, { stream });
  return { ...event, position };
}

async function makeAgain(
  context: RunnerContext,
  modelBuild: ModelBuild,
  id: string,
  source: Source,
): Promise<void> {
  const { store } = context;
  const { build, documents, parking } = modelBuild.fold;
  const { position } = modelBuild.checkpoint;
  const document = await foldStream(context, modelBuild, id, source);
  const made = document === undefined ? { put: [], remove: [id] } : { put: [document], remove: [] };
  documents.drop(id);
  await store.write([{ build, ...made }]);
  // Where what is there seems to be from a later position, it is left alone: it goes first then.
  if (document !== undefined && (await damagedAmong(context, modelBuild, [id])).length > 0)
    await store.write([
      { build, put: [], remove: [id] },
      { build, ...made },
    ]);
  if (document !== undefined) await store.read(build, [id]);
  // Whoever has it on a screen was refused when asking for it again.
  context.wrote([modelBuild], withUntold(modelBuild, changesOf(modelBuild, made, position)));
  if (parking.holds(source.stream)) await replayStream(context, modelBuild, source.stream);
}

/** The document as the events of its stream make it that the build has taken. */
async function foldStream(
  context: RunnerContext,
  { fold, checkpoint }: ModelBuild,
  id: string,
  { stream, read }: Source,
): Promise<Document | undefined> {
  const { model, handles } = fold;
  invariant(model.handles !== 'all', 'a model of the whole log has no streams of its own');
  const taken = await readTaken(context.store, fold.build, checkpoint, stream);
  const leftOut = new Set(taken.map(({ eventId }) => eventId));
  let document: Document | undefined;
  for (let from = 0; ; from += limits.page) {
    const page = await read(from);
    const wanted = page.filter(
      (event) =>
        handles(event.type) &&
        !leftOut.has(event.id) &&
        comparePositions(event.position, checkpoint.position) <= 0,
    );
    await context.prepare(wanted);
    for (const event of wanted)
      for (const change of model.on(await context.open(event)))
        if (change.id === id) document = change.change(document);
    if (page.length < limits.page) return document;
    await context.yieldToEventLoop();
  }
}
