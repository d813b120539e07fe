import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock, Random } from '#kernel';
import type { Allowance, IdentityStore, SharedCounts } from './port.js';

/** Buckets of one kind that a program remembers by itself; the one used longest ago is forgotten first. */
const REMEMBERED_MAX = 100_000;
/** Secrets that are drawn for keys of buckets have so many bytes. */
const SECRET_BYTES = 32;

/** What is put back at once; one more comes back by time. */
const PUT_BACK_MAX = 1_000;

/** What may be done so often, by key: a user id, an e-mail, or whatever else stands for one person. */
export type Buckets = {
  /**
   * Takes one: 0 when there was one, else how long until there is, in milliseconds. Of many at once none is given twice. Rejects
   * with `unavailable` when the store that they are counted in is away.
   */
  readonly take: (key: string) => Promise<number>;
  /** Puts one back. Never rejects: what could not be put back comes back by time. */
  readonly giveBack: (key: string) => Promise<void>;
};

/** Buckets of a kind. Those of one kind and key are one bucket, and so are of one allowance. */
export type BucketsOf = (kind: string, allowance: Allowance) => Buckets;

/** Buckets that programs on one store take from together; those of this program alone where no other shares it. */
export function createBucketsOf(parts: {
  readonly store: Pick<IdentityStore, 'counts' | 'secret'>;
  readonly clock: Clock;
  readonly random: Random;
}): BucketsOf {
  const { counts } = parts.store;
  return counts === undefined ? localBuckets(parts.clock) : sharedBuckets(counts, parts);
}

/** Buckets of this program alone, which it forgets when it ends. */
export function localBuckets(clock: Clock): BucketsOf {
  return (_kind, allowance) => {
    const buckets = createBuckets(clock, allowance, REMEMBERED_MAX);
    return {
      take: async (key) => {
        const waitMs = buckets.waitMs(key);
        if (waitMs === 0) buckets.add(key, -1);
        return waitMs;
      },
      giveBack: async (key) => buckets.add(key, 1),
    };
  };
}

/** Buckets in a store, under a digest with a secret of the store's: nobody is known by it whose e-mail somebody tried. */
function sharedBuckets(
  counts: SharedCounts,
  { store, random }: Pick<Parameters<typeof createBucketsOf>[0], 'store' | 'random'>,
): BucketsOf {
  let secret: Promise<Uint8Array> | undefined;
  const secretOf = () => {
    secret ??= store.secret('attempts', random(SECRET_BYTES)).catch((error: unknown) => {
      secret = undefined;
      throw error;
    });
    return secret;
  };
  let putBack = 0;
  return (kind, allowance) => {
    const idOf = async (key: string) =>
      createHmac('sha256', await secretOf())
        .update(`${kind} ${key}`)
        .digest('hex');
    return {
      take: async (key) => counts.take(await idOf(key), allowance),
      giveBack: async (key) => {
        if (putBack >= PUT_BACK_MAX) return;
        putBack++;
        try {
          await counts.giveBack(await idOf(key), allowance);
        } catch {
          // It comes back by time.
        } finally {
          putBack--;
        }
      },
    };
  };
}

/** What is in a bucket, and when that was. */
type Filled = { readonly tokens: number; readonly at: number };

/**
 * Buckets of this program by key: how long until there is one to take, and taking one. A bucket never is of an earlier time than
 * before: by a clock that goes back and forth the same time would fill it again and again.
 */
export function createBuckets(clock: Clock, allowance: Allowance, max: number) {
  const { burst, everyMs } = allowance;
  const buckets = createMemory<Filled>(max);
  const tokens = (key: string): number => {
    const bucket = buckets.get(key);
    if (bucket === undefined) return burst;
    return Math.min(burst, bucket.tokens + Math.max(0, clock() - bucket.at) / everyMs);
  };
  return {
    /** How long until there is one to take; 0 when there is. */
    waitMs: (key: string): number => Math.max(0, 1 - tokens(key)) * everyMs,
    add: (key: string, count: number): void => {
      const now = clock();
      const at = Math.max(buckets.get(key)?.at ?? now, now);
      buckets.set(key, { tokens: Math.min(burst, tokens(key) + count), at });
    },
    fill: (key: string): void => {
      buckets.delete(key);
    },
  };
}

/** Remembers the latest `max` keys. Room is taken as they come: a bare `max` would have all of it taken at the start. */
export function createMemory<T extends object | string | true>(max: number): LRUCache<string, T> {
  return new LRUCache<string, T>({ maxSize: max, sizeCalculation: () => 1 });
}
