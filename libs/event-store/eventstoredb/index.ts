export { openEventStoreDb, type EventStoreDbOptions } from './open.js';
