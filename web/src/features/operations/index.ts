export { useReadModelsQuery, useSystemSettingsQuery, whileLookedAt } from './api';
export { EnginesPage } from './engines-page';
export { JobsPage } from './jobs-page';
export { ProjectionsPage } from './projections-page';
export { Verification } from './verification';
