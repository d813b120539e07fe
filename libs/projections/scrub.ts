import { damageIn, idIndex, type Damage, type ListQuery, type ReadStore } from '#read-store';
import type { BuildSet } from './build-set.js';
import type { ModelBuild } from './model-build.js';
import type { ScrubLimits } from './limits.js';

/** A look at every document that queries read, so that damage is found which nobody asks for. */
export type Scrub = {
  /** Looks at some more of them when it is time to; gives what was found damaged. */
  readonly step: (builds: BuildSet['builds'], now: number) => Promise<Damage | undefined>;
};

/** A pass under way: builds that are still to be looked at, and how far it is in the first of them. */
type Pass = { readonly left: ModelBuild[]; after: readonly string[] | undefined };

/** Passes, the first of which begins `firstAfterMs` from now on. */
export function createScrub(store: ReadStore, limits: ScrubLimits, now: number): Scrub {
  let pass: Pass | undefined;
  let passAt = now + limits.firstAfterMs;
  let stepAt = passAt;
  return {
    step: async (builds, at) => {
      if (at < stepAt) return undefined;
      stepAt = at + limits.pauseMs;
      if (pass === undefined) {
        if (at < passAt) return undefined;
        passAt = at + limits.everyMs;
        pass = { left: builds.filter(({ isActive }) => isActive), after: undefined };
      }
      const [build] = pass.left;
      if (build !== undefined) return look(store, pass, build, { limit: limits.documents, at, builds });
      pass = undefined;
      return undefined;
    },
  };
}

/** Looks at a page of a build's documents. */
async function look(
  store: ReadStore,
  pass: Pass,
  build: ModelBuild,
  { limit, at, builds }: { readonly limit: number; readonly at: number; readonly builds: BuildSet['builds'] },
): Promise<Damage | undefined> {
  const { after } = pass;
  const all = { index: idIndex, equals: {}, direction: 'ascending', limit } as const;
  const query: ListQuery = after === undefined ? all : { ...all, after };
  const collection = build.fold.model.name;
  // One that was replaced meanwhile was made from the log just now.
  const isThere = builds.includes(build);
  // The places come from the index alone, so that a pass goes on behind what is damaged.
  const keys = isThere ? await store.keys(collection, query) : [];
  const damage = isThere ? await damageOn(store, collection, query) : undefined;
  pass.after = keys.at(-1);
  if (keys.length < limit) {
    pass.left.shift();
    pass.after = undefined;
    build.checkedAt = at;
  }
  return damage;
}

async function damageOn(store: ReadStore, collection: string, query: ListQuery): Promise<Damage | undefined> {
  try {
    await store.list(collection, query);
    return undefined;
  } catch (error) {
    const damage = damageIn(error);
    if (damage === undefined) throw error;
    return damage;
  }
}
