export {
  createExecutor,
  type CommandContext,
  type CommandTo,
  type Execution,
  type Executor,
  type ManyOptions,
} from './executor.js';
export type { Loaded } from './folded.js';
