export {
  limits,
  type Append,
  type Appended,
  type EventStore,
  type ExpectedRevision,
  type StreamRead,
} from './port.js';
