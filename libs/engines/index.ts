export {
  identityMismatch,
  mismatchesIn,
  openWholeLog,
  readModelsMismatch,
  refuse,
  strayedIn,
} from './consistency.js';
export { hasCode, inOneSentence, withDatabase } from './failures.js';
export { lockFolder, unwritable } from './lock.js';
export { placesIn, type Places } from './places.js';
export { openProcessesFile, openProcessesFileForReading, removeProcessesFile } from './processes-file.js';
