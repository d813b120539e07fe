export { bonusTick, type BonusReport, type BonusTick, type BonusTickOptions } from './bonus-tick.js';
export { payersOn, type Payers } from './payers.js';
export { payerThreads, type PayerThreadsOptions } from './payer-threads.js';
