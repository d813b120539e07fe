export type { CommandContext, CommandTo, Execution, Executor } from './command.js';
export { createExecutor } from './executor.js';
export { createOpenOutcomes, unknownOutcome, type OpenOutcomes } from './outcomes.js';
export { createStateCache, STATE_CACHE_MIB } from './state-cache.js';
export type { Loaded } from './fold.js';
