export { Activity, SecurityEvents } from './activity';
export { EventExplorer } from './explorer';
export type { Ways } from './inspector';
export { StreamBrowser } from './stream-browser';
export { TrialBalance } from './trial-balance';
