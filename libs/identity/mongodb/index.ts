export { openMongoPersonKeys } from './person-keys.js';
export { openMongoIdentityStore } from './store.js';
