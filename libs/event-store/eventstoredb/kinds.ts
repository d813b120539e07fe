import { hasCode, LodeError } from '#kernel';
import { checkWaiting, kindsBeyond, kindsOf, type Append, type Appended, type EventKinds } from '../port.js';
import type { KindsKeeper } from './header.js';

/** Appends that wait for their kinds to be kept. */
export type KeepingKinds = {
  readonly append: (request: Append) => Promise<Appended>;
  /** Resolves when no append waits any more. */
  readonly settled: () => Promise<void>;
};

/**
 * Appends that are sent on once the kinds of their events are kept in the log's header. All kinds were kept long ago but for
 * the first event of each, so that hardly any append waits. Those that come while kinds are written wait behind them, so that
 * appends are sent on in the order in which they came.
 */
export function keepingKinds(
  append: (request: Append) => Promise<Appended>,
  { keepKinds }: KindsKeeper,
): KeepingKinds {
  let kept: EventKinds = {};
  let keeping: Promise<void> | undefined;
  const waiting = new Set<Promise<unknown>>();
  let bytesWaiting = 0;

  async function keep(kinds: EventKinds): Promise<void> {
    try {
      kept = await keepKinds(kinds);
    } catch (error) {
      // Whatever became of the kinds, nothing of the append was written, and nobody was before it in its stream.
      if (!hasCode(error, 'unknown_outcome') && !hasCode(error, 'conflict')) throw error;
      throw new LodeError('unavailable', 'The kinds of new events could not be kept.', {}, { cause: error });
    } finally {
      keeping = undefined;
    }
  }

  async function later(request: Append, wanted: EventKinds): Promise<Appended> {
    for (;;) {
      const missing = kindsBeyond(wanted, kept);
      const isMissing = Object.keys(missing).length > 0;
      if (isMissing) await (keeping ??= keep(missing));
      else if (keeping === undefined) return append(request);
      // Of others: their failure is told to them.
      else await keeping.catch(() => undefined);
    }
  }

  async function wait(request: Append): Promise<Appended> {
    checkWaiting({ appends: waiting.size, bytes: bytesWaiting });
    const bytes = Buffer.byteLength(JSON.stringify(request.events));
    bytesWaiting += bytes;
    const appending = later(request, kindsOf(request.events));
    waiting.add(appending);
    try {
      return await appending;
    } finally {
      waiting.delete(appending);
      bytesWaiting -= bytes;
    }
  }

  return {
    append: (request) => {
      const isKept = request.events.every(
        ({ type, version }) => Object.hasOwn(kept, type) && version <= (kept[type] ?? 0),
      );
      return isKept && keeping === undefined ? append(request) : wait(request);
    },
    settled: async () => {
      await Promise.allSettled(waiting);
    },
  };
}
