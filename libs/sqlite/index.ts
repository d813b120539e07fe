export {
  hasColumn,
  hasTable,
  holdSnapshot,
  isEmpty,
  lookInto,
  openDatabase,
  pragma,
  setDurability,
  statementCache,
  transaction,
  type Opening,
  type Statements,
} from './database.js';
export {
  commit,
  failureOf,
  isDamage,
  keptFileError,
  mayPass,
  orUnavailable,
  readingAgain,
  storageError,
  type Sentences,
} from './errors.js';
export {
  clearDamageMark,
  isMarkedDamaged,
  makeForOwner,
  markIfDamaged,
  removeDatabase,
  setAside,
  setAsideName,
} from './files.js';
export { startOverwriter } from './overwriting.js';
