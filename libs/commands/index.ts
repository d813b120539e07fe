export type { CommandContext, CommandTo, Execution, Executor, ManyOptions } from './command.js';
export { createExecutor } from './executor.js';
export { createStateCache, STATE_CACHE_MIB, type StateCache } from './state-cache.js';
export type { Loaded } from './fold.js';
