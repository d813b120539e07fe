export { AddressForm } from './address-form';
export { MoneyWaits } from './money-waits';
export { WithdrawalForm } from './withdrawal-form';
export { WithdrawalSteps } from './withdrawal-steps';
