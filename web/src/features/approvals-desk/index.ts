export { ApprovalList } from './approval-list';
export { ChangeList } from './change-list';
export { changeName } from './change-words';
export { OpenApproval } from './open-approval';
export { WaitingAdjustmentsOf } from './waiting-adjustments';
export { approvalName, approvalWords, dollarsOf } from './words';
