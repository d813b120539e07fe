export { openMongoPersonKeys } from './person-keys.js';
export { identitiesInMongo, openMongoIdentityStore } from './store.js';
