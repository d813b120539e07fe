import { canonicalJson, invariant, LodeError, parsePosition, sortablePosition, type Position } from '#kernel';
import type { Answer, MongoConnection, Update } from '#mongodb';
import { buildName } from '../declarations.js';
import { checkpointStart, type Build, type BuildState, type Checkpoint, type Index } from '../port.js';

/**
 * One document says which builds there are, where each stands, which is read, and who writes: whatever changes it is one
 * write, which compares the writer's epoch.
 */
export const CATALOG = 'read-models';
const ID = 'catalog';
/** The layout of the catalogue and of the documents. */
const FORMAT = 1;
/** How often a writer tries to become the one, while others do. */
const CLAIMS_MAX = 10;

/** A build as the catalogue has it. */
export type Entry = BuildState & {
  /** The collection that its documents are in. */
  readonly documents: string;
};

/** The catalogue as it was read. */
export type Catalog = {
  readonly epoch: number;
  readonly lastNumber: number;
  /** By the names of the builds. */
  readonly entries: ReadonlyMap<string, Entry>;
};

export function documentsOfBuild(build: Build): string {
  return `${CATALOG}.${buildName(build)}`;
}

/** The path of a build in the catalogue: its number is no other build's. */
export function pathOf({ number }: Build): string {
  return `builds.n${number}`;
}

/** What a build that begins is in the catalogue. */
export function entryOf(build: Build, indexes: readonly Index[], indexed: boolean): Answer {
  return {
    ...build,
    indexes: canonicalJson(indexes),
    indexed,
    state: 'building',
    ...placeOf(checkpointStart),
  };
}

/** A checkpoint as the catalogue has it: `place` sorts as positions do. */
export function placeOf({ position, ordinal }: Checkpoint) {
  return { position, place: sortablePosition(position), ordinal };
}

/** Every build there is. */
export async function readCatalog(connection: MongoConnection): Promise<Catalog | undefined> {
  const [found] = await connection.find(CATALOG, { _id: ID }, { limit: 1 });
  return found && catalogOf(found);
}

/** The builds of a catalogue, by collection and number; none where there is no catalogue. */
export function statesOf(catalog: Catalog | undefined): readonly BuildState[] {
  return [...(catalog?.entries.values() ?? [])].map(({ build, indexes, state, isIndexed, checkpoint }) => ({
    build,
    indexes,
    state,
    isIndexed,
    checkpoint,
  }));
}

/** The number of the build that queries read of a collection. */
export async function readActive(
  connection: MongoConnection,
  collection: string,
): Promise<number | undefined> {
  const projection = { [`active.${collection}`]: 1 };
  const [found] = await connection.find(CATALOG, { _id: ID }, { limit: 1, projection });
  const number = membersOf(found?.['active'])[collection];
  return typeof number === 'number' ? number : undefined;
}

/** Becomes the one that writes: whoever did before has an older epoch from now on. */
export async function claim(connection: MongoConnection): Promise<Catalog> {
  for (let tries = 0; tries < CLAIMS_MAX; tries++) {
    const before = await readCatalog(connection);
    if (before === undefined) {
      const first = { _id: ID, format: FORMAT, epoch: 0, lastNumber: 0, active: {}, builds: {} };
      // Another may have made it just now.
      await connection.write({ insert: CATALOG, documents: [first] });
      continue;
    }
    const { epoch } = before;
    const claimed = await changed(connection, { epoch }, { $set: { epoch: epoch + 1 } });
    if (claimed !== undefined) return claimed;
  }
  throw new LodeError('unavailable', 'Other programs are opening the read models to write them.');
}

/** Changes the catalogue when it is as the filter says, and gives it as it is then; undefined when it is not. */
export async function changed(
  connection: MongoConnection,
  filter: Answer,
  update: Answer,
): Promise<Catalog | undefined> {
  const query = { _id: ID, ...filter };
  const answer = await connection.write({ findAndModify: CATALOG, query, update, new: true });
  const { value } = answer;
  return typeof value === 'object' && value !== null ? catalogOf(membersOf(value)) : undefined;
}

/** Moves checkpoints, all of them or none; false when another writes now, or one of them is there or beyond already. */
export async function advance(
  connection: MongoConnection,
  epoch: number,
  checkpoints: ReadonlyMap<Build, Checkpoint>,
): Promise<boolean> {
  const { n } = await connection.write({ update: CATALOG, updates: [advanceOf(epoch, checkpoints)] });
  return n === 1;
}

/** The update of the catalogue that moves checkpoints when none of them is there or beyond already; it finds nothing otherwise. */
export function advanceOf(epoch: number, checkpoints: ReadonlyMap<Build, Checkpoint>): Update {
  const q: Record<string, unknown> = { _id: ID, epoch };
  const $set: Record<string, unknown> = {};
  for (const [build, checkpoint] of checkpoints) {
    const place = placeOf(checkpoint);
    q[`${pathOf(build)}.place`] = { $lte: place.place };
    for (const [member, value] of Object.entries(place)) $set[`${pathOf(build)}.${member}`] = value;
  }
  return { q, u: { $set } };
}

function catalogOf(found: Answer): Catalog {
  const { format, epoch, lastNumber, builds } = found;
  if (format !== FORMAT)
    throw new LodeError(
      'storage_failed',
      `The read models in MongoDB are of another format: drop the collections whose names begin with ${CATALOG}.`,
    );
  const entries = Object.values(membersOf(builds)).map(membersOf).map(entryFrom);
  const order = ({ build: a }: Entry, { build: b }: Entry) =>
    a.collection === b.collection ? a.number - b.number : a.collection < b.collection ? -1 : 1;
  return {
    epoch: Number(epoch),
    lastNumber: Number(lastNumber),
    entries: new Map(entries.toSorted(order).map((entry) => [buildName(entry.build), entry])),
  };
}

function entryFrom(stored: Answer): Entry {
  const { collection, version, number, indexes, indexed, state, ordinal } = stored;
  const build: Build = { collection: String(collection), version: Number(version), number: Number(number) };
  return {
    build,
    documents: documentsOfBuild(build),
    indexes: JSON.parse(String(indexes)) as readonly Index[],
    isIndexed: indexed === true,
    state: stateOf(state),
    checkpoint: { position: positionIn(stored), ordinal: Number(ordinal) },
  };
}

function stateOf(state: unknown): BuildState['state'] {
  invariant(
    state === 'building' || state === 'active' || state === 'retired',
    `there is no state ${String(state)}`,
  );
  return state;
}

function positionIn({ position }: Answer): Position {
  const parsed = parsePosition(String(position));
  invariant(parsed !== undefined, `${String(position)} is no position`);
  return parsed;
}

function membersOf(value: unknown): Answer {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
