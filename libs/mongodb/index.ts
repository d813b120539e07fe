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
  ownerOf,
  integer,
  isWhole,
  outcomeOf,
  read,
  removeAll,
  requireFormat,
  text,
  tidy,
  valueOf,
  type Decision,
  type Documents,
} from './documents.js';
export { byCode, codes, serverCode, unknownOutcome } from './errors.js';
