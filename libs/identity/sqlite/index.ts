export { openPersonKeys } from './person-keys.js';
export { identitiesIn, openIdentityStore } from './store.js';
