export { openMongoPersonKeys } from './person-keys.js';
export { identitiesInMongo, mongoStanding, openMongoIdentityStore, sealKeysInMongo } from './store.js';
