export { watchAppends, type Acknowledged } from './acknowledged.js';
export {
  appendEach,
  kindsBeyond,
  limits,
  type Append,
  type Appended,
  type EventKinds,
  type EventStore,
  type ExpectedRevision,
  type LogHeader,
  type ReadByAll,
  type StreamRead,
  type TypesRead,
} from './port.js';
export { shareReads } from './shared-reader.js';
