import type { ApplicationParts } from '../parts.js';
import { AccrueBonusesHandler } from './accrue.js';
import { RestartBonusCycleHandler, StartBonusCycleHandler, StopBonusHandler } from './cycle.js';
import { GetEarliestTickHandler, ListAccountsDueHandler } from './due.js';

/** The handlers of the promotional bonus. */
export function bonusHandlers(parts: Pick<ApplicationParts, 'aggregates' | 'settings' | 'readStore'>) {
  return [
    new AccrueBonusesHandler(parts.aggregates.accounts),
    new GetEarliestTickHandler(parts.readStore),
    new ListAccountsDueHandler(parts.readStore),
    new RestartBonusCycleHandler(parts),
    new StartBonusCycleHandler(parts),
    new StopBonusHandler(parts),
  ];
}
