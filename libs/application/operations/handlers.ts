import type { ApplicationParts } from '../parts.js';
import { GetClockHandler } from '../platform/clock.js';
import { CheckHealthHandler } from './health.js';
import { DiscardParkedEventHandler, ListParkedEventsHandler } from './parked.js';
import {
  CancelRebuildHandler,
  ListReadModelsHandler,
  RebuildReadModelHandler,
  ReplayParkedEventsHandler,
  WaitForPositionHandler,
} from './read-models.js';
import { GetTotalsHandler } from './totals.js';

/** The handlers of how the program is, of its read models, and of the sums over all customers. */
export function operationsHandlers(
  parts: Pick<
    ApplicationParts,
    | 'accessAudit'
    | 'acknowledged'
    | 'clock'
    | 'clockState'
    | 'hold'
    | 'hasRoom'
    | 'storage'
    | 'condition'
    | 'eventStore'
    | 'processes'
    | 'projections'
    | 'random'
    | 'readStore'
  >,
) {
  return [
    new CancelRebuildHandler(parts),
    new CheckHealthHandler(parts),
    new GetClockHandler(parts),
    new DiscardParkedEventHandler(parts),
    new GetTotalsHandler(parts),
    new ListParkedEventsHandler(parts),
    new ListReadModelsHandler(parts),
    new RebuildReadModelHandler(parts),
    new ReplayParkedEventsHandler(parts),
    new WaitForPositionHandler(parts),
  ];
}
