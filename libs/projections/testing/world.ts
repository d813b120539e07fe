import type { EventStore } from '#event-store';
import { comparePositions, LodeError, logStart, type RecordedEvent } from '#kernel';
import { events, trialBalance } from '../models/index.js';
import type { OpenEvent } from '../personal-data.js';
import type { ReadModel } from '../read-model.js';
import { openSqliteReadStore } from '#read-store/sqlite';
import { checkpointStart, type Checkpoint, type ReadStore } from '#read-store';
import { settled, started } from './harness.js';
import { memoryLog } from './log.js';

/** A log in memory and the audit's read models of it. */
export type World = {
  readonly eventStore: EventStore;
  readonly readStore: ReadStore;
  /** Events that streams have given since the start. */
  readonly read: () => number;
};

/** Read models that are being built: what they would say has to be folded from the log. */
export const modelsBeingBuilt: Pick<ReadStore, 'get'> = {
  get: async () => {
    throw new LodeError('unavailable', 'The read model accounts is being built.');
  },
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
    ensureHeader: unused,
    changeHeader: unused,
    header: async () => undefined,
    kinds: unused,
    readStreams: unused,
    readTypes: unused,
    close: async () => {},
    head: async () => log.at(-1)?.position ?? logStart,
    last: async () => log.at(-1),
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

/** Builds that stand somewhere in a log and have nothing of what was before. */
async function beginAt(
  store: ReadStore,
  models: readonly ReadModel[],
  checkpoint: Checkpoint,
): Promise<void> {
  for (const { name, version, indexes } of models) {
    const build = await store.begin({ name, version, indexes }, { bulk: false });
    await store.write([{ build, checkpoint, put: [], remove: [] }]);
    await store.activate(build);
  }
}

/**
 * The log with the audit's read models, or others, folded from it; from after `counted`, which nothing is known of but
 * how many events there are.
 */
export async function worldOf(
  log: readonly RecordedEvent[],
  models: readonly ReadModel[] = [events, trialBalance],
  open: OpenEvent = (event) => event,
  counted: Checkpoint = checkpointStart,
): Promise<World> {
  const readStore = openSqliteReadStore({ file: ':memory:' });
  if (counted.ordinal > 0) await beginAt(readStore, models, counted);
  const running = started({ log: memoryLog(log), store: readStore, models, open });
  await settled(running, log.at(-1)?.position ?? logStart);
  await running.runner.stop();
  return { ...logOf(log), readStore };
}
