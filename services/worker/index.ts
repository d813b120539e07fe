export { BONUS_TICK, bonusTick, type BonusTerms, type BonusTickOptions } from './bonus-tick.js';
