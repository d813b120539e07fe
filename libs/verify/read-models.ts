import {
  canonicalJson,
  comparePositions,
  LodeError,
  logStart,
  systemTimers,
  type Position,
  type RecordedEvent,
} from '#kernel';
import {
  createProjectionRunner,
  parkedEvents,
  divergedBuilds,
  type Log,
  type Opening,
  type ParkedEvent,
  type ReadModel,
  type DivergedBuild,
} from '#projections';
import {
  damageIn,
  idIndex,
  type BuildState,
  type Damage,
  type Document,
  type ReadStore,
  type ReadStoreReader,
} from '#read-store';

/** How one read model stands against the fold of the log. */
export type ModelReport = {
  readonly model: string;
  readonly state:
    | 'equal'
    /** A document is not what the log gives, is damaged, or was made from events that it does not have. */
    | 'different'
    /** Events are parked: the documents can't be what the log gives until they are replayed, or the model is built anew. */
    | 'parked'
    /** Queries read documents that another version of Lode made. */
    | 'other version'
    /** There are no documents yet. */
    | 'missing';
  readonly position: Position;
  readonly documents: number;
  /** The first difference, or what was not looked at, in one sentence. */
  readonly what?: string;
};

/** The read models as they stand at one moment, or beside whoever goes on writing them. */
export type ReadModelsSnapshot = Pick<ReadStoreReader, 'get' | 'getMany' | 'list'> & {
  readonly builds: () => Promise<readonly BuildState[]>;
  /** What is seen goes on with whoever writes: documents may be later than the checkpoint that was read before them. */
  readonly goesOn?: true;
};

export type CompareOptions = Opening & {
  readonly log: Log;
  readonly live: ReadModelsSnapshot;
  /** An empty store; what is put there is of no use afterwards. */
  readonly scratch: ReadStore;
  readonly models: readonly ReadModel[];
  /** Told how many events were folded, now and then. */
  readonly progress?: (events: number) => void;
  /** How many documents of a model that were changed while they were compared are looked at. */
  readonly laterMax?: number;
};

/** Documents compared at a time. */
const PAGE = 1_000;
/** Documents that were changed while they were compared, which wait in memory until the log is folded that far. */
const LATER_MAX = 50_000;
/** The longest that a fold may take, in milliseconds: a day. */
const WAIT_MAX_MS = 24 * 60 * 60 * 1_000;

/**
 * Folds the log anew into a scratch store, as far as each live model has got, and compares the documents byte by byte.
 * Throws what the scratch store failed with.
 */
export async function compareReadModels(options: CompareOptions): Promise<readonly ModelReport[]> {
  const { log, live, models } = options;
  const active = (await live.builds()).filter(({ state }) => state === 'active');
  const parked = await parkedByModel(live, active);
  const diverged = await divergedBuilds(log, live, models);
  const reports = new Map<string, ModelReport>();
  const comparable = new Map<Position, ReadModel[]>();
  for (const model of models) {
    const build = active.find((one) => one.build.collection === model.name);
    const unfit = unfitness(
      model,
      build,
      parked.get(model.name) ?? 0,
      diverged.find((one) => one.build.collection === model.name),
    );
    if (unfit !== undefined) reports.set(model.name, unfit);
    else if (build !== undefined) {
      const { position } = build.checkpoint;
      comparable.set(position, [...(comparable.get(position) ?? []), model]);
    }
  }
  for (const [upTo, together] of comparable) {
    await foldUpTo(options, together, upTo);
    for (const model of together) reports.set(model.name, await compareModel(options, model, upTo));
  }
  return models.flatMap(({ name }) => reports.get(name) ?? []);
}

/** Why a model can't be compared; undefined when it can be. */
function unfitness(
  model: ReadModel,
  build: BuildState | undefined,
  parked: number,
  diverged: DivergedBuild | undefined,
): ModelReport | undefined {
  const report = { model: model.name, documents: 0, position: build?.checkpoint.position ?? logStart };
  if (diverged !== undefined) return { ...report, state: 'different', what: describe(diverged) };
  if (build === undefined || build.checkpoint.position === logStart) return { ...report, state: 'missing' };
  if (build.build.version !== model.version) {
    const what = `its documents are of version ${build.build.version}; this program makes version ${model.version}`;
    return { ...report, state: 'other version', what };
  }
  if (parked === 0) return undefined;
  const what = `${parked} events are parked, wait behind one that is, or were discarded`;
  return { ...report, state: 'parked', what };
}

function describe({ why, position, head }: DivergedBuild): string {
  return why === 'beyond the end'
    ? `it has seen position ${position}, but the log ends at ${head}: its last events are missing`
    : `it was made from another log: this one has another event at position ${position}`;
}

