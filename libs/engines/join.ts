import { joinSqliteEventStore } from '#event-store/sqlite';
import { openPersonKeys } from '#identity/sqlite';
import { invariant } from '#kernel';
import { openSqliteReadStore } from '#read-store/sqlite';
import type { EnginesHandle, JoinedEngines } from './engines.js';
import { placesIn } from './places.js';

/** The engines that another thread of this program shared. */
export function joinEngines({ dataFolder, transfer: [port] }: EnginesHandle): JoinedEngines {
  const { log, readModels, identity } = placesIn(dataFolder);
  invariant(port !== undefined, 'a handle leads to the writer of the log');
  return {
    openEvents: () => joinSqliteEventStore({ file: log, port }),
    openModels: (onDiscarded) => openSqliteReadStore({ file: readModels, onDiscarded }),
    openPersonKeys: () => openPersonKeys({ file: identity }),
  };
}
