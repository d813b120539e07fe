export {
  createExecutor,
  type CommandContext,
  type CommandTo,
  type Execution,
  type Executor,
  type Loaded,
  type ManyOptions,
} from './executor.js';
