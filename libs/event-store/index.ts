export {
  appendEach,
  limits,
  type Append,
  type Appended,
  type EventStore,
  type ExpectedRevision,
  type StreamRead,
  type TypesRead,
} from './port.js';
