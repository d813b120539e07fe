export {
  connectMongo,
  type Answer,
  type Find,
  type MongoConnection,
  type MongoOptions,
} from './connection.js';
export { byCode, codes, serverCode, unknownOutcome } from './errors.js';
