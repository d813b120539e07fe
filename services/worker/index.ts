export { bonusTick, type BonusReport, type BonusTick, type BonusTickOptions } from './bonus-tick.js';
export { jobsElsewhere } from './elsewhere.js';
export { BATCHES_UNDER_WAY, localBonusWorkers, type BonusWorkers } from './bonus-workers.js';
export { bonusWorkerThreads, type BonusWorkerThreadsOptions } from './bonus-worker-threads.js';
export { createProcesses, type ProcessesOptions, type RunningProcesses } from './processes.js';
