export { ApiModule, createApi, type ApiParts } from './app.js';
export { ApplicationModule } from './application.js';
export { descriptorsAllowed } from './http/connections.js';
export { traceTelling } from './live/traces.js';
export { createBusMeter } from './operations/metrics.js';
export { METRICS } from './operations/health.controller.js';
export type { ApiSettings } from './settings.js';
