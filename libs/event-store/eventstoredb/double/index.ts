export { startDouble, type DoubleOptions, type EventStoreDbDouble } from './double.js';
export type { AppendFault } from './server.js';
export { spawnDouble, type DoubleProcess } from './spawn.js';
