export { exitCodes, type Command } from './command.js';
export { commands } from './commands.js';
export { commonOptions, usageOf, written } from './parse.js';
