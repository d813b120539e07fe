import { allLanes, comparePositions, LodeError, type Position } from '#kernel';
import { buildName, type Build, type BuildState, type ReadStore } from '#read-store';
import { anchors, discardBuild, idsOf, openBookkeeping, type Anchor } from './bookkeeping.js';
import type { ReadModel } from './read-model.js';
import type { Log } from './runner-context.js';

/** A build that was made from events which the log does not have: it is neither served nor gone on with. */
export type DivergedBuild = {
  readonly build: Build;
  readonly state: BuildState['state'];
  /** An event that the build was made from and that the log does not have. */
  readonly position: Position;
  /** Where the log ends. */
  readonly head: Position;
  /**
   * `beyond the end` when the log does not go that far, `another history` when it has another event there, `another log`
   * when the build's log had another id.
   */
  readonly why: 'beyond the end' | 'another history' | 'another log';
};

/** Those of the models' builds that have diverged, in the store's order. One read of the log for each place where builds stand. */
export async function divergedBuilds(
  log: Log,
  store: Pick<ReadStore, 'builds' | 'getMany'>,
  models: readonly ReadModel[],
): Promise<readonly DivergedBuild[]> {
  const states = await store.builds();
  // Asked for after the builds: a log that is being written only grows, so that no sound build is ever ahead of it.
  const head = await log.head();
  const header = await log.header();
  const hasAnchors = states.some(
    ({ build, state }) => build.collection === anchors.name && state === 'active',
  );
  const chains = new Map<Position, string | undefined>();
  const isInLog = async ({ position, after, chain }: Anchor): Promise<boolean> => {
    if (!chains.has(position)) {
      const [event] = await log.readAll(after, 1);
      chains.set(position, event?.position === position ? event.meta.chain : undefined);
    }
    return chains.get(position) === chain;
  };
  const diverged: DivergedBuild[] = [];
  for (const { build, state, checkpoint, lanes = [checkpoint] } of states) {
    if (state === 'retired' || !models.some(({ name }) => name === build.collection)) continue;
    const ids = [...new Set([buildName(build), ...idsOf(buildName(build), lanes.length)])];
    const kept = hasAnchors ? await store.getMany<Anchor>(anchors.name, ids) : [];
    const position = lanes.map((lane) => lane.position).reduce(later);
    const at = { build, state, position, head };
    // What was made from a log without an id may be of this one.
    if (header !== undefined && kept.some(({ logId = header.logId }) => logId !== header.logId))
      diverged.push({ ...at, why: 'another log' });
    else if (comparePositions(position, head) > 0) diverged.push({ ...at, why: 'beyond the end' });
    else
      for (const anchor of kept.toSorted((a, b) => comparePositions(a.position, b.position)))
        if (!(await isInLog(anchor))) {
          diverged.push({ ...at, position: anchor.position, why: 'another history' });
          break;
        }
  }
  return diverged;
}

function later(a: Position, b: Position): Position {
  return comparePositions(a, b) < 0 ? b : a;
}

/** What is wrong with builds that have diverged, in one sentence for whoever runs the program; undefined when none has. */
export function describeDiverged(diverged: readonly DivergedBuild[]): string | undefined {
  const beyond = diverged.filter(({ why }) => why === 'beyond the end');
  const worst = furthest(beyond.length > 0 ? beyond : diverged);
  if (worst === undefined) return undefined;
  const { build, position, head, why } = worst;
  const one = new Set(diverged.map((other) => other.build.collection)).size === 1;
  const [models, have, were] = one
    ? [`The read model ${build.collection}`, 'has', 'was']
    : ['The read models', 'have', 'were'];
  if (why === 'beyond the end')
    return `${models} ${have} seen position ${shown(position)}, but the log ends at ${shown(head)}: the end of the log is lost.`;
  const how = why === 'another log' ? 'has another id' : `has another event at position ${shown(position)}`;
  return `${models} ${were} made from another log: this one ${how}.`;
}

/** Throws `storage_failed` when a build has diverged: nobody may be answered from it. */
export async function refuseDiverged(
  log: Log,
  store: ReadStore,
  models: readonly ReadModel[],
): Promise<void> {
  const what = describeDiverged(await divergedBuilds(log, store, models));
  if (what !== undefined) throw new LodeError('storage_failed', what);
}

/** Takes builds that have diverged from queries and from the runner, which makes new ones. To be done before it starts. */
export async function dropDiverged(store: ReadStore, diverged: readonly DivergedBuild[]): Promise<void> {
  const states = await store.builds();
  const lanes = allLanes(states[0]?.lanes?.length ?? 1);
  const books = await openBookkeeping(store, states, { lanes });
  for (const { build, state } of diverged) {
    // What a runner finds retired, it removes.
    if (state === 'active') await store.retire(build);
    else while (!(await discardBuild(store, books, build)));
  }
}

function furthest(diverged: readonly DivergedBuild[]): DivergedBuild | undefined {
  return diverged.reduce<DivergedBuild | undefined>(
    (a, b) => (a === undefined || comparePositions(a.position, b.position) < 0 ? b : a),
    undefined,
  );
}

/** A position in groups of three digits. */
function shown(position: Position): string {
  return position.replace(/\B(?=(?:\d{3})+$)/g, ',');
}
