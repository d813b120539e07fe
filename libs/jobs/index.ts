export {
  jobLimits,
  type JobContext,
  type JobKind,
  type JobLimits,
  type JobReport,
  type JobRun,
  type Jobs,
  type Schedule,
} from './port.js';
export { nextSlot, slotAt } from './rules.js';
