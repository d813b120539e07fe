import type { ApplicationParts } from '../parts.js';
import { GetJobsConditionHandler, ListJobsHandler, RunBonusTickHandler, RunJobHandler } from './jobs.js';
import { ListReactorsHandler, RetryReactorsHandler } from './reactors.js';
import { ListStalledTransfersHandler } from './stalled.js';
import { ListTickResultsHandler } from './tick-results.js';

/** The handlers of what the program does by itself. */
export function processHandlers(
  parts: Pick<ApplicationParts, 'aggregates' | 'clock' | 'eventStore' | 'processes' | 'random' | 'readStore'>,
) {
  return [
    new GetJobsConditionHandler(parts),
    new ListJobsHandler(parts),
    new ListReactorsHandler(parts),
    new ListStalledTransfersHandler(parts),
    new ListTickResultsHandler(parts),
    new RetryReactorsHandler(parts),
    new RunBonusTickHandler(parts),
    new RunJobHandler(parts),
  ];
}
