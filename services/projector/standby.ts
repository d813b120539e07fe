import type { Bell } from '#bell';
import {
  comparePositions,
  createRunLoop,
  createSignal,
  delay,
  thisMachine,
  type Machine,
  type Position,
  type RetryPolicy,
  type Timers,
} from '#kernel';
import { amendmentsIn, walletModels, type ChangesElsewhere } from '#projections';
import { damageIn, type BuildState, type Damage, type ReadStoreReader } from '#read-store';
import type { LiveFeed } from './feed.js';

/**
 * Between two looks at the documents where no bell is heard before, in milliseconds, and while somebody waits to see what they
 * wrote, who waits that much longer.
 */
const LOOK_MS = 100;
const AWAITED_LOOK_MS = 20;
/** Between two looks that a bell asked for, while nobody waits, in milliseconds. */
const RUNG_LOOK_MS = 50;
/** After changes were told, until those that came meanwhile are, in milliseconds: to find them costs more than to know that there are some. */
const TELL_MS = 50;
/** Pauses after looks that failed. */
const RETRY: RetryPolicy = { firstMs: LOOK_MS, lastMs: 10 * LOOK_MS, jitter: 0 };

export type FollowedParts = {
  readonly models: Pick<ReadStoreReader, 'builds'>;
  /** Which documents another program changed; where it is left out nobody is told that. */
  readonly changes: ChangesElsewhere | undefined;
  /** Hears of damage that the look for changes met. */
  readonly mend: (damage: Damage) => void;
  /** Rung by whoever writes them; without one they are looked at as often as the limits say. */
  readonly bell?: Pick<Bell, 'on'> | undefined;
  readonly live: Pick<LiveFeed, 'hear' | 'tellChanges' | 'forget' | 'isHeard' | 'isAwaited' | 'onAwaited'>;
  readonly timers: Timers;
  readonly machine?: Machine | undefined;
};

/**
 * Tells how far the documents are that another program writes, and which of them changed, again and again, until it is
 * ended by what it gives. Nobody who waits for the first waits for the second.
 */
export function followDocuments(parts: FollowedParts): () => Promise<void> {
  const { models, bell, live, timers, machine = thisMachine } = parts;
  const { monotonic } = machine;
  const teller = createTeller(parts);
  let lookedAt = -Infinity;
  const look = async () => {
    lookedAt = monotonic();
    const states = await models.builds();
    const active = readOf(states);
    // Until the first of them are built there is nothing to tell.
    if (active === undefined) return;
    const position = leastOf(active);
    const lanes = lanesOf(active);
    live.hear({ type: 'advanced', position, ...(lanes && { lanes }), changes: [] });
    const read = [...active.map(({ build }) => build.number), amendmentsIn(states)].join();
    teller.look({ position, read });
  };
  const loop = createRunLoop({
    turn: async () => {
      await look();
      return { until: 'woken', ms: live.isAwaited() ? AWAITED_LOOK_MS : LOOK_MS };
    },
    // Who can't read them is told so by each query.
    onFailing: () => undefined,
    onRecovered: () => undefined,
    onStopped: async () => undefined,
    retry: RETRY,
    clock: machine.clock,
    random: machine.random,
    timers,
  });
  live.onAwaited(loop.wake);
  const unhear = bell?.on('documents', () => {
    // For live pages alone a look now and then is enough: the next one is soon in any case.
    if (live.isAwaited() || (live.isHeard() && monotonic() - lookedAt >= RUNG_LOOK_MS)) loop.wake();
  });
  loop.start();
  return async () => {
    unhear?.();
    await loop.stop();
    await teller.stop();
  };
}

/** What was seen of the documents: how far they are, and which builds queries read and how often these were amended. */
type Seen = { readonly position: Position; readonly read: string };

/** Tells what changed up to what was seen last. */
function createTeller(parts: FollowedParts): {
  readonly look: (seen: Seen) => void;
  readonly stop: () => Promise<void>;
} {
  const { changes, live, mend, timers, machine: { random } = thisMachine } = parts;
  const signal = createSignal(timers);
  let seen: Seen | undefined;
  /** Everything was told up to here, of the documents that were read then. */
  let told: Seen | undefined;

  let telling: Promise<void> | undefined;
  let isStopping = false;

  /** True when it was looked for changes. */
  const tellChanges = async (after: Seen, { position, read }: Seen): Promise<boolean> => {
    if (after.read !== read) live.forget();
    // Once, also when the rest fails.
    told = { ...after, read };
    if (changes === undefined || after.position === position) return false;
    if (!live.isHeard()) {
      // Whoever comes back for what was missed meanwhile is to fetch all anew.
      live.forget();
      return false;
    }
    const found = await changesBetween({ changes, mend }, after.position, position);
    if (found === undefined) live.forget();
    else live.tellChanges(found);
    return true;
  };

  const tellAll = async () => {
    let failures = 0;
    while (!isStopping && told !== undefined && seen !== undefined && told !== seen) {
      const now = seen;
      try {
        const hasLooked = await tellChanges(told, now);
        told = now;
        failures = 0;
        if (hasLooked) await signal.stopOr(TELL_MS);
      } catch {
        // Who can't read the documents is told so by each query.
        failures += 1;
        await signal.stopOr(delay(failures, RETRY, random));
      }
    }
  };

  return {
    look: (next) => {
      if (next.position !== seen?.position || next.read !== seen.read) seen = next;
      told ??= next;
      if (told !== seen) telling ??= tellAll().finally(() => (telling = undefined));
    },
    stop: async () => {
      isStopping = true;
      signal.stop();
      await telling;
    },
  };
}

/** What changed between two places; undefined where it can't be told, also because a document is damaged. */
async function changesBetween(
  { changes, mend }: { readonly changes: ChangesElsewhere; readonly mend: FollowedParts['mend'] },
  since: Position,
  position: Position,
): ReturnType<ChangesElsewhere['between']> {
  try {
    return await changes.between(since, position);
  } catch (error) {
    const damage = damageIn(error);
    if (damage === undefined) throw error;
    mend(damage);
    return undefined;
  }
}

/** The builds that queries read, in the models' order; undefined while there isn't one of each. */
function readOf(states: readonly BuildState[]): readonly [BuildState, ...BuildState[]] | undefined {
  const active = new Map(
    states.filter(({ state }) => state === 'active').map((one) => [one.build.collection, one]),
  );
  const [first, ...others] = walletModels.flatMap(({ name }) => active.get(name) ?? []);
  return first === undefined || others.length + 1 < walletModels.length ? undefined : [first, ...others];
}

function leastOf([first, ...others]: readonly [BuildState, ...BuildState[]]): Position {
  return others.reduce(
    (least, { checkpoint: { position } }) => (comparePositions(position, least) < 0 ? position : least),
    first.checkpoint.position,
  );
}

/** Where each lane stands in the model that is furthest behind with it; undefined where there are no lanes. */
function lanesOf([first, ...others]: readonly [BuildState, ...BuildState[]]):
  readonly Position[] | undefined {
  return first.lanes?.map((at, lane) =>
    others.reduce((least, { lanes, checkpoint }) => {
      const { position } = lanes?.[lane] ?? checkpoint;
      return comparePositions(position, least) < 0 ? position : least;
    }, at.position),
  );
}
