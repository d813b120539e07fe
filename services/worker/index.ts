export { bonusTick, type BonusReport, type BonusTick, type BonusTickOptions } from './bonus-tick.js';
export { BONUS_TICK, payersOn, type BonusTerms, type Payers } from './payers.js';
export { payerThreads, type PayerThreadsOptions } from './payer-threads.js';
