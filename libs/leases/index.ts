export {
  createActiveRunner,
  type ActiveRunner,
  type ActiveRunnerOptions,
  type ActiveRunnerProblem,
} from './active-runner.js';
export { leaseLimits, type Lease, type Leases } from './port.js';
export { replaced } from './rules.js';
