import type { ApplicationParts } from '../parts.js';
import { AccrueBonuses, AccrueBonusesHandler } from './accrue.js';
import { StartBonusCycle, StartBonusCycleHandler, StopBonus, StopBonusHandler } from './cycle.js';
import { GetEarliestTick, GetEarliestTickHandler, ListAccountsDue, ListAccountsDueHandler } from './due.js';
import { GetBonusPreview, GetBonusPreviewHandler } from './preview.js';
import { handledBy } from '../message.js';

/** The handlers of the promotional bonus. */
export function bonusHandlers(
  parts: Pick<ApplicationParts, 'aggregates' | 'settings' | 'readStore' | 'clock' | 'timers'>,
) {
  return [
    handledBy(AccrueBonuses, new AccrueBonusesHandler(parts.aggregates.accounts)),
    handledBy(GetBonusPreview, new GetBonusPreviewHandler(parts)),
    handledBy(GetEarliestTick, new GetEarliestTickHandler(parts.readStore)),
    handledBy(ListAccountsDue, new ListAccountsDueHandler(parts.readStore)),
    handledBy(StartBonusCycle, new StartBonusCycleHandler(parts)),
    handledBy(StopBonus, new StopBonusHandler(parts)),
  ];
}
