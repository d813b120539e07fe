export { startDouble, type DoubleOptions, type Fault, type HeldUp, type MongoDbDouble } from './double.js';
export { spawnDouble, type DoubleProcess } from './spawn.js';
