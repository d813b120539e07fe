export { checkEventStoreDb, type EventStoreFinding } from './check.js';
export { openEventStoreDb, type EventStoreDbOptions } from './open.js';
