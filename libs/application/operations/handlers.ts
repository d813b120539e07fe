import type { ApplicationParts } from '../parts.js';
import { GetClockHandler } from '../platform/clock.js';
import {
  CancelBackupHandler,
  CancelVerificationHandler,
  GetBackupsHandler,
  GetVerificationHandler,
  MakeBackupHandler,
  VerifyHandler,
} from './chores.js';
import { CheckHealthHandler } from './health.js';
import { DiscardParkedEventHandler, ListParkedEventsHandler } from './parked.js';
import {
  CancelRebuildHandler,
  ListReadModelsHandler,
  RebuildReadModelHandler,
  ReplayParkedEventsHandler,
  WaitForPositionHandler,
} from './read-models.js';
import { GetSystemEnginesHandler, GetSystemSettingsHandler } from './system.js';
import { GetTotalsHandler } from './totals.js';

/** The handlers of how the program is, of its read models, and of the sums over all customers. */
export function operationsHandlers(
  parts: Pick<
    ApplicationParts,
    | 'accessAudit'
    | 'acknowledged'
    | 'aggregates'
    | 'chores'
    | 'clock'
    | 'clockState'
    | 'hold'
    | 'hasRoom'
    | 'storage'
    | 'condition'
    | 'eventStore'
    | 'files'
    | 'processes'
    | 'program'
    | 'projections'
    | 'random'
    | 'readStore'
  >,
) {
  return [
    new CancelRebuildHandler(parts),
    new CancelBackupHandler(parts),
    new CancelVerificationHandler(parts),
    new CheckHealthHandler(parts),
    new GetBackupsHandler(parts),
    new GetClockHandler(parts),
    new DiscardParkedEventHandler(parts),
    new GetSystemEnginesHandler(parts),
    new GetSystemSettingsHandler(parts),
    new GetTotalsHandler(parts),
    new GetVerificationHandler(parts),
    new ListParkedEventsHandler(parts),
    new ListReadModelsHandler(parts),
    new MakeBackupHandler(parts),
    new RebuildReadModelHandler(parts),
    new ReplayParkedEventsHandler(parts),
    new VerifyHandler(parts),
    new WaitForPositionHandler(parts),
  ];
}
