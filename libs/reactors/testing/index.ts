export { createWorld, echo, memoryCheckpoints, quick, type Life, type World } from './mortal.js';
