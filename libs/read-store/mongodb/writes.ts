import {
  hasFirstLane,
  comparePositions,
  hasCode,
  invariant,
  LodeError,
  logStart,
  oneLane,
  type Lanes,
} from '#kernel';
import { byCode, codes, unknownOutcome, type Answer, type MongoConnection } from '#mongodb';
import { buildName, checkCollection } from '../declarations.js';
import type { Batch, Build, Checkpoint, Collection, ReadStore } from '../port.js';
import { writeAtOnce } from './at-once.js';
import { fence, makeFenced, makeIndexes, removeAll, removeSome, removeTraces } from './builds.js';
import {
  advance,
  advanceOf,
  changed,
  claim,
  entryOf,
  pathOf,
  readCatalog,
  statesOf,
  unchangedSince,
  whileThere,
  whileWriting,
  type Catalog,
  type Entry,
} from './catalog.js';
import { commandsOf, statementsOf, type Statement } from './documents.js';
import { documentsIn, goneIn } from './queries.js';

type Writes = Pick<
  ReadStore,
  'builds' | 'begin' | 'read' | 'readGone' | 'write' | 'activate' | 'retire' | 'discard'
>;

export type WriterOptions = {
  /** The lanes whose documents it writes; all of one when it is left out. */
  readonly lanes?: Lanes;
  /** Told at the opening of indexes of a build that somebody had removed; they were made again. */
  readonly onIndexesMade?: (build: Build, count: number) => void;
};

/** How often checkpoints are written again because one of them was there already. */
const ADVANCE_TRIES_MAX = 3;

/** How often a fence is put up again because there were other writers meanwhile. */
const RAISES_MAX = 10;
/** How often a build is begun again because others were, or somebody became a writer. */
const BEGINS_MAX = 10;

/**
 * One that writes some lanes, and what it knows. Where each build stands of them nobody else changes while it has them; which
 * builds there are the writers of other lanes may.
 */
type Writer = {
  readonly connection: MongoConnection;
  readonly epoch: number;
  /** Undefined after a write of it whose outcome is unknown. */
  catalog: Catalog | undefined;
  /** Builds whose collections are known to be this writer's. */
  readonly prepared: Set<string>;
  isOvertaken: boolean;
};

/** The writer's half of the port. From here on whoever opened them to write any of these lanes before is refused. */
export async function createWrites(connection: MongoConnection, options: WriterOptions): Promise<Writes> {
  const { onIndexesMade = () => {}, lanes = oneLane } = options;
  const { catalog, epoch } = await claim(connection, lanes);
  const writer: Writer = {
    connection,
    epoch,
    catalog,
    prepared: new Set(),
    isOvertaken: false,
  };
  const served = [...catalog.entries.values()].filter(({ state }) => state !== 'retired');
  await allOf(
    served.map(async (entry) => {
      const made = await prepareFor(writer, entry);
      if (made > 0) onIndexesMade(entry.build, made);
      // What was left by a removal that did not come to its end.
      if (isOfRunner(entry) && hasFirstLane(lanes))
        await guarded(writer, () => removeTraces(connection, entry, 'all'));
    }),
  );
  return {
    // Those of other lanes may have begun others.
    builds: async () => statesOf(await read(writer)),
    read: async (build, ids) => documentsIn(connection, await entryFor(writer, build), ids),
    readGone: async (build, ids) => goneIn(connection, await entryFor(writer, build), ids),
    write: (batches) => writeAll(writer, batches),
    ...createBuildWrites(writer),
  };
}

