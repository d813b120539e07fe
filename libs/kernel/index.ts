export { canonicalJson, type Json } from './canonical-json.js';
export { chainHolds, chainOf, chainStart, eventText, sha256, type EventText } from './chain.js';
export {
  eventCodecs,
  plainCodec,
  reading,
  UnknownEvent,
  type CodecsByType,
  type EventCodec,
  type EventCodecs,
} from './codec.js';
export { unreachable, type Decider } from './decider.js';
export {
  errorCodes,
  deserializeError,
  invariant,
  InvariantViolation,
  isEngineError,
  isLodeError,
  isOutage,
  LodeError,
  serializeError,
  type ErrorCode,
  type ErrorDetails,
  type SerializedError,
} from './errors.js';
export type {
  Actor,
  DecodedEvent,
  DomainEvent,
  Envelope,
  EnvelopedEvent,
  EventMeta,
  RecordedEvent,
  SealedEvent,
  StoredData,
  StoredFact,
  StreamEvent,
} from './event.js';
export {
  commandIdOf,
  eventId,
  randomAlphanumeric,
  randomDigits,
  randomSecret,
  systemClock,
  systemMonotonic,
  systemRandom,
  uuidV4,
  uuidV5,
  type Clock,
  type Random,
} from './ids.js';
export {
  comparePositions,
  logStart,
  parsePosition,
  positionOf,
  sortablePosition,
  type Position,
} from './position.js';
export { delay, type RetryPolicy } from './retry.js';
export { createSignal, type Signal } from './signal.js';
export { systemTimers, type Timers } from './timers.js';
export { createSemaphore, type Semaphore } from './semaphore.js';
