export {
  createActiveMember,
  type ActiveMember,
  type ActiveMemberOptions,
  type Part,
} from './active-member.js';
export {
  createActiveRunner,
  type ActiveRunner,
  type ActiveRunnerOptions,
  type ActiveRunnerProblem,
} from './active-runner.js';
export { leaseLimits, type CheckedLeases, type Lease, type Leases } from './port.js';
export { replaced } from './rules.js';
