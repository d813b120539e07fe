export { ApiModule, createApi, type ApiParts } from './app.js';
export { createBusMeter } from './operations/metrics.js';
export type { ApiSettings } from './settings.js';
