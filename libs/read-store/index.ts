export {
  buildName,
  checkCollection,
  indexedFields,
  indexedText,
  indexFor,
  requiredFields,
  sameIndexes,
} from './declarations.js';
export {
  idIndex,
  limits,
  type Batch,
  type Build,
  type BuildPlan,
  type BuildState,
  type Collection,
  type Document,
  type Index,
  type ListQuery,
  type ReadStore,
  type ReadStoreReader,
} from './port.js';
