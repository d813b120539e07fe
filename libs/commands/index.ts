export {
  createExecutor,
  type CommandContext,
  type Execution,
  type Executor,
  type Loaded,
} from './executor.js';
