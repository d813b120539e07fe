import type { Build, ReadStore, ReadStoreReader } from '#read-store';
import {
  openSqliteReadStore,
  openSqliteReadStoreReader,
  openSqliteReadStoreSnapshot,
  scrubSqliteReadStore,
} from '#read-store/sqlite';
import type { EngineSettings, ModelsNotice, ModelsSnapshot } from './engines.js';
import { placesIn } from './places.js';
import { mongoAt, type MongoPlace } from './servers.js';

const mongo = () => import('#read-store/mongodb');

/** The read models, where they are. */
export type ModelsEngine = {
  readonly openReader: () => Promise<ReadStoreReader>;
  /** To write them: from then on whoever did before is refused. */
  readonly open: (tell?: (notice: ModelsNotice) => void) => Promise<ReadStore>;
  /** To be looked at beside whoever writes them; undefined while there are none. */
  readonly openSnapshot: () => Promise<ModelsSnapshot | undefined>;
  /** Writes them anew without what was deleted or replaced in them, where the engine keeps that. */
  readonly compact: () => Promise<void>;
};

/** The read models of these settings. Nothing is opened yet. */
export function modelsOf(settings: EngineSettings): ModelsEngine {
  const { mongodbUrl, dataFolder } = settings;
  return mongodbUrl === undefined
    ? modelsIn(placesIn(dataFolder).readModels)
    : onServer(mongoAt(mongodbUrl, settings));
}

function modelsIn(file: string): ModelsEngine {
  return {
    openReader: async () => openSqliteReadStoreReader({ file }),
    open: async (tell = () => undefined) =>
      openSqliteReadStore({ file, onDiscarded: (discarded) => tell({ kind: 'set aside', ...discarded }) }),
    openSnapshot: async () => openSqliteReadStoreSnapshot({ file }),
    compact: () => scrubSqliteReadStore({ file }),
  };
}

function onServer(at: MongoPlace): ModelsEngine {
  return {
    openReader: async () => (await mongo()).openMongoReadStoreReader(at),
    open: async (tell = () => undefined) => {
      const { openMongoReadStore } = await mongo();
      const onIndexesMade = ({ collection }: Build, count: number) =>
        tell({ kind: 'indexes made again', model: collection, count });
      return openMongoReadStore({ ...at, onIndexesMade });
    },
    openSnapshot: async () => (await mongo()).openMongoReadStoreSnapshot(at),
    // A server overwrites by itself what it deletes, in its own time.
    compact: async () => undefined,
  };
}
