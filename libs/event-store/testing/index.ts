export { freshStream, sealedEvents } from './build.js';
export { checkLog, everything } from './log.js';
export { startWriting, type Writing } from './write.js';
