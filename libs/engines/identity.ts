import type { IdentityStore, PersonKeysReader } from '#identity';
import { identitiesIn, openIdentityStore, openPersonKeys } from '#identity/sqlite';
import type { EngineSettings } from './engines.js';
import { placesIn } from './places.js';
import { atServer, mongoAt, type MongoPlace } from './servers.js';

const mongo = () => import('#identity/mongodb');

/** Credentials, sessions and keys, where they are. */
export type IdentityEngine = {
  /** As it stands in a sentence. */
  readonly name: string;
  /** Who is there, before anything is made. */
  readonly look: () => Promise<'missing' | 'nobody' | 'people'>;
  readonly open: () => Promise<IdentityStore>;
  /** The keys alone, beside whoever writes them. */
  readonly openKeys: () => Promise<PersonKeysReader>;
};

/** The identity store of these settings. Nothing is opened yet. */
export function identityOf(settings: EngineSettings): IdentityEngine {
  const { mongodbUrl, dataFolder } = settings;
  return mongodbUrl === undefined
    ? identityIn(placesIn(dataFolder).identity)
    : onServer(mongoAt(mongodbUrl, settings));
}

function identityIn(file: string): IdentityEngine {
  return {
    name: file,
    look: async () => identitiesIn({ file }),
    open: () => openIdentityStore({ file }),
    openKeys: async () => openPersonKeys({ file }),
  };
}

function onServer(at: MongoPlace): IdentityEngine {
  const opening = <T>(open: () => Promise<T>) => atServer('MONGODB_URL', at.url, open);
  return {
    name: 'the identity store in MongoDB',
    look: () => opening(async () => (await mongo()).identitiesInMongo(at)),
    open: () => opening(async () => (await mongo()).openMongoIdentityStore(at)),
    openKeys: () => opening(async () => (await mongo()).openMongoPersonKeys(at)),
  };
}
