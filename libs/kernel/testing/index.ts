export { describeOnServer, describeWhere, type TestServer } from './describe.js';
export { engineNamed, type EngineName } from './engines.js';