function createBuildWrites(writer: Writer): Pick<Writes, 'begin' | 'activate' | 'retire' | 'discard'> {
  const { connection } = writer;
  return {
    begin: async (collection, { bulk }) => {
      checkCollection(collection);
      const build = await guarded(writer, () => begun(writer, collection, !bulk));
      await prepareFor(writer, await entryFor(writer, build));
      return build;
    },

    activate: async (build) => {
      const entry = await entryFor(writer, build);
      await prepareFor(writer, entry);
      if (!entry.isIndexed) await guarded(writer, () => makeIndexes(connection, entry));
      const others = [...(await current(writer)).entries.values()].filter(
        (one) => one.state === 'active' && one.build.collection === build.collection,
      );
      const retired = others.map((one) => [`${pathOf(one.build)}.state`, 'retired'] as const);
      await change(writer, build, {
        ...Object.fromEntries(retired),
        [`${pathOf(build)}.state`]: 'active',
        [`${pathOf(build)}.indexed`]: true,
        [`active.${build.collection}`]: build.number,
      });
    },

    retire: async (build) => {
      const { state } = await entryFor(writer, build);
      const unread = state === 'active' ? { [`active.${build.collection}`]: '' } : {};
      await change(writer, build, { [`${pathOf(build)}.state`]: 'retired' }, unread);
    },

    discard: async (build) => {
      const entry = (await current(writer)).entries.get(buildName(build));
      if (entry === undefined) return true;
      invariant(entry.state !== 'active', `${buildName(build)} is active: queries read it`);
      // Each time, because it tells whether this is still the one that writes.
      await change(writer, build, { [`${pathOf(build)}.state`]: 'retired' });
      if (!(await guarded(writer, () => removeSome(connection, entry)))) return false;
      writer.prepared.delete(buildName(build));
      await change(writer, build, {}, { [pathOf(build)]: '' });
      // The writer of other lanes may have made the collection again until it was gone from the catalogue.
      await guarded(writer, () => removeAll(connection, entry));
      return true;
    },
  };
}

/** Does something that only the newest writer does; what a failure or another writer means is remembered. */
async function guarded<Done>(writer: Writer, work: () => Promise<Done>): Promise<Done> {
  if (writer.isOvertaken) throw overtaken();
  try {
    return await work();
  } catch (error) {
    // Something may have been written: what is compared with next is read again.
    writer.catalog = undefined;
    if (hasCode(error, 'conflict')) writer.isOvertaken = true;
    throw error;
  }
}

function overtaken(): LodeError {
  return new LodeError('conflict', 'Another program writes the read models now.');
}

async function current(writer: Writer): Promise<Catalog> {
  if (writer.isOvertaken) throw overtaken();
  return writer.catalog ?? read(writer);
}

/** The catalogue as it is now, which is remembered. */
async function read(writer: Writer): Promise<Catalog> {
  writer.catalog = await guarded(writer, () => own(writer));
  return writer.catalog;
}

/** The catalogue, while this is one of those that write it. */
async function own({ connection, epoch }: Writer): Promise<Catalog> {
  const catalog = await readCatalog(connection, epoch);
  if (catalog?.shares.has(epoch) !== true) throw overtaken();
  return catalog;
}

/** Begins a build, unless that is no longer this writer's to do; again where others were begun at the same moment. */
async function begun(writer: Writer, collection: Collection, isIndexed: boolean): Promise<Build> {
  const { connection, epoch } = writer;
  const { name, version, indexes } = collection;
  for (let tries = 0; tries < BEGINS_MAX; tries++) {
    const before = await own(writer);
    const build: Build = { collection: name, version, number: before.lastNumber + 1 };
    const $set = { lastNumber: build.number, [pathOf(build)]: entryOf(build, indexes, isIndexed, before) };
    const after = await changed(connection, unchangedSince(before), { $set }, epoch);
    if (after === undefined) continue;
    writer.catalog = after;
    return build;
  }
  throw new LodeError('unavailable', 'Other programs are beginning builds of read models.');
}

/** A build in the catalogue, in which the writer of other lanes may have begun or removed it just now. */
async function entryIn(writer: Writer, build: Build): Promise<Entry | undefined> {
  const name = buildName(build);
  return (await current(writer)).entries.get(name) ?? (await read(writer)).entries.get(name);
}

async function entryFor(writer: Writer, build: Build): Promise<Entry> {
  const entry = await entryIn(writer, build);
  invariant(entry !== undefined, `there is no build ${buildName(build)}`);
  return entry;
}

/** One write of the catalogue. */
async function change(writer: Writer, build: Build, $set: Answer, $unset: Answer = {}): Promise<void> {
  const update = {
    ...(Object.keys($set).length === 0 ? {} : { $set }),
    ...(Object.keys($unset).length === 0 ? {} : { $unset }),
  };
  writer.catalog = await guarded(writer, async () => {
    const { connection, epoch } = writer;
    const filter = { ...whileWriting(epoch), ...whileThere(build) };
    // Where it finds nothing somebody else has these lanes, or the writer of others has removed the build.
    return (await changed(connection, filter, update, epoch)) ?? (await own(writer));
  });
}

