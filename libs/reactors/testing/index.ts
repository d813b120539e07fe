export { createWorld, echo, memoryCheckpoints, quick, until, type Life, type World } from './mortal.js';
