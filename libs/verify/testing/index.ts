export { moved, purseKind } from './purse.js';
export { logOf, nextPosition, sealedLog, type Fact } from './sealed.js';