async function prepareFor(writer: Writer, entry: Entry): Promise<number> {
  const name = buildName(entry.build);
  if (writer.prepared.has(name)) return 0;
  const { connection } = writer;
  const made = await guarded(writer, async () => {
    await putUpFence(writer, entry);
    return entry.isIndexed ? makeIndexes(connection, entry) : 0;
  });
  writer.prepared.add(name);
  return made;
}

/**
 * Lets into a build's collection what the writers of now put there, and nobody else. One that was held up before it came to do so
 * has put up that of others: it does it again, until nobody has become a writer meanwhile, and is refused where it is none any
 * more. So whoever writes documents has put up its fence before the next one became a writer.
 */
async function putUpFence(writer: Writer, entry: Entry): Promise<void> {
  const { connection, epoch } = writer;
  let shares = (await current(writer)).shares;
  for (let raises = 0; raises < RAISES_MAX; raises++) {
    const epochs = [...shares.keys()];
    if (raises === 0) await makeFenced(connection, entry, epochs);
    else await fence(connection, entry, epochs);
    shares = (await readCatalog(connection))?.shares ?? shares;
    if (epochs.length === shares.size && epochs.every((one) => shares.has(one))) break;
  }
  if (!shares.has(epoch)) throw overtaken();
}

/**
 * True for the runner's own documents, whose build has no checkpoint that moves. None of them is delivered again, so that
 * a removal needs to leave nothing that a late one is told by.
 */
function isOfRunner({ state, checkpoint }: Entry): boolean {
  return state === 'active' && checkpoint.position === logStart;
}

/** What one batch comes to. */
type Work = {
  readonly entry: Entry;
  readonly checkpoint: Checkpoint | undefined;
  readonly statements: readonly Statement[];
  /** Documents of which nothing is to be left. */
  readonly traces: readonly string[];
};

async function writeAll(writer: Writer, batches: readonly Batch[]): Promise<void> {
  const works: Work[] = [];
  for (const batch of batches) {
    const entry = await entryIn(writer, batch.build);
    // The writer of other lanes has removed it.
    if (entry === undefined) continue;
    const { checkpoint } = batch;
    if (checkpoint !== undefined && isPast(entry, checkpoint)) continue;
    const traces = checkpoint === undefined && isOfRunner(entry) ? batch.remove : [];
    works.push({ entry, checkpoint, statements: statementsOf(entry, writer.epoch, batch), traces });
  }
  for (const { entry } of works) await prepareFor(writer, entry);
  await guarded(writer, () => writeInOrder(writer, works));
}

function isPast({ checkpoint: stored }: Entry, { position }: Checkpoint): boolean {
  return comparePositions(position, stored.position) < 0;
}

/**
 * Batches in their order. Those of different builds that have checkpoints and follow each other are written together, with those
 * before them whose checkpoints don't move: all of their documents in this order and after them their checkpoints, in one write
 * where the server can, else those without checkpoints first, and the checkpoints in one write once all of the documents are
 * acknowledged.
 */
async function writeInOrder(writer: Writer, works: readonly Work[]): Promise<void> {
  const progress = { hasBegun: false };
  try {
    for (const group of groupsOf(works)) {
      if (await isWrittenAtOnce(writer, group, progress)) continue;
      const first = group.filter(({ checkpoint }) => checkpoint === undefined);
      const others = group.filter(({ checkpoint }) => checkpoint !== undefined);
      for (const work of first) await putDocuments(writer, work, progress);
      await allOf(others.map((work) => putDocuments(writer, work, progress)));
      await moveCheckpoints(writer, group);
    }
  } catch (error) {
    // Some of it was written, for which the port has one word.
    if (progress.hasBegun && hasCode(error, 'unavailable')) throw unknownOutcome(error);
    throw error;
  }
}

function groupsOf(works: readonly Work[]): readonly (readonly Work[])[] {
  const groups: Work[][] = [];
  for (const work of works) {
    const group = groups.at(-1);
    if (group === undefined || !isWrittenWith(group, work)) groups.push([work]);
    else group.push(work);
  }
  return groups;
}

function isWrittenWith(group: readonly Work[], { checkpoint, entry, traces }: Work): boolean {
  if (group.some((one) => one.entry === entry)) return false;
  if (traces.length > 0 || group.some((one) => one.traces.length > 0)) return false;
  return checkpoint !== undefined || group.every((one) => one.checkpoint === undefined);
}

