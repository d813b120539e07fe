export { moved, purseKind } from './purse.js';
export { logOf, sealedLog, type Fact } from './sealed.js';
