import { setImmediate } from 'node:timers/promises';
import { pause, systemTimers, type Timers } from '#kernel';
import { appendEach, type EventStore } from '#event-store';

/** Timers that fire when the test says so; a turn of the event loop is a real one. */
export function manualTimers(): {
  readonly timers: Timers;
  /** The times that are waited for, in milliseconds, in the order asked for. */
  readonly waiting: () => readonly number[];
  /** Fires all that wait for so long or less. */
  readonly fire: (ms: number) => void;
} {
  const waits = new Set<{ readonly ms: number; readonly done: () => void }>();
  return {
    timers: {
      ...systemTimers,
      after: (ms, done) => {
        const wait = { ms, done };
        waits.add(wait);
        return () => waits.delete(wait);
      },
    },
    waiting: () => [...waits].map(({ ms }) => ms),
    fire: (most) => {
      for (const wait of waits) {
        if (wait.ms > most) continue;
        waits.delete(wait);
        wait.done();
      }
    },
  };
}

/** Resolves once a condition holds. */
/** Timers whose time passes as fast as what is done in it: the next one is due once nothing else goes on. */
export function virtualTimers(): {
  readonly timers: Timers;
  /** Lets time pass until a condition holds. */
  readonly until: (condition: () => boolean) => Promise<void>;
} {
  type Wait = { readonly at: number; readonly done: () => void };
  const waits = new Set<Wait>();
  let [now, turns] = [0, 0];
  const first = () => [...waits].reduce((one, other) => (other.at < one.at ? other : one));
  return {
    timers: {
      after: (ms, done) => {
        const wait = { at: now + ms, done };
        waits.add(wait);
        return () => waits.delete(wait);
      },
      yieldNow: async () => {
        turns += 1;
        await setImmediate();
        turns -= 1;
      },
    },
    until: async (condition) => {
      for (;;) {
        await setImmediate();
        if (condition()) return;
        if (turns > 0) continue;
        const next = first();
        waits.delete(next);
        now = next.at;
        next.done();
      }
    },
  };
}

/** A log that takes so many milliseconds for each read and each append. */
export function slow(inner: EventStore, ms: number, timers: Timers = systemTimers): EventStore {
  const wait = () => pause(timers, ms);
  const append: EventStore['append'] = async (request) => {
    await wait();
    const appended = await inner.append(request);
    await wait();
    return appended;
  };
  return {
    ...inner,
    append,
    appendMany: appendEach(append),
    readStream: async (stream, read) => {
      await wait();
      return inner.readStream(stream, read);
    },
  };
}