async function parkedByModel(
  live: ReadModelsSnapshot,
  active: readonly BuildState[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  if (!active.some(({ build }) => build.collection === parkedEvents.name)) return counts;
  for await (const { model } of documentsOf<ParkedEvent>(live, parkedEvents.name)) {
    counts.set(model, (counts.get(model) ?? 0) + 1);
  }
  return counts;
}

/** Folds models of the log into the scratch store, from where they are there to one position after the other. */
type Fold = {
  /** Positions only rise. Throws what the scratch store failed with. */
  readonly upTo: (position: Position) => Promise<void>;
  readonly stop: () => Promise<void>;
};

function startFold(options: CompareOptions, models: readonly ReadModel[]): Fold {
  const { log, scratch, open, prepare = async () => {}, progress = () => {} } = options;
  const failed = Promise.withResolvers<never>();
  // Nobody hears of it between two positions.
  failed.promise.catch(() => {});
  let end = logStart;
  let folded = 0;
  const read = readingAhead(log, (events) => progress((folded += events)));
  const runner = createProjectionRunner({
    log: {
      head: async () => end,
      header: log.header,
      readAll: (after, limit) => read(after, limit, end),
    },
    store: scratch,
    models,
    open,
    prepare,
    report: (report) => {
      if (report.type === 'failing') failed.reject(new LodeError(report.code, report.message));
    },
    // No more events come to a position by waiting.
    limits: { gatherMs: 0, gatherMostMs: 0 },
  });
  let isStarted = false;
  return {
    upTo: async (position) => {
      end = position;
      if (isStarted) runner.wake();
      else runner.start();
      isStarted = true;
      await Promise.race([runner.waitFor(end, WAIT_MAX_MS), failed.promise]);
    },
    stop: runner.stop,
  };
}

/** Reads a log as far as an end that moves forward: what was read behind it is kept for the next end. */
function readingAhead(log: Pick<Log, 'readAll'>, told: (events: number) => void) {
  let from = logStart;
  let ahead: readonly RecordedEvent[] = [];
  return async (after: Position, limit: number, end: Position): Promise<readonly RecordedEvent[]> => {
    const isAhead = comparePositions(from, after) <= 0;
    ahead = isAhead ? ahead.filter(({ position }) => comparePositions(position, after) > 0) : [];
    from = after;
    const last = ahead.at(-1)?.position ?? after;
    if (ahead.length < limit && comparePositions(last, end) < 0) {
      const page = await log.readAll(last, limit - ahead.length);
      told(page.length);
      ahead = [...ahead, ...page];
    }
    return ahead.slice(0, limit).filter(({ position }) => comparePositions(position, end) <= 0);
  };
}

/** Folds models from the beginning of the log up to a position. */
async function foldUpTo(
  options: CompareOptions,
  models: readonly ReadModel[],
  upTo: Position,
): Promise<void> {
  const fold = startFold(options, models);
  try {
    await fold.upTo(upTo);
  } finally {
    await fold.stop();
  }
}

/** What is wrong with a document as it was read, beside the log as far as the checkpoint. */
type Difference = { readonly id: string; readonly is: Document | undefined; readonly what: string };

/** Compares one model. One that is damaged says nothing about the others. */
async function compareModel(
  options: CompareOptions,
  model: ReadModel,
  position: Position,
): Promise<ModelReport> {
  try {
    return await compareDocuments(options, model, position);
  } catch (error) {
    const damage = damageIn(error);
    if (damage === undefined) throw error;
    const what = describeDamage(damage);
    return { model: model.name, state: 'different', position, documents: 0, what };
  }
}

function describeDamage({ ids }: Damage): string {
  const [first] = ids;
  if (first === undefined) return 'an index leads to the wrong documents';
  const more = ids.length === 1 ? '' : ` (and ${ids.length - 1} more)`;
  return `document ${first} is damaged${more}: it is not what was written`;
}

async function compareDocuments(
  options: CompareOptions,
  model: ReadModel,
  position: Position,
): Promise<ModelReport> {
  const held = await failureIn(options.scratch, model.name);
  if (held !== undefined)
    return {
      model: model.name,
      state: 'parked',
      position,
      documents: 0,
      what: `folded again it parks an event: ${held}`,
    };
  let documents = 0;
  let left = 0;
  const later: Difference[] = [];
  const report = { model: model.name, position };
  const { laterMax = LATER_MAX } = options;
  for await (const difference of differences(options, model.name)) {
    documents += 1;
    if (difference === undefined) continue;
    if (!mayBeLater(options.live, difference, position))
      return { ...report, documents, state: 'different', what: difference.what };
    if (later.length < laterMax) later.push(difference);
    else left += 1;
  }
  const wrong = await firstWrong(options, model, { later, since: position });
  if (wrong !== undefined) return { ...report, documents, state: 'different', what: wrong.what };
  const what = `${left} documents that were changed meanwhile were not looked at`;
  return { ...report, documents, state: 'equal', ...(left === 0 ? {} : { what }) };
}

/** Each document in the order of the ids: undefined for one that is what the log gives. */
async function* differences(
  { live, scratch }: CompareOptions,
  name: string,
): AsyncGenerator<Difference | undefined> {
  const [found, expected] = [documentsOf(live, name), documentsOf(scratch, name)];
  let [one, other] = [await found.next(), await expected.next()];
  for (;;) {
    const [is, should] = [one.value, other.value];
    if (is === undefined && should === undefined) return;
    const hasIs = should === undefined || (is !== undefined && is.id <= should.id);
    const hasShould = is === undefined || (should !== undefined && should.id <= is.id);
    yield differenceOf(hasIs ? is : undefined, hasShould ? should : undefined);
    if (hasIs) one = await found.next();
    if (hasShould) other = await expected.next();
  }
}

function differenceOf(is: Document | undefined, should: Document | undefined): Difference | undefined {
  const id = is?.id ?? should?.id ?? '';
  if (is === undefined)
    return should === undefined ? undefined : { id, is, what: `document ${id} is missing` };
  if (should === undefined)
    return { id, is, what: `document ${id} is not what the log gives: there should be none` };
  if (canonicalJson(is) === canonicalJson(should)) return undefined;
  const members = differing(is, should).join(', ');
  return { id, is, what: `document ${id} is not what the log gives in: ${members}` };
}

/** Whether a document may have been changed since the checkpoint was read. One that is gone tells no position. */
function mayBeLater({ goesOn }: ReadModelsSnapshot, { is }: Difference, since: Position): boolean {
  return goesOn === true && (is === undefined || comparePositions(is.position, since) > 0);
}

/**
 * The first of some documents that were changed or removed since a position that is not what the log gives at its own
 * position: the log is folded on once, from one of them to the next, and for those that are gone to its end.
 */
async function firstWrong(
  options: CompareOptions,
  model: ReadModel,
  { later, since }: { readonly later: readonly Difference[]; readonly since: Position },
): Promise<Difference | undefined> {
  if (later.length === 0) return undefined;
  const { live, scratch, log } = options;
  const head = await log.head();
  const there = later.flatMap((one) => (one.is === undefined ? [] : [{ ...one, is: one.is }]));
  const fold = startFold(options, [model]);
  try {
    for (const one of there.toSorted((a, b) => comparePositions(a.is.position, b.is.position))) {
      // Nothing has happened there that could have made it.
      if (comparePositions(one.is.position, head) > 0) return one;
      await fold.upTo(one.is.position);
      const difference = differenceOf(one.is, await scratch.get(model.name, one.id));
      if (difference !== undefined) return difference;
    }
    const gone = later.filter(({ is }) => is === undefined);
    if (gone.length > 0) await fold.upTo(head);
    for (const one of gone) {
      const should = await scratch.get(model.name, one.id);
      // One that was made anew since then may not be in the live ones yet.
      const isOld = should !== undefined && comparePositions(should.position, since) <= 0;
      if (isOld && (await live.get(model.name, one.id)) === undefined) return one;
    }
    return undefined;
  } finally {
    await fold.stop();
  }
}

/** Why an event can't be folded again; undefined when all can be. */
async function failureIn(scratch: ReadStore, model: string): Promise<string | undefined> {
  for await (const parked of documentsOf<ParkedEvent>(scratch, parkedEvents.name))
    if (parked.model === model && parked.state === 'parked') return parked.error;
  return undefined;
}

/** The names of the members that differ; their values may be personal. */
function differing(a: Document, b: Document): readonly string[] {
  const text = (document: Document, name: string) => {
    const value = document[name];
    return value === undefined ? undefined : canonicalJson(value);
  };
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    (name) => text(a, name) !== text(b, name),
  );
}

/** Every document of a collection in the order of their ids. */
async function* documentsOf<Doc extends Document>(
  store: Pick<ReadStoreReader, 'list'>,
  collection: string,
): AsyncGenerator<Doc, undefined> {
  for (let after: readonly string[] | undefined; ;) {
    const page: readonly Doc[] = await store.list<Doc>(collection, {
      index: idIndex,
      equals: {},
      direction: 'ascending',
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    });
    yield* page;
    // Engines that answer at once must not keep a signal waiting.
    await systemTimers.yieldNow();
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return undefined;
    after = [last.id];
  }
}
