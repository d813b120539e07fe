import { pino } from 'pino';
import type { ExclusiveEngines } from '#engines';
import type { EventStore } from '#event-store';
import type { FileStore } from '#files';
import { createIdentity, type Identity } from '#identity';
import { systemClock } from '#kernel';
import { accountStream } from '#ledger';
import { createLedger, createTrail, type Ledger, type Trail } from '../../api/index.js';

/** What a command changes things with, while no program runs. */
export type Engines = {
  readonly eventStore: EventStore;
  readonly identity: Identity;
  readonly files: FileStore;
  readonly ledger: Ledger;
  readonly trail: Trail;
};

/**
 * Opens the engines of a data folder, does some work with them, and closes them whatever becomes of it. Refuses a folder
 * whose files don't fit together as a start does.
 */
export async function withEngines<T>(
  { openStores }: Pick<ExclusiveEngines, 'openStores'>,
  work: (engines: Engines) => Promise<T>,
): Promise<T> {
  const { events: eventStore, identity: store, files, close } = await openStores();
  try {
    const identity = await createIdentity({
      store,
      isOpen: async (userId) => (await eventStore.readStream(accountStream(userId), { limit: 1 })).length > 0,
    });
    const ledger = createLedger({ eventStore, clock: systemClock });
    const trail = createTrail({ identity, ledger, logger: pino(process.stderr) });
    return await work({ eventStore, identity, files, ledger, trail });
  } finally {
    await close();
  }
}
