import type { ApplicationParts } from '../parts.js';
import { AccrueBonusesHandler } from './accrue.js';
import { RestartBonusCycleHandler, StartBonusCycleHandler, StopBonusHandler } from './cycle.js';

/** The handlers of the promotional bonus. */
export function bonusHandlers(parts: ApplicationParts) {
  return [
    new AccrueBonusesHandler(parts.aggregates.accounts),
    new RestartBonusCycleHandler(parts),
    new StartBonusCycleHandler(parts),
    new StopBonusHandler(parts),
  ];
}
