export type { Log } from './runner-context.js';
export { amendmentsIn } from './bookkeeping.js';
export type { DocumentChange } from './delivery.js';
export type { ProjectionFeed } from './feed.js';
export { laneIn } from './lanes.js';
export type { BuildHealth, ModelHealth, RebuildProgress, RunnerHealth } from './health.js';
export { runnerLimits, type Budget, type RunnerLimits } from './limits.js';
export {
  accounts,
  invitations,
  messages,
  notifications,
  products,
  noTotals,
  requests,
  searchKey,
  settings,
  totals,
  TOTALS_ID,
  transactions,
  transfers,
  walletModels,
  withEveryBalance,
  withEverySum,
  withoutParticulars,
  type AccountDocument,
  type InvitationDocument,
  type ApprovalDocument,
  type ChangeDocument,
  type MessageDocument,
  type NotificationDocument,
  type ProductDocument,
  type RequestDocument,
  priceId,
  type SettingsDocument,
  type TotalsDocument,
  type TransactionDocument,
  type TransferDocument,
  bucketLevels,
  bucketRange,
  eventKey,
  eventPlace,
  timeOfPlace,
  events,
  deltasOf,
  postingsIn,
  isPersonal,
  otherIn,
  streamOf,
  sumsKey,
  dailySumNames,
  dailySums,
  sumsId,
  trialBalance,
  type BucketLevel,
  type DailySumName,
  type DailySumsDocument,
  type Deltas,
  type EventDocument,
  type TrialBalanceDocument,
} from './models/index.js';
export { retireOutdated } from './build-set.js';
export { parkedEvents, readParked, type ParkedEvent, type ParkedQuery } from './parking.js';
export {
  openingWith,
  openPersonalData,
  type Decrypt,
  type OpenEvent,
  type Opening,
  type OpenedAccountEvent,
  type Profile,
} from './personal-data.js';
export { createPositionGate, type PositionGate } from './position-gate.js';
export {
  ignore,
  logModel,
  readModel,
  type Change,
  type Handler,
  type Handlers,
  type OpenedEvent,
  type LogModel,
  type ReadModel,
  type StreamModel,
} from './read-model.js';
export type { Replayed } from './replay.js';
export { createStoredModels, type StoredModels } from './stored.js';
export { createChangesElsewhere, type ChangesElsewhere } from './told.js';
export {
  describeDiverged,
  dropDiverged,
  refuseDiverged,
  divergedBuilds,
  type DivergedBuild,
} from './diverged.js';
export {
  createProjectionRunner,
  type ProjectionRunner,
  type RunnerOptions,
  type RunnerReport,
} from './runner.js';
