export {
  buildName,
  checkCollection,
  indexedFields,
  indexedText,
  indexFor,
  requiredFields,
  sameIndexes,
} from './declarations.js';
export { leastOf } from './checkpoints.js';
export { damageIn, watchDamage, type Damage } from './damage.js';
export {
  checkpointStart,
  foldedLate,
  idIndex,
  limits,
  type Batch,
  type Build,
  type BuildPlan,
  type BuildState,
  type Checkpoint,
  type Collection,
  type Discarded,
  type Document,
  type Index,
  type ListQuery,
  type ReadStore,
  type ReadStoreReader,
} from './port.js';
