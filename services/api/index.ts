export {
  createAggregates as createLedger,
  settingsInForce,
  type Aggregates as Ledger,
  type Ports as Engines,
  type Processes,
} from '#application';
export { createApi, type ApiParts } from './app.js';
export { createBusMeter } from './operations/metrics.js';
export { STALLED_AFTER_MS, stalledTransfers, type StalledTransfer } from './processes/stalled.js';
export type { ApiSettings } from './settings.js';
