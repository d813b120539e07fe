export {
  everyAdmin,
  useAdminsQuery,
  useApprovalsQuery,
  useApproveAdjustmentMutation,
  useApproveChangeMutation,
  useChangesQuery,
  useRejectAdjustmentMutation,
  useRejectChangeMutation,
} from './api';
export { AskAnother } from './ask-another';
export { decidersIn } from './deciders';
export { GivenBy } from './given-by';
export { TakesSecond } from './takes-second';
export { WaitingChange } from './waiting-change';
export { useNeeded, useWaiting } from './use-approvals';
export { stepWords } from './words';
