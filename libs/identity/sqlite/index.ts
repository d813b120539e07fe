export { openPersonKeys } from './person-keys.js';
export { openIdentityStore } from './store.js';
