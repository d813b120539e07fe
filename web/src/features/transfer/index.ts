export { TransferForm } from './transfer-form';
export { TransferSteps } from './transfer-steps';
