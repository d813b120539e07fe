export { createLogCheck, FAULTS_MAX, type LogCheck, type LogReport, type TrialBalance } from './check.js';
export { describeFault, type Fault, type FaultKind } from './faults.js';
export {
  describeMismatch,
  formatHeads,
  headsOf,
  parseHeads,
  type HeadsOptions,
  type LogHeads,
} from './heads.js';
export { kindOf, ledgerKinds, type StreamKind } from './kinds.js';
export { verifyLog, type LogToCheck, type Milestone, type VerifyLogOptions } from './log.js';
export {
  compareReadModels,
  type CompareOptions,
  type ModelReport,
  type ReadModelsSnapshot,
} from './read-models.js';
