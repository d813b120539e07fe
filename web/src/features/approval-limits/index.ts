export { ApprovalLimitsForm } from './approval-limits-form';
