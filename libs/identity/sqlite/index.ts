export { openPersonKeys } from './person-keys.js';
export { identitiesIn, openIdentityStore, sealKeysIn } from './store.js';
