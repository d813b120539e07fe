export { deleteFilesOf, erasePerson, type Erased } from './access/erasure.js';
export { inviteFirstAdmin, issueInvitation } from './access/registration.js';
export { reconcileAccess } from './access/standing.js';
export { createTrail, type Trail } from './access/trail.js';
export { createApi, type ApiParts } from './app.js';
export { createLedger, type Ledger } from './commands/ledger.js';
export type { Engines, Processes, ProjectionFeed } from './engines.js';
export type { ApiSettings } from './settings.js';
export { settingsInForce } from './settings/in-force.js';
