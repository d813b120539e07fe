export { openPersonKeys } from './person-keys.js';
export { headFileOf, readHeadFile, writeHeadFile } from './head-file.js';
export { forgetHead, identityStanding, lostPersonKeys } from './standing.js';
export {
  identitiesIn,
  openIdentityRows,
  openIdentityStore,
  openIdentityStoreInMemory,
  sealKeysIn,
} from './store.js';
