export { canonicalJson, type Json } from './canonical-json.js';
export { chainHolds, chainOf, chainStart, sha256 } from './chain.js';
export { unreachable, type Decider } from './decider.js';
export {
  errorCodes,
  invariant,
  InvariantViolation,
  isLodeError,
  LodeError,
  type ErrorCode,
  type ErrorDetails,
} from './errors.js';
export type { Actor, DomainEvent, EventMeta, RecordedEvent, SealedEvent, StreamEvent } from './event.js';
export {
  commandIdOf,
  derivedAlphanumeric,
  eventId,
  randomAlphanumeric,
  randomDigits,
  randomSecret,
  systemClock,
  systemRandom,
  uuidV5,
  type Clock,
  type Random,
} from './ids.js';
export { comparePositions, logStart, parsePosition, positionOf, type Position } from './position.js';
