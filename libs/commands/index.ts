export type { CommandContext, CommandTo, Execution, Executor, ManyOptions } from './command.js';
export { createExecutor } from './executor.js';
export type { Loaded } from './fold.js';
