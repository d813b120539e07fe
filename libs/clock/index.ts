export {
  clockNotAccepted,
  createGuardedClock,
  instantText,
  joinGuardedClock,
  type ClockState,
  type GuardedClock,
  type MachineClocks,
} from './guarded-clock.js';
export { machineClocks } from './machine.js';
export type { ClockAnswer, ClockMarks, ClockRequest, ClockRequests } from './port.js';
export {
  CLOCK_STEP_MS,
  CLOCK_TOLERANCE,
  isFurther,
  knownTime,
  type Acceptances,
  type ClockMark,
  type ClockTolerance,
  type KnownTime,
} from './rule.js';
