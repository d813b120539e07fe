import { joinSqliteEventStore } from '#event-store/sqlite';
import { openPersonKeys } from '#identity/sqlite';
import { openSqliteReadStore } from '#read-store/sqlite';
import type { EnginesHandle, JoinedEngines } from './engines.js';
import { openHandle } from './handle.js';
import { placesIn } from './places.js';

/** The engines that another thread of this program shared. */
export function joinEngines(handle: EnginesHandle): JoinedEngines {
  const { dataFolder, port } = openHandle(handle);
  const { log, readModels, identity } = placesIn(dataFolder);
  return {
    openEvents: () => joinSqliteEventStore({ file: log, port }),
    openModels: (onDiscarded) => openSqliteReadStore({ file: readModels, onDiscarded }),
    openPersonKeys: () => openPersonKeys({ file: identity }),
  };
}
