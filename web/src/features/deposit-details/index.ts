export { DepositDetailsForm } from './deposit-details-form';
