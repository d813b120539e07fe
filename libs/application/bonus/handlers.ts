import type { ApplicationParts } from '../parts.js';
import { AccrueBonusesHandler } from './accrue.js';
import { StartBonusCycleHandler, StopBonusHandler } from './cycle.js';
import { GetEarliestTickHandler, ListAccountsDueHandler } from './due.js';
import { GetBonusPreviewHandler } from './preview.js';

/** The handlers of the promotional bonus. */
export function bonusHandlers(
  parts: Pick<ApplicationParts, 'aggregates' | 'settings' | 'readStore' | 'clock' | 'timers'>,
) {
  return [
    new AccrueBonusesHandler(parts.aggregates.accounts),
    new GetBonusPreviewHandler(parts),
    new GetEarliestTickHandler(parts.readStore),
    new ListAccountsDueHandler(parts.readStore),
    new StartBonusCycleHandler(parts),
    new StopBonusHandler(parts),
  ];
}
