export { describeOnServer, describeWhere, type TestServer } from './describe.js';
export { engineNamed, lacking, type EngineName } from './engines.js';
export { canTrace, mustRun } from './needed.js';
export { opened } from './opened.js';
export { until } from './until.js';
