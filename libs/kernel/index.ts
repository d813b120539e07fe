export { withoutUserInfo } from './addresses.js';
export { canonicalJson, type Json } from './canonical-json.js';
export { chainHolds, chainOf, sha256 } from './chain.js';
export { chainedText, chainStart, eventText, type EventText } from './chained.js';
export {
  eventCodecs,
  plainCodec,
  reading,
  UnknownEvent,
  type EventCodec,
  type EventCodecs,
} from './codec.js';
export { unreachable, type Decider } from './decider.js';
export {
  accountNotFound,
  callerText,
  hasCode,
  errorCodes,
  deserializeError,
  errorText,
  invariant,
  InvariantViolation,
  isEngineError,
  isLodeError,
  isOutage,
  LodeError,
  plainFailure,
  serializeError,
  type ErrorCode,
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
  noHold,
  randomAlphanumeric,
  randomDigits,
  randomSecret,
  systemClock,
  systemMonotonic,
  systemRandom,
  thisMachine,
  uuidV4,
  uuidV5,
  type Clock,
  type Hold,
  type Machine,
  type Random,
} from './ids.js';
export { metric, metricNames, type MetricName } from './metrics.js';
export { nearestName } from './nearest.js';
export {
  allLanes,
  hasAllLanes,
  hasFirstLane,
  laneOf,
  oneLane,
  partitionOf,
  PARTITIONS,
  partsOf,
  type Lanes,
} from './partitions.js';
export { refuseAnothers } from './platform.js';
export {
  comparePositions,
  logStart,
  parsePosition,
  positionOf,
  sortablePosition,
  type Position,
} from './position.js';
export { delay, type RetryPolicy } from './retry.js';
export { createRetryQueue } from './retry-queue.js';
export { createRunLoop, type Failing, type Pause, type RunLoop } from './run-loop.js';
export { createSignal } from './signal.js';
export { atMost, pause, repeatEvery, systemTimers, type Timers } from './timers.js';
export {
  createTracer,
  spanIdOf,
  traceIdOf,
  type Cause,
  type Sampling,
  type Span,
  type Tracer,
} from './tracing.js';
export { createSemaphore } from './semaphore.js';
