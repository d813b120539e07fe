export {
  BONUS_TICK,
  bonusTick,
  type BonusReport,
  type BonusTerms,
  type BonusTick,
  type BonusTickOptions,
} from './bonus-tick.js';
