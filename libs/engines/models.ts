import { allLanes } from '#kernel';
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

/** Lanes of read models on a server, each of which one program folds: as many can share the work. */
export const LANES = 16;

/** The read models, where they are. */
export type ModelsEngine = {
  /** How many lanes they have. */
  readonly lanes: number;
  readonly openReader: () => Promise<ReadStoreReader>;
  /** To write some lanes of them, or all: from then on whoever wrote any of these before is refused. */
  readonly open: (tell?: (notice: ModelsNotice) => void, own?: readonly number[]) => Promise<ReadStore>;
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
    lanes: 1,
    openReader: async () => openSqliteReadStoreReader({ file }),
    open: async (tell = () => undefined) =>
      openSqliteReadStore({ file, onDiscarded: (discarded) => tell({ kind: 'set aside', ...discarded }) }),
    openSnapshot: async () => openSqliteReadStoreSnapshot({ file }),
    compact: () => scrubSqliteReadStore({ file }),
  };
}

function onServer(at: MongoPlace): ModelsEngine {
  return {
    lanes: LANES,
    openReader: async () => (await mongo()).openMongoReadStoreReader(at),
    open: async (tell = () => undefined, own = allLanes(LANES).own) => {
      const { openMongoReadStore } = await mongo();
      const onIndexesMade = ({ collection }: Build, count: number) =>
        tell({ kind: 'indexes made again', model: collection, count });
      return openMongoReadStore({ ...at, lanes: { of: LANES, own }, onIndexesMade });
    },
    openSnapshot: async () => (await mongo()).openMongoReadStoreSnapshot(at),
    // A server overwrites by itself what it deletes, in its own time.
    compact: async () => undefined,
  };
}
