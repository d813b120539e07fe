export { orderLimits, type Order, type Orders, type Outcome } from './port.js';
export { tooManyOrders } from './rules.js';
