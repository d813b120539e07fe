import {
  Bus,
  createAdminRights,
  createAggregates,
  createSettingsInForce,
  dispatchTo,
  erasureHandlers,
  invitationHandlers,
  noMeter,
  operatorHandlers,
  platformIdIn,
  type Aggregates,
} from '#application';
import type { GuardedClock } from '#clock';
import type { ExclusiveEngines, Stores } from '#engines';
import type { EventStore } from '#event-store';
import type { FileStore } from '#files';
import type { Identity } from '#identity';
import { systemRandom } from '#kernel';
import { openIdentity } from '../identity.js';
import { createLogger } from '../logger.js';
import { claimStores } from '../platform.js';
import type { Settings } from '../settings.js';
import { withAcceptedClock } from './clock.js';
import type { Call } from './command.js';

/** What a command changes things with, while no program runs. */
export type Engines = {
  /** The way to the commands of invitations, of what is forgotten, and of what only the operator does. */
  readonly bus: Bus;
  readonly eventStore: EventStore;
  readonly identity: Identity;
  readonly files: FileStore;
  readonly aggregates: Aggregates;
};

/**
 * Opens the engines of a data folder, does some work with them, and closes them whatever becomes of it. Refuses a folder
 * whose files don't fit together as a start does, and with `unavailable` while the clock is not accepted.
 */
export async function withEngines<T>(
  call: Pick<Call, 'settings'>,
  engines: Pick<ExclusiveEngines, 'openStores' | 'openClockMarks'>,
  work: (engines: Engines) => Promise<T>,
): Promise<T> {
  const stores = await engines.openStores();
  const { keys, changeWaitMs } = call.settings;
  try {
    return await withAcceptedClock(call, engines, stores, (guard) =>
      workOn({ ...stores, keys, changeWaitMs }, guard, work),
    );
  } finally {
    await stores.close();
  }
}

/** No projector runs: the command that erases folds and overwrites the read models itself. */
const foldedByCommand = { waitFor: async () => true, overwrite: async () => undefined };

async function workOn<T>(
  {
    events: eventStore,
    identity: store,
    files,
    stillHere,
    keys,
    changeWaitMs,
  }: Stores & Pick<Settings, 'keys' | 'changeWaitMs'>,
  { now: clock, hold }: GuardedClock,
  work: (engines: Engines) => Promise<T>,
): Promise<T> {
  const [random, logger] = [systemRandom, createLogger({}, process.stderr)];
  const aggregates = createAggregates({ eventStore, clock, hold });
  await claimStores({ identity: store, files }, eventStore, await platformIdIn(aggregates));
  const { identity, accessAudit } = await openIdentity({
    store,
    keys,
    eventStore,
    aggregates,
    logger,
    clock,
    hold,
    random,
  });
  const settings = createSettingsInForce(aggregates);
  const admins = createAdminRights({ aggregates, identity });
  const parts = {
    eventStore,
    identity,
    files,
    aggregates,
    admins,
    accessAudit,
    settings,
    clock,
    hold,
    random,
    changeWaitMs,
    projections: foldedByCommand,
  };
  const handlers = [...erasureHandlers(parts), ...invitationHandlers(parts), ...operatorHandlers(parts)];
  const bus = new Bus(dispatchTo(handlers), { meter: noMeter, mayAnswer: stillHere });
  const result = await work({ bus, eventStore, identity, files, aggregates });
  await stillHere();
  return result;
}
