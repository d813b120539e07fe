export { FundForm } from './fund-form';
export { NextSteps } from './next-steps';
