import { LodeError, systemMonotonic, systemTimers, type Clock, type Timers } from '#kernel';
import { tooManyUploads } from '../rules.js';
import type { Decoder } from './process.js';
import type { ToDecoder } from './decoder.js';

/** Bounds of what people have decoded. */
export const imageLimits = {
  /** The most of a processor that one image may take, in milliseconds: alone, and while somebody else waits. */
  aloneMs: 20_000,
  besideMs: 4_000,
  /** The longest that one image may take, however little it gets of a processor; milliseconds. */
  longestMs: 60_000,
  /** Images that wait for their turn. */
  waiting: 64,
  /** What one person may have used, in milliseconds of a processor, and how much of that is given back each millisecond. */
  budgetMs: 60_000,
  givenBack: 0.1,
} as const;

/** How often what takes long is looked at, at most; milliseconds. */
const LOOK_MS = 50;

/** Encodes a person's image anew. Refuses as `reencode`, and with `overloaded` and `rate_limited`. */
export type EncodeImage = (asked: ToDecoder, ownerId: string) => Promise<Buffer>;

type Waiting = {
  readonly ownerId: string;
  readonly asked: ToDecoder;
  readonly resolve: (encoded: Buffer) => void;
  readonly reject: (error: unknown) => void;
};

export type TurnsOptions = {
  readonly decode: Decoder;
  /** Milliseconds on a clock that never goes back. */
  readonly clock?: Clock;
  readonly timers?: Timers;
};

/**
 * Has images decoded one at a time. Next is whoever has used least, so that nobody waits for all that another one sends; and
 * one that takes long is given up as soon as somebody else waits.
 */
export function createTurns({
  decode,
  clock = systemMonotonic,
  timers = systemTimers,
}: TurnsOptions): EncodeImage {
  const used = createUsed(clock);
  const waiting: Waiting[] = [];
  let isWorking = false;

  const others = (ownerId: string) => waiting.some((one) => one.ownerId !== ownerId);

  /** Gives up what takes too long, looked at whenever that may have changed. */
  let look = () => {};

  async function work({ ownerId, asked, resolve, reject }: Waiting): Promise<void> {
    const began = clock();
    const decoding = decode(asked);
    let cancel = () => {};
    look = () => {
      cancel();
      const left = Math.min(
        (others(ownerId) ? imageLimits.besideMs : imageLimits.aloneMs) - decoding.usedMs(),
        imageLimits.longestMs - (clock() - began),
      );
      if (left > 0) cancel = timers.after(Math.max(left, LOOK_MS), () => look());
      else decoding.giveUp();
    };
    look();
    try {
      resolve(await decoding.encoded);
    } catch (error) {
      reject(error);
    } finally {
      look = () => {};
      cancel();
      used.add(ownerId, decoding.usedMs());
    }
  }

  async function workAll(): Promise<void> {
    isWorking = true;
    for (let next = takeNext(); next !== undefined; next = takeNext()) await work(next);
    isWorking = false;
  }

  /** Of those that wait the first of whoever has used least. */
  function takeNext(): Waiting | undefined {
    const least = Math.min(...waiting.map(({ ownerId }) => used.of(ownerId)));
    const at = waiting.findIndex(({ ownerId }) => used.of(ownerId) <= least);
    return at < 0 ? undefined : waiting.splice(at, 1)[0];
  }

  return (asked, ownerId) => {
    const over = used.of(ownerId) - imageLimits.budgetMs;
    if (over > 0) return Promise.reject(budgetUsed(over));
    if (waiting.length >= imageLimits.waiting) return Promise.reject(tooManyUploads());
    return new Promise((resolve, reject) => {
      waiting.push({ ownerId, asked, resolve, reject });
      if (isWorking) look();
      else void workAll();
    });
  };
}

function budgetUsed(overMs: number): LodeError {
  return new LodeError(
    'rate_limited',
    'Your images have taken all the time that there is for one person. Try again later.',
    {
      retryAfterSeconds: overMs / imageLimits.givenBack / 1_000,
    },
  );
}

/** What each person has used, in milliseconds; forgotten once all of it is given back. */
function createUsed(clock: Clock) {
  const people = new Map<string, { readonly ms: number; readonly at: number }>();
  const of = (ownerId: string) => {
    const { ms, at } = people.get(ownerId) ?? { ms: 0, at: 0 };
    return Math.max(0, ms - (clock() - at) * imageLimits.givenBack);
  };
  return {
    of,
    add(ownerId: string, ms: number) {
      people.set(ownerId, { ms: of(ownerId) + ms, at: clock() });
      for (const one of people.keys()) if (of(one) === 0) people.delete(one);
    },
  };
}
