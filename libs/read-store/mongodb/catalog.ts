import {
  allLanes,
  canonicalJson,
  invariant,
  LodeError,
  parsePosition,
  sortablePosition,
  type Lanes,
  type Position,
} from '#kernel';
import type { Answer, MongoConnection, Update } from '#mongodb';
import { leastOf } from '../checkpoints.js';
import { buildName } from '../declarations.js';
import { checkpointStart, type Build, type BuildState, type Checkpoint, type Index } from '../port.js';

/**
 * One document says which builds there are, where each stands, which is read, and who writes: whatever changes it is one
 * write, which compares the writer's epoch.
 */
export const CATALOG = 'read-models';
const ID = 'catalog';
/** The layout of the catalogue and of the documents. */
const FORMAT = 2;
/** That of before there were lanes: one writer, and one checkpoint a build. */
const FORMAT_WITHOUT_LANES = 1;
/** How often a writer tries to become the one, while others do. */
const CLAIMS_MAX = 10;

/** A build as the catalogue has it. */
export type Entry = BuildState & {
  /** The collection that its documents are in. */
  readonly documents: string;
  /** Where each share of the lanes stands, by its epoch; one that is not here is at the log's start. */
  readonly at: ReadonlyMap<number, Checkpoint>;
};

/** The catalogue as it was read. */
export type Catalog = {
  /** The newest epoch. */
  readonly epoch: number;
  readonly lastNumber: number;
  /** The lanes that each epoch's writer has. Every lane is in at most one of them, and no other epoch may write. */
  readonly shares: ReadonlyMap<number, readonly number[]>;
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

/** What a build that begins is in the catalogue: each share of the lanes at the start of the log. */
export function entryOf(
  build: Build,
  indexes: readonly Index[],
  indexed: boolean,
  { shares }: Pick<Catalog, 'shares'>,
): Answer {
  const start = placeOf(checkpointStart);
  return {
    ...build,
    indexes: canonicalJson(indexes),
    indexed,
    state: 'building',
    at: Object.fromEntries([...shares.keys()].map((epoch) => [shareKey(epoch), start])),
  };
}

/** A checkpoint as the catalogue has it: `place` sorts as positions do. */
function placeOf({ position, ordinal }: Checkpoint) {
  return { position, place: sortablePosition(position), ordinal };
}

function shareKey(epoch: number): string {
  return `s${epoch}`;
}

/** What is only changed while a writer has its lanes. */
export function whileWriting(epoch: number): Answer {
  return { [`shares.${shareKey(epoch)}.epoch`]: epoch };
}

/** Every build there is; where each stands is that of the lane furthest behind, or of a writer's own. */
export async function readCatalog(connection: MongoConnection, epoch?: number): Promise<Catalog | undefined> {
  const [found] = await connection.find(CATALOG, { _id: ID }, { limit: 1 });
  return found && catalogOf(found, epoch);
}

/** The builds of a catalogue, by collection and number; none where there is no catalogue. */
export function statesOf(catalog: Catalog | undefined): readonly BuildState[] {
  return [...(catalog?.entries.values() ?? [])].map(
    ({ build, indexes, state, isIndexed, checkpoint, lanes }) => ({
      build,
      indexes,
      state,
      isIndexed,
      checkpoint,
      ...(lanes === undefined ? {} : { lanes }),
    }),
  );
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

/**
 * Becomes the one that writes these lanes: whoever wrote any of them before does not from now on, and has to ask for what is left
 * of its lanes again. Begins where the one furthest behind of those before stood: whatever is further there already is met by
 * its position.
 */
export async function claim(
  connection: MongoConnection,
  lanes: Lanes,
): Promise<{ catalog: Catalog; epoch: number }> {
  for (let tries = 0; tries < CLAIMS_MAX; tries++) {
    const [found] = await connection.find(CATALOG, { _id: ID }, { limit: 1 });
    if (found === undefined) {
      const first = {
        _id: ID,
        format: FORMAT,
        lanes: lanes.of,
        epoch: 0,
        lastNumber: 0,
        active: {},
        builds: {},
        shares: {},
      };
      // Another may have made it just now.
      await connection.write({ insert: CATALOG, documents: [first] });
      continue;
    }
    if (found['format'] === FORMAT_WITHOUT_LANES) {
      await addLanes(connection, found, lanes.of);
      continue;
    }
    const before = catalogOf(found);
    invariant(
      found['lanes'] === lanes.of,
      `the read models have ${String(found['lanes'])} lanes, not ${lanes.of}`,
    );
    const { update, epoch } = claiming(before, lanes.own);
    const claimed = await changed(
      connection,
      { ...unchangedSince(before), ...allThere(before) },
      update,
      epoch,
    );
    if (claimed !== undefined) return { catalog: claimed, epoch };
  }
  throw new LodeError('unavailable', 'Other programs are opening the read models to write them.');
}

/** Finds the catalogue while nobody has become a writer or begun a build since it was read. */
export function unchangedSince({ epoch, lastNumber }: Pick<Catalog, 'epoch' | 'lastNumber'>): Answer {
  return { epoch, lastNumber };
}

/** Finds the catalogue while it has a build: what is set in one that was removed would make it again. */
export function whileThere(build: Build): Answer {
  return { [`${pathOf(build)}.number`]: build.number };
}

function allThere({ entries }: Pick<Catalog, 'entries'>): Answer {
  return Object.assign({}, ...[...entries.values()].map(({ build }) => whileThere(build))) as Answer;
}

/** What makes the shares of a catalogue those with a new one of these lanes: what it takes from others stays with epochs that nobody has. */
function claiming(
  { epoch: newest, shares, entries }: Catalog,
  own: readonly number[],
): { readonly update: Answer; readonly epoch: number } {
  const epoch = newest + 1;
  let last = epoch;
  const taken = [...shares].filter(([, lanes]) => lanes.some((lane) => own.includes(lane)));
  const left = taken.flatMap(([from, lanes]) => {
    const rest = lanes.filter((lane) => !own.includes(lane));
    return rest.length === 0 ? [] : [{ from, epoch: (last += 1), lanes: rest }];
  });
  const covered = new Set([...shares.values()].flat());
  const isNew = own.some((lane) => !covered.has(lane));
  const $set: Record<string, unknown> = { [`shares.${shareKey(epoch)}`]: { epoch, lanes: own } };
  const $unset: Record<string, unknown> = {};
  for (const { epoch: rest, lanes } of left) $set[`shares.${shareKey(rest)}`] = { epoch: rest, lanes };
  for (const [former] of taken) $unset[`shares.${shareKey(former)}`] = '';
  for (const { build, at } of entries.values()) {
    const path = `${pathOf(build)}.at`;
    const places = taken.map(([former]) => at.get(former) ?? checkpointStart);
    const least = leastOf(isNew ? [...places, checkpointStart] : places);
    $set[`${path}.${shareKey(epoch)}`] = placeOf(least);
    for (const { from, epoch: rest } of left)
      $set[`${path}.${shareKey(rest)}`] = placeOf(at.get(from) ?? checkpointStart);
    for (const [former] of taken) $unset[`${path}.${shareKey(former)}`] = '';
  }
  const update = { $set: { ...$set, epoch: last }, ...(taken.length === 0 ? {} : { $unset }) };
  return { update, epoch };
}

/** Gives a catalogue from before there were lanes one share of all of them, which nobody writes. */
async function addLanes(connection: MongoConnection, found: Answer, of: number): Promise<void> {
  const before = Number(found['epoch']);
  const epoch = before + 1;
  const builds = Object.entries(membersOf(found['builds'])).map(([key, stored]) => {
    const { position, place, ordinal, ...build } = membersOf(stored);
    return [key, { ...build, at: { [shareKey(epoch)]: { position, place, ordinal } } }] as const;
  });
  const shares = { [shareKey(epoch)]: { epoch, lanes: allLanes(of).own } };
  const u = { ...found, format: FORMAT, lanes: of, epoch, builds: Object.fromEntries(builds), shares };
  const q = { _id: ID, format: FORMAT_WITHOUT_LANES, epoch: before, lastNumber: found['lastNumber'] };
  await connection.write({ update: CATALOG, updates: [{ q, u }] });
}

/** Changes the catalogue when it is as the filter says, and gives it as it is then; undefined when it is not. */
export async function changed(
  connection: MongoConnection,
  filter: Answer,
  update: Answer,
  epoch: number,
): Promise<Catalog | undefined> {
  const query = { _id: ID, ...filter };
  const answer = await connection.write({ findAndModify: CATALOG, query, update, new: true });
  const { value } = answer;
  return typeof value === 'object' && value !== null ? catalogOf(membersOf(value), epoch) : undefined;
}

/** Moves a writer's checkpoints, all of them or none; false when another writes now, or one of them is there or beyond already. */
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
  const q: Record<string, unknown> = { _id: ID, ...whileWriting(epoch) };
  const $set: Record<string, unknown> = {};
  for (const [build, checkpoint] of checkpoints) {
    const path = `${pathOf(build)}.at.${shareKey(epoch)}`;
    const place = placeOf(checkpoint);
    q[`${path}.place`] = { $lte: place.place };
    for (const [member, value] of Object.entries(place)) $set[`${path}.${member}`] = value;
  }
  return { q, u: { $set } };
}

function catalogOf(found: Answer, epoch?: number): Catalog {
  const { format, lastNumber, builds } = found;
  if (format !== FORMAT && format !== FORMAT_WITHOUT_LANES)
    throw new LodeError(
      'storage_failed',
      `The read models in MongoDB are of another format: drop the collections whose names begin with ${CATALOG}.`,
    );
  const shares = sharesIn(found);
  const entries = Object.values(membersOf(builds))
    .map(membersOf)
    .map((stored) => entryFrom(stored, shares, { count: Number(found['lanes'] ?? 1), epoch }));
  const order = ({ build: a }: Entry, { build: b }: Entry) =>
    a.collection === b.collection ? a.number - b.number : a.collection < b.collection ? -1 : 1;
  return {
    epoch: Number(found['epoch']),
    lastNumber: Number(lastNumber),
    shares,
    entries: new Map(entries.toSorted(order).map((entry) => [buildName(entry.build), entry])),
  };
}

/** One share of everything where there were no lanes yet. */
const WITHOUT_LANES: Catalog['shares'] = new Map([[0, [0]]]);

function sharesIn({ format, shares }: Answer): Catalog['shares'] {
  if (format === FORMAT_WITHOUT_LANES) return WITHOUT_LANES;
  return new Map(
    Object.values(membersOf(shares))
      .map(membersOf)
      .map(({ epoch, lanes }) => [Number(epoch), Array.isArray(lanes) ? lanes.map(Number) : []]),
  );
}

type Seen = { readonly count: number; readonly epoch: number | undefined };

function entryFrom(stored: Answer, shares: Catalog['shares'], { count, epoch }: Seen): Entry {
  const { collection, version, number, indexes, indexed, state } = stored;
  const build: Build = { collection: String(collection), version: Number(version), number: Number(number) };
  const at = placesIn(stored);
  const byLane = new Map(
    [...shares].flatMap(([share, own]) => own.map((lane) => [lane, at.get(share)] as const)),
  );
  const lanes = allLanes(count).own.map((lane) => byLane.get(lane) ?? checkpointStart);
  return {
    build,
    documents: documentsOfBuild(build),
    indexes: JSON.parse(String(indexes)) as readonly Index[],
    isIndexed: indexed === true,
    state: stateOf(state),
    checkpoint: epoch === undefined ? leastOf(lanes) : (at.get(epoch) ?? checkpointStart),
    ...(count > 1 ? { lanes } : {}),
    at,
  };
}

function placesIn(stored: Answer): Entry['at'] {
  if (stored['at'] === undefined) return new Map([[0, checkpointIn(stored)]]);
  return new Map(
    Object.entries(membersOf(stored['at'])).map(([share, place]) => [
      Number(share.slice(1)),
      checkpointIn(membersOf(place)),
    ]),
  );
}

function checkpointIn(place: Answer): Checkpoint {
  return { position: positionIn(place), ordinal: Number(place['ordinal']) };
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
