export {
  createExecutor,
  type CommandContext,
  type CommandTo,
  type Execution,
  type Executor,
  type Loaded,
} from './executor.js';
