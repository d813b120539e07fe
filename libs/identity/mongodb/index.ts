export { openMongoIdentityStore } from './store.js';