/** True when all of the group was written at once; what was written of it otherwise can be written again. */
async function isWrittenAtOnce(
  writer: Writer,
  works: readonly Work[],
  progress: { hasBegun: boolean },
): Promise<boolean> {
  const wanted = checkpointsOf(works);
  if (wanted.size === 0) return false;
  const { connection, epoch } = writer;
  const parts = works.map(({ entry, statements }) => ({ documents: entry.documents, statements }));
  const written = await writeAtOnce(connection, parts, advanceOf(epoch, wanted));
  if (written === 'nothing') return false;
  progress.hasBegun = true;
  if (written === 'all') noteCheckpoints(writer, wanted);
  else if (written === 'documents') await moveCheckpoints(writer, works);
  // A document is there from a later position: the others go on beside it, in two writes.
  else if (written.stopped === codes.duplicateKey) return false;
  else throw failureOf(written.stopped, written);
  return true;
}

/** Waits for all of them, so that nothing is under way any more when one has failed. */
async function allOf<Done>(works: readonly Promise<Done>[]): Promise<readonly Done[]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}

async function putDocuments(
  { connection, epoch }: Writer,
  { entry, statements, traces }: Work,
  progress: { hasBegun: boolean },
): Promise<void> {
  for (const updates of commandsOf(statements)) {
    const { writeErrors } = await connection.write({ update: entry.documents, updates, ordered: false });
    progress.hasBegun = true;
    const failed = failuresOf(writeErrors).filter((code) => code !== codes.duplicateKey);
    const first = failed.find((code) => code === codes.documentValidationFailure) ?? failed[0];
    if (first !== undefined) throw failureOf(first, writeErrors);
  }
  // After the fence has let it pass: a removal by itself would not be refused to a writer that was overtaken.
  if (traces.length > 0) await removeTraces(connection, entry, { ids: traces, epoch });
}

/** The error for a statement that failed; one that the fence of a newer writer refused tells of that one. */
function failureOf(code: number, cause: unknown): LodeError {
  return code === codes.documentValidationFailure ? overtaken() : byCode(code, cause);
}

/** The codes of the statements that failed. That of a key that is there says that the document is a later one. */
function failuresOf(writeErrors: unknown): readonly number[] {
  if (!Array.isArray(writeErrors)) return [];
  return writeErrors.map((error: Answer) => Number(error['code']));
}

function checkpointsOf(works: readonly Work[]): ReadonlyMap<Build, Checkpoint> {
  return new Map(
    works.flatMap(({ entry, checkpoint }) => (checkpoint === undefined ? [] : [[entry.build, checkpoint]])),
  );
}

/** Moves the checkpoints of batches whose documents are acknowledged. */
async function moveCheckpoints(writer: Writer, works: readonly Work[]): Promise<void> {
  let wanted = checkpointsOf(works);
  for (let tries = 0; wanted.size > 0; tries++) {
    if (await advance(writer.connection, writer.epoch, wanted)) {
      noteCheckpoints(writer, wanted);
      return;
    }
    const catalog = await own(writer);
    writer.catalog = catalog;
    if (tries === ADVANCE_TRIES_MAX)
      throw new LodeError(
        'storage_failed',
        'The catalogue of the read models was changed by something else.',
      );
    // The writer of other lanes has discarded a build, whose collection these documents have made again.
    const gone = works.filter(({ entry }) => !catalog.entries.has(buildName(entry.build)));
    await allOf(gone.map(({ entry }) => removeAll(writer.connection, entry)));
    // An earlier write that nobody heard of came late: what it said is so.
    const isBehind = ([build, checkpoint]: readonly [Build, Checkpoint]) => {
      const entry = catalog.entries.get(buildName(build));
      return entry !== undefined && !isPast(entry, checkpoint);
    };
    wanted = new Map([...wanted].filter(isBehind));
  }
}

function noteCheckpoints(writer: Writer, moved: ReadonlyMap<Build, Checkpoint>): void {
  if (writer.catalog === undefined) return;
  const entries = new Map(writer.catalog.entries);
  for (const [build, checkpoint] of moved) {
    const entry = entries.get(buildName(build));
    if (entry !== undefined) entries.set(buildName(build), { ...entry, checkpoint });
  }
  writer.catalog = { ...writer.catalog, entries };
}
