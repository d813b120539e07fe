import type { ApplicationParts } from '../parts.js';
import { ListJobsHandler, RunBonusTickHandler } from './jobs.js';
import { ListReactorsHandler, RetryReactorsHandler } from './reactors.js';
import { ListStalledTransfersHandler } from './stalled.js';

/** The handlers of what the program does by itself. */
export function processHandlers(parts: Pick<ApplicationParts, 'processes' | 'readStore' | 'clock'>) {
  return [
    new ListJobsHandler(parts),
    new ListReactorsHandler(parts),
    new ListStalledTransfersHandler(parts),
    new RetryReactorsHandler(parts),
    new RunBonusTickHandler(parts),
  ];
}
