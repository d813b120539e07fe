export { createClosing, opening, type Closing } from './closing.js';
export { identityMismatch, mismatchesIn, readModelsMismatch, refuse, strayedIn } from './consistency.js';
export { openStores } from './embedded.js';
export type {
  Engines,
  EnginesHandle,
  EngineSettings,
  JobsOptions,
  JoinedEngines,
  Stores,
} from './engines.js';
export { hasCode, inOneSentence, withDatabase } from './failures.js';
export { joinEngines } from './join.js';
export { lockFolder, unwritable } from './lock.js';
export { openEngines } from './open.js';
export { placesIn, type Places } from './places.js';
export { openProcessesFile, openProcessesFileForReading, removeProcessesFile } from './processes-file.js';
