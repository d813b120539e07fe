export {
  jobLimits,
  type JobContext,
  type JobKind,
  type JobLimits,
  type JobProblem,
  type JobReport,
  type JobRun,
  type Jobs,
  type JobsOptions,
  type RunByHand,
  type Schedule,
} from './port.js';
export { nextSlot, slotAt } from './rules.js';
