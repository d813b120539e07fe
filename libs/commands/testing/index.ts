export { checkHistories } from './histories.js';
export { asPromise, outcomeOf } from './outcome.js';
export { asked, type Asked } from './pending.js';
export { damaged, gated, watched, withFaults, type Fault } from './stores.js';
export {
  contextOf,
  startTally,
  tallyDecider,
  type Tally,
  type TallyCommand,
  type TallyEvent,
} from './tally.js';
export { manualTimers, slow, virtualTimers } from './timers.js';
export {
  apply,
  emptyModel,
  type ModelAccount,
  type ModelRequest,
  type Outcome,
  type Sent,
  type WalletModel,
} from './wallet-model.js';
