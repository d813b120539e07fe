export { accountCommand, anyMinor, anyPrice } from './arbitraries.js';
export {
  accountOf,
  adjusting,
  confirmingFunding,
  customer,
  customerId,
  fundingOf,
  pricesOf,
  refusalOf,
  rejectingFunding,
  taken,
  transferOf,
  withdrawalOf,
} from './build.js';
