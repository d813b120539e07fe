import { hostname } from 'node:os';
import { resolve } from 'node:path';
import {
  admitKeyRing,
  checkSealKeys,
  checkStillAdmitted,
  joinKeyHolders,
  sealingWhileHeld,
  type IdentityStanding,
  type IdentityStore,
  type KeptHead,
  type KeyRing,
  type PersonKeysReader,
  type SealKey,
} from '#identity';
import {
  headFileOf,
  identitiesIn,
  identityStanding,
  lostPersonKeys,
  openIdentityRows,
  openIdentityStore,
  openPersonKeys,
  readHeadFile,
  sealKeysIn,
} from '#identity/sqlite';
import { systemRandom, systemTimers } from '#kernel';
import type { EngineSettings } from './engines.js';
import { placesIn } from './places.js';
import { newProgramName } from './program-name.js';
import { atServer, mongoAt, type MongoPlace } from './servers.js';

const mongo = () => import('#identity/mongodb');

/** Credentials, sessions and keys, where they are. */
export type IdentityEngine = {
  /** As it stands in a sentence. */
  readonly name: string;
  /** Who is there, before anything is made. */
  readonly look: () => Promise<'missing' | 'nobody' | 'people'>;
  /** How it stands, the head that is kept beside it, and the keys that were given up, before anything is made. */
  readonly standing: () => Promise<IdentityStanding | undefined>;
  readonly head: () => Promise<KeptHead>;
  readonly lostPersonKeys: () => Promise<number>;
  /** The head as it begins a sentence. */
  readonly headName: string;
  /**
   * Refuses, with `storage_failed`, one that is sealed with a key that the settings don't have; with `not_permitted` one that
   * others are at work on whose keys don't fit these.
   */
  readonly open: (as?: OpenedAs) => Promise<IdentityStore>;
  /** The rows alone, to be looked at beside whoever writes them; nothing is written, but for what `completes` says of old ones. */
  readonly openRows: (how: RowsLook) => Promise<IdentityRows>;
  /** The keys alone, beside whoever writes them. Refuses as `open`. */
  readonly openKeys: () => Promise<PersonKeysReader>;
  /** The keys that it may be sealed with. */
  readonly sealKeys: () => Promise<readonly SealKey[]>;
};

/** Who opens an identity store that several share: a command that seals nothing anew, unless it is said. */
export type OpenedAs = {
  /** The program of the data folder, by its name. */
  readonly program?: string;
  readonly rewraps?: boolean;
};

/** The rows of an identity store, to be compared with their checksums. */
export type IdentityRows = Pick<IdentityStore, 'checkRows' | 'close'>;

/** Whether rows from before there were checksums are given theirs by a look at them, where that can be done. */
type RowsLook = { readonly completes: boolean };

/** The identity store of these settings. Nothing is opened yet. */
export function identityOf(settings: EngineSettings): IdentityEngine {
  const { mongodbUrl, dataFolder, keys = [] } = settings;
  return mongodbUrl === undefined
    ? identityIn(placesIn(dataFolder).identity, keys)
    : onServer(mongoAt(mongodbUrl, settings), dataFolder, keys);
}

function identityIn(file: string, keys: KeyRing): IdentityEngine {
  return {
    name: file,
    look: async () => identitiesIn({ file }),
    standing: async () => identityStanding({ file }),
    head: async () => readHeadFile(file),
    lostPersonKeys: async () => lostPersonKeys({ file }),
    headName: headFileOf(file),
    openRows: async () => openIdentityRows({ file }),
    open: async () => admitted(await openIdentityStore({ file }), keys),
    openKeys: async () => {
      checkSealKeys(sealKeysIn({ file }), keys);
      return openPersonKeys({ file, keys });
    },
    sealKeys: async () => sealKeysIn({ file }),
  };
}

async function admitted(store: IdentityStore, keys: KeyRing): Promise<IdentityStore> {
  try {
    await admitKeyRing(store, keys, systemRandom);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Opens a store that several share, and says which keys are at work on it until it is closed. */
async function openShared(
  at: MongoPlace,
  keys: KeyRing,
  { where, program = newProgramName(), rewraps = false }: OpenedAs & { readonly where: string },
): Promise<IdentityStore> {
  const { keyHolders, ...store } = await (await mongo()).openMongoIdentityStore(at);
  try {
    // First, because it says more of a key that is missing.
    checkSealKeys(await store.sealKeys(), keys);
    const me = { name: program, where, keys: keys.map(({ id }) => id), rewraps };
    const requireKeys = async () => checkStillAdmitted(await store.sealKeys(), keys);
    const held = await joinKeyHolders(keyHolders, me, { requireKeys, timers: systemTimers });
    const close = () => held.leave().finally(store.close);
    return await admitted(sealingWhileHeld({ ...store, close }, held), keys);
  } catch (error) {
    await store.close();
    throw error;
  }
}

function onServer(at: MongoPlace, dataFolder: string, keys: KeyRing): IdentityEngine {
  const where = `on ${hostname()} with the data folder ${resolve(dataFolder)}`;
  const opening = <T>(open: () => Promise<T>) => atServer('MONGODB_URL', at.url, open);
  return {
    name: 'the identity store in MongoDB',
    look: () => opening(async () => (await mongo()).identitiesInMongo(at)),
    standing: () => opening(async () => (await mongo()).mongoStanding(at).standing()),
    head: () => opening(async () => (await mongo()).mongoStanding(at).head()),
    lostPersonKeys: () => opening(async () => (await mongo()).mongoStanding(at).lostPersonKeys()),
    headName: 'The head in MongoDB',
    openRows: (how) => opening(async () => (await mongo()).openMongoIdentityRows({ ...at, ...how })),
    open: (as) => opening(() => openShared(at, keys, { ...as, where })),
    openKeys: () =>
      opening(async () => {
        checkSealKeys(await (await mongo()).sealKeysInMongo(at), keys);
        return (await mongo()).openMongoPersonKeys({ ...at, keys });
      }),
    sealKeys: () => opening(async () => (await mongo()).sealKeysInMongo(at)),
  };
}
