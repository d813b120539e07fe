import { hasCode, LodeError, systemMonotonic, systemTimers, type Clock, type Timers } from '#kernel';
import {
  checkWaiting,
  kindsBeyond,
  kindsOf,
  refuseUnread,
  type Append,
  type Appended,
  type EventKinds,
  type EventStore,
  type ReadByAll,
} from '../port.js';
import type { KindsKeeper } from './header.js';

/** For how long kinds that a program does not read are refused without asking again, in milliseconds: all else need not wait. */
const REFUSED_MS = 500;

/**
 * How long an append waits for its kinds, in milliseconds: for one answer that is lost and the next. A server that says nothing holds
 * up nothing else meanwhile.
 */
const KEEPING_MS = 10_000;

/** Appends that wait for their kinds to be kept. */
export type KeepingKinds = {
  readonly append: (request: Append) => Promise<Appended>;
  /** Resolves when no append waits any more, and nothing is asked for them. */
  readonly settled: () => Promise<void>;
};

/** What is asked before an event of a kind is sent on for the first time. */
export type KindsChecks = KindsKeeper &
  Pick<EventStore, 'kinds'> & {
    readonly readByAll: ReadByAll | undefined;
    readonly monotonic?: Clock;
    readonly timers?: Pick<Timers, 'after'>;
  };

/**
 * Appends that are sent on once the kinds of their events are kept in the log's header, and every program that is there reads
 * them. All kinds were kept long ago but for the first event of each, so that hardly any append waits. Those of kinds that are
 * kept wait for no others, but for earlier ones to the same stream: appends to a stream are sent on in the order in which they came.
 */
export function keepingKinds(
  append: (request: Append) => Promise<Appended>,
  checks: KindsChecks,
): KeepingKinds {
  const gate = createGate(checks);
  /** What is waited for last in each stream. */
  const lastIn = new Map<string, Promise<void>>();
  const waiting = new Set<Promise<unknown>>();
  let bytesWaiting = 0;

  async function later(request: Append): Promise<Appended> {
    const { stream, events } = request;
    const passing = passAfter(lastIn.get(stream), kindsOf(events));
    lastIn.set(stream, passing);
    try {
      await passing;
    } finally {
      if (lastIn.get(stream) === passing) lastIn.delete(stream);
    }
    return append(request);
  }

  async function passAfter(before: Promise<void> | undefined, kinds: EventKinds): Promise<void> {
    await before?.catch(() => undefined);
    await gate.pass(kinds);
  }

  async function wait(request: Append): Promise<Appended> {
    checkWaiting({ appends: waiting.size, bytes: bytesWaiting });
    const bytes = Buffer.byteLength(JSON.stringify(request.events));
    bytesWaiting += bytes;
    const appending = later(request);
    waiting.add(appending);
    try {
      return await appending;
    } finally {
      waiting.delete(appending);
      bytesWaiting -= bytes;
    }
  }

  return {
    append: (request) =>
      gate.isOpenTo(request.events) && !lastIn.has(request.stream) ? append(request) : wait(request),
    settled: async () => {
      await Promise.allSettled(waiting);
      await gate.settled();
    },
  };
}

/** Lets kinds of events pass once they are kept and read; asks for one append at a time, of which the others hear too. */
function createGate(checks: KindsChecks) {
  const { monotonic = systemMonotonic, timers = systemTimers } = checks;
  let kept: EventKinds = {};
  let keeping: Promise<void> | undefined;
  const refused = new Map<string, { readonly version: number; readonly at: number }>();

  async function keep(kinds: EventKinds): Promise<void> {
    try {
      kept = await keptAndRead(checks, kinds);
      const at = monotonic();
      for (const [type, version] of Object.entries(kindsBeyond(kinds, kept)))
        refused.set(type, { version, at });
    } catch (error) {
      // Whatever became of the kinds, nothing of the append was written, and nobody was before it in its stream.
      if (!hasCode(error, 'unknown_outcome') && !hasCode(error, 'conflict')) throw error;
      throw notKept(error);
    } finally {
      keeping = undefined;
    }
  }

  function wasRefused([type, version]: readonly [string, number]): boolean {
    const last = refused.get(type);
    return last !== undefined && version >= last.version && monotonic() - last.at < REFUSED_MS;
  }

  return {
    isOpenTo: (events: Append['events']) =>
      events.every(({ type, version }) => Object.hasOwn(kept, type) && version <= (kept[type] ?? 0)),
    /** Resolves once events of these kinds may be written; refuses them where somebody does not read them, or nobody says so in time. */
    pass: async (kinds: EventKinds): Promise<void> => {
      const late = Promise.withResolvers<never>();
      const cancel = timers.after(KEEPING_MS, () => late.reject(notKept(new Error('no answer in time'))));
      try {
        for (;;) {
          const missing = kindsBeyond(kinds, kept);
          if (isEmpty(missing)) return;
          refuseUnread(Object.fromEntries(Object.entries(missing).filter(wasRefused)));
          // What fails for one fails for all that wait: it is a server that is away.
          await Promise.race([(keeping ??= keep(missing)), late.promise]);
        }
      } finally {
        cancel();
      }
    },
    settled: async () => {
      await keeping?.catch(() => undefined);
    },
  };
}

function notKept(cause: unknown): LodeError {
  return new LodeError('unavailable', 'The kinds of new events could not be kept.', {}, { cause });
}

/**
 * Has kinds kept, and gives all that are and that every program which is there reads. A program says what it reads and looks at
 * the header then; here the header is written, and then it is asked who is there. So one of the two sees the other: who comes
 * after that question finds the kinds in the header. Where the answer is known before, they are not kept at all.
 */
async function keptAndRead(
  { keepKinds, kinds: kindsKept, readByAll }: KindsChecks,
  wanted: EventKinds,
): Promise<EventKinds> {
  if (readByAll === undefined) return keepKinds(wanted);
  const before = await kindsKept();
  const news = kindsBeyond(wanted, before);
  const isRead = isEmpty(news) || isEmpty(kindsBeyond(news, await readByAll(news)));
  return readByAll(isRead ? await keepKinds(wanted) : before);
}

function isEmpty(kinds: EventKinds): boolean {
  return Object.keys(kinds).length === 0;
}
