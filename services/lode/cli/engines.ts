import { pino } from 'pino';
import {
  createAggregates,
  createSettingsInForce,
  erasureHandlers,
  noMeter,
  platformIdIn,
  registrationHandlers,
  type Aggregates,
  type Bus,
} from '#application';
import type { ExclusiveEngines } from '#engines';
import type { EventStore } from '#event-store';
import type { FileStore } from '#files';
import type { Identity } from '#identity';
import { systemClock, systemRandom } from '#kernel';
import { startApplication } from '../application.js';
import { openIdentity } from '../identity.js';
import { claimStores } from '../platform.js';

/** What a command changes things with, while no program runs. */
export type Engines = {
  /** The way to the commands of registrations and of what is forgotten. */
  readonly bus: Bus;
  readonly eventStore: EventStore;
  readonly identity: Identity;
  readonly files: FileStore;
  readonly aggregates: Aggregates;
};

/**
 * Opens the engines of a data folder, does some work with them, and closes them whatever becomes of it. Refuses a folder
 * whose files don't fit together as a start does.
 */
export async function withEngines<T>(
  { openStores }: Pick<ExclusiveEngines, 'openStores'>,
  work: (engines: Engines) => Promise<T>,
): Promise<T> {
  const { events: eventStore, identity: store, files, stillHere, close } = await openStores();
  try {
    const [clock, random, logger] = [systemClock, systemRandom, pino(process.stderr)];
    const aggregates = createAggregates({ eventStore, clock });
    await claimStores({ identity: store, files }, eventStore, await platformIdIn(aggregates));
    const { identity, accessAudit } = await openIdentity({
      store,
      eventStore,
      aggregates,
      logger,
      clock,
      random,
    });
    const settings = createSettingsInForce(aggregates);
    const parts = { eventStore, identity, files, aggregates, accessAudit, settings, clock, random };
    const handlers = [...erasureHandlers(parts), ...registrationHandlers(parts)];
    const { bus, stop } = await startApplication(handlers, { meter: noMeter, mayAnswer: stillHere });
    try {
      const result = await work({ bus, eventStore, identity, files, aggregates });
      await stillHere();
      return result;
    } finally {
      await stop();
    }
  } finally {
    await close();
  }
}
