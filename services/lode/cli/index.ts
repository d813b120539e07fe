export { checkLog } from './check-folder.js';
export { exitCodes, type Command } from './command.js';
export { commands } from './commands.js';
export { withEngines, type Engines } from './engines.js';
export { commonOptions, usageOf, written } from './parse.js';
