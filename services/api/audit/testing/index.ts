export { logOf, worldOf, type World } from './world.js';
