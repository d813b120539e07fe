import type { EventStore } from '#event-store';
import { comparePositions, logStart, type RecordedEvent } from '#kernel';
import { events, trialBalance, type OpenEvent, type ReadModel } from '#projections';
import { memoryLog, settled, started } from '#projections/testing';
import { openSqliteReadStore } from '#read-store/sqlite';
import type { ReadStore } from '#read-store';

/** A log in memory and the audit's read models of it. */
export type World = {
  readonly eventStore: EventStore;
  readonly readStore: ReadStore;
  /** Events that streams have given since the start. */
  readonly read: () => number;
};

/** A log that only answers: nothing is appended to it. */
export function logOf(log: readonly RecordedEvent[]): Pick<World, 'eventStore' | 'read'> {
  let read = 0;
  const unused = () => {
    throw new Error('nobody asks for this');
  };
  const eventStore: EventStore = {
    append: unused,
    appendMany: unused,
    onAppended: unused,
    readStreams: unused,
    readTypes: unused,
    close: async () => {},
    head: async () => log.at(-1)?.position ?? logStart,
    readAll: async (after, limit) =>
      log.filter(({ position }) => comparePositions(position, after) > 0).slice(0, limit),
    readStream: async (stream, { direction = 'forwards', from, limit }) => {
      const own = log.filter((event) => event.stream === stream);
      const wanted =
        direction === 'forwards'
          ? own.filter(({ revision }) => revision >= (from ?? 0))
          : own.filter(({ revision }) => revision <= (from ?? Infinity)).toReversed();
      const page = wanted.slice(0, limit);
      read += page.length;
      return page;
    },
  };
  return { eventStore, read: () => read };
}

/** The log with the audit's read models, or others, folded from it. */
export async function worldOf(
  log: readonly RecordedEvent[],
  models: readonly ReadModel[] = [events, trialBalance],
  open: OpenEvent = (event) => event,
): Promise<World> {
  const readStore = openSqliteReadStore({ file: ':memory:' });
  const running = started({ log: memoryLog(log), store: readStore, models, open });
  await settled(running, log.at(-1)?.position ?? logStart);
  await running.runner.stop();
  return { ...logOf(log), readStore };
}
