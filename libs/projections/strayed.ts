import { comparePositions, LodeError, type Position } from '#kernel';
import { buildName, type Build, type BuildState, type ReadStore } from '#read-store';
import { anchors, discardBuild, openBookkeeping, type Anchor } from './bookkeeping.js';
import type { ReadModel } from './read-model.js';
import type { Log } from './works.js';

/** A build that was made from events which the log does not have: it is neither served nor gone on with. */
export type Strayed = {
  readonly build: Build;
  readonly state: BuildState['state'];
  /** An event that the build was made from and that the log does not have. */
  readonly position: Position;
  /** Where the log ends. */
  readonly head: Position;
  /** `beyond the end` when the log does not go that far, `another history` when it has another event there. */
  readonly why: 'beyond the end' | 'another history';
};

/** Those of the models' builds that have strayed, in the store's order. One read of the log for each place where builds stand. */
export async function strayedBuilds(
  log: Log,
  store: Pick<ReadStore, 'builds' | 'get'>,
  models: readonly ReadModel[],
): Promise<readonly Strayed[]> {
  const states = await store.builds();
  // Asked for after the builds: a log that is being written only grows, so that no sound build is ever ahead of it.
  const head = await log.head();
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
  const strayed: Strayed[] = [];
  for (const { build, state, checkpoint } of states) {
    if (state === 'retired' || !models.some(({ name }) => name === build.collection)) continue;
    if (comparePositions(checkpoint.position, head) > 0) {
      strayed.push({ build, state, position: checkpoint.position, head, why: 'beyond the end' });
      continue;
    }
    const anchor = hasAnchors ? await store.get<Anchor>(anchors.name, buildName(build)) : undefined;
    if (anchor !== undefined && !(await isInLog(anchor)))
      strayed.push({ build, state, position: anchor.position, head, why: 'another history' });
  }
  return strayed;
}

/** What is wrong with builds that have strayed, in one sentence for whoever runs the program; undefined when none has. */
export function describeStrayed(strayed: readonly Strayed[]): string | undefined {
  const beyond = strayed.filter(({ why }) => why === 'beyond the end');
  const worst = furthest(beyond.length > 0 ? beyond : strayed);
  if (worst === undefined) return undefined;
  const { build, position, head, why } = worst;
  const one = new Set(strayed.map((other) => other.build.collection)).size === 1;
  const [models, have, were] = one
    ? [`The read model ${build.collection}`, 'has', 'was']
    : ['The read models', 'have', 'were'];
  return why === 'beyond the end'
    ? `${models} ${have} seen position ${shown(position)}, but the log ends at ${shown(head)}: the end of the log is lost.`
    : `${models} ${were} made from another log: this one has another event at position ${shown(position)}.`;
}

/** Throws `storage_failed` when a build has strayed: nobody may be answered from it. */
export async function refuseStrayed(log: Log, store: ReadStore, models: readonly ReadModel[]): Promise<void> {
  const what = describeStrayed(await strayedBuilds(log, store, models));
  if (what !== undefined) throw new LodeError('storage_failed', what);
}

/** Takes builds that have strayed from queries and from the runner, which makes new ones. To be done before it starts. */
export async function dropStrayed(store: ReadStore, strayed: readonly Strayed[]): Promise<void> {
  const books = await openBookkeeping(store, await store.builds());
  for (const { build, state } of strayed) {
    // What a runner finds retired, it removes.
    if (state === 'active') await store.retire(build);
    else while (!(await discardBuild(store, books, build)));
  }
}

function furthest(strayed: readonly Strayed[]): Strayed | undefined {
  return strayed.reduce<Strayed | undefined>(
    (a, b) => (a === undefined || comparePositions(a.position, b.position) < 0 ? b : a),
    undefined,
  );
}

/** A position in groups of three digits. */
function shown(position: Position): string {
  return position.replace(/\B(?=(?:\d{3})+$)/g, ',');
}
