export type { Found, Look, Looking } from './look.js';
export { lookAtLog } from './log.js';
export { lookAtDocuments, lookAtFiles, lookAtIdentity } from './rest.js';
export {
  createScrubber,
  missedIn,
  scrubLimits,
  type Pass,
  type Scrubber,
  type ScrubberOptions,
  type ScrubLimits,
  type ScrubState,
} from './scrubber.js';
