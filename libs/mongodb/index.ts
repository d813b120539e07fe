export { listOf, membersOf, type Answer } from './answers.js';
export {
  connectMongo,
  type Find,
  type MongoConnection,
  type MongoOptions,
  type Update,
  type UpdatesOf,
} from './connection.js';
export {
  afterWrite,
  change,
  claimFor,
  heard,
  ownerOf,
  integer,
  isWhole,
  outcomeOf,
  read,
  removeAll,
  requireFormat,
  text,
  tidy,
  unheard,
  valueOf,
  type Decision,
  type Documents,
} from './documents.js';
export { lasting } from './lasting.js';
export { byCode, codes, serverCode, unknownOutcome } from './errors.js';
