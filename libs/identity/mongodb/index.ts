export { openMongoPersonKeys } from './person-keys.js';
export { identitiesInMongo, openMongoIdentityStore, sealKeysInMongo } from './store.js';
