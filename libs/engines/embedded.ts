import type { SqliteEventStore } from '#event-store/sqlite';
import { openFolderFiles } from '#files/folder';
import { openIdentityStore } from '#identity/sqlite';
import { systemClock } from '#kernel';
import { createSqliteLeases } from '#leases/sqlite';
import { createSqliteCheckpoints } from '#reactors/sqlite';
import { openSqliteReadStoreReader } from '#read-store/sqlite';
import { opening, type Closing } from './closing.js';
import type { Engines, EngineSettings, Stores, Tell } from './engines.js';
import { openConsistentLog } from './event-store.js';
import { handleFor } from './handle.js';
import { openJobs } from './jobs.js';
import { lockFolder } from './lock.js';
import { placesIn, type Places } from './places.js';
import { openProcessesFile } from './processes-file.js';

/** Whoever has the folder's lock: the one before it is dead, so that nobody waits for its leases and runs. */
const HOLDER = 'embedded';

/**
 * Opens the engines of a data folder for the one program that serves from it. The folder is locked first; then the log is
 * opened, which refuses a folder whose files don't fit together; then the rest. Closed in reverse, the lock last.
 */
export function serveFolder(settings: EngineSettings, tell: Tell): Promise<Engines> {
  return opening(async (closing) => {
    const { dataFolder } = settings;
    const places = placesIn(dataFolder);
    closing.add(lockFolder(dataFolder).release);
    const stores = await openStoresIn(places, closing, tell);
    const database = openProcessesFile(places.processes, tell);
    closing.add(() => database.close());
    const leases = createSqliteLeases(database, HOLDER, systemClock);
    return {
      ...stores,
      openCheckpoints: (lease) => createSqliteCheckpoints(database, () => leases.check(lease)),
      leases,
      createJobs: await openJobs(settings, { database, owner: HOLDER }, closing),
      share: () => handleFor({ dataFolder, port: stores.events.connect() }),
      close: closing.run,
    };
  });
}

/** Opens the stores of a folder that is locked already. */
export function openStores(places: Places): Promise<Stores> {
  return opening(async (closing) => {
    const stores = await openStoresIn(places, closing, () => undefined);
    return { ...stores, close: closing.run };
  });
}

async function openStoresIn(
  places: Places,
  closing: Closing,
  tell: Tell,
): Promise<Omit<Stores, 'events' | 'close'> & { readonly events: SqliteEventStore }> {
  const events = await openConsistentLog(places);
  closing.add(() => events.close());
  const identity = await openIdentityStore({ file: places.identity });
  closing.add(() => identity.close());
  const files = await openFolderFiles({
    folder: places.files,
    onRemade: () => tell('The catalog of uploaded files was damaged: it is made anew from the folder.'),
  });
  closing.add(() => files.close());
  const models = openSqliteReadStoreReader({ file: places.readModels });
  closing.add(() => models.close());
  return { events, identity, files, models };
}
