export { freshStream, sealedEvents, textsOf } from './build.js';
export { checkLog, everything } from './log.js';
export { startWriting, type Writing } from './write.js';
