import type { ApplicationParts } from '../parts.js';
import {
  GetJobsCondition,
  GetJobsConditionHandler,
  ListJobs,
  ListJobsHandler,
  RunBonusTick,
  RunBonusTickHandler,
  RunJob,
  RunJobHandler,
} from './jobs.js';
import { ListReactors, ListReactorsHandler, RetryReactors, RetryReactorsHandler } from './reactors.js';
import { ListStalledTransfers, ListStalledTransfersHandler } from './stalled.js';
import { ListTickResults, ListTickResultsHandler } from './tick-results.js';
import { handledBy } from '../message.js';

/** The handlers of what the program does by itself. */
export function processHandlers(
  parts: Pick<ApplicationParts, 'aggregates' | 'clock' | 'eventStore' | 'processes' | 'random' | 'readStore'>,
) {
  return [
    handledBy(GetJobsCondition, new GetJobsConditionHandler(parts)),
    handledBy(ListJobs, new ListJobsHandler(parts)),
    handledBy(ListReactors, new ListReactorsHandler(parts)),
    handledBy(ListStalledTransfers, new ListStalledTransfersHandler(parts)),
    handledBy(ListTickResults, new ListTickResultsHandler(parts)),
    handledBy(RetryReactors, new RetryReactorsHandler(parts)),
    handledBy(RunBonusTick, new RunBonusTickHandler(parts)),
    handledBy(RunJob, new RunJobHandler(parts)),
  ];
}
