export { findOpenAccess } from './access.js';
export { openEventStoreDb, type EventStoreDbOptions } from './open.js';
