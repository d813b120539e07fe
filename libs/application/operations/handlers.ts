import type { ApplicationParts } from '../parts.js';
import { CheckHealthHandler } from './health.js';
import {
  ListReadModelsHandler,
  RebuildReadModelHandler,
  ReplayParkedEventsHandler,
  WaitForPositionHandler,
} from './read-models.js';
import { GetTotalsHandler } from './totals.js';

/** The handlers of how the program is, of its read models, and of the sums over all customers. */
export function operationsHandlers(
  parts: Pick<ApplicationParts, 'eventStore' | 'readStore' | 'projections' | 'processes' | 'clock'>,
) {
  return [
    new CheckHealthHandler(parts),
    new GetTotalsHandler(parts),
    new ListReadModelsHandler(parts),
    new RebuildReadModelHandler(parts),
    new ReplayParkedEventsHandler(parts),
    new WaitForPositionHandler(parts),
  ];
}
