export {
  connectMongo,
  type Answer,
  type Find,
  type MongoConnection,
  type MongoOptions,
} from './connection.js';
export {
  afterWrite,
  change,
  claimFor,
  integer,
  listOf,
  membersOf,
  outcomeOf,
  read,
  removeAll,
  requireFormat,
  text,
  tidy,
  type Decision,
  type Documents,
} from './documents.js';
export { byCode, codes, serverCode, unknownOutcome } from './errors.js';
