export { openMongoPersonKeys } from './person-keys.js';
export {
  identitiesInMongo,
  mongoStanding,
  openMongoIdentityRows,
  openMongoIdentityStore,
  sealKeysInMongo,
} from './store.js';
