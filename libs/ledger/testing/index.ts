export { accountCommand, anyMinor, anyPrice } from './arbitraries.js';
export { accountOf, customer, customerId, fundingOf, pricesOf, refusalOf } from './build.js';
export { exampleTypes, foldFrozen, holdsChain } from './frozen.js';
