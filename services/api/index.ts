export { inviteFirstAdmin } from './access/registration.js';
export { reconcileAccess } from './access/standing.js';
export { createTrail, type Trail } from './access/trail.js';
export { createApi, type ApiParts } from './app.js';
export { createLedger, type Ledger } from './commands/ledger.js';
export type { Engines, ProjectionFeed } from './engines.js';
export type { ApiSettings } from './settings.js';
