export {
  createAggregates as createLedger,
  settingsInForce,
  type Aggregates as Ledger,
  type Ports as Engines,
  type Processes,
} from '#application';
export { deleteFilesOf, erasePerson, type Erased } from './access/erasure.js';
export { inviteFirstAdmin, issueInvitation } from './access/registration.js';
export { reconcileAccess } from './access/standing.js';
export { createTrail, type Trail } from './access/trail.js';
export { createApi, type ApiParts } from './app.js';
export { STALLED_AFTER_MS, stalledTransfers, type StalledTransfer } from './processes/stalled.js';
export type { ApiSettings } from './settings.js';
