export { DepositAddress } from './deposit-address';
export { FundForm } from './fund-form';
export { FundingSteps } from './funding-steps';
