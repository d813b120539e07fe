import type { ApplicationParts } from '../parts.js';
import { GetClock, GetClockHandler } from '../platform/clock.js';
import {
  CancelBackup,
  CancelBackupHandler,
  CancelVerification,
  CancelVerificationHandler,
  GetBackups,
  GetBackupsHandler,
  GetVerification,
  GetVerificationHandler,
  MakeBackup,
  MakeBackupHandler,
  Verify,
  VerifyHandler,
} from './chores.js';
import { CheckHealth, CheckHealthHandler } from './health.js';
import {
  DiscardParkedEvent,
  DiscardParkedEventHandler,
  ListParkedEvents,
  ListParkedEventsHandler,
} from './parked.js';
import {
  CancelRebuild,
  CancelRebuildHandler,
  ListReadModels,
  ListReadModelsHandler,
  RebuildReadModel,
  RebuildReadModelHandler,
  ReplayParkedEvents,
  ReplayParkedEventsHandler,
  WaitForPosition,
  WaitForPositionHandler,
} from './read-models.js';
import {
  GetSystemEngines,
  GetSystemEnginesHandler,
  GetSystemSettings,
  GetSystemSettingsHandler,
} from './system.js';
import { GetTotals, GetTotalsHandler } from './totals.js';
import { handledBy } from '../message.js';

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
    handledBy(CancelRebuild, new CancelRebuildHandler(parts)),
    handledBy(CancelBackup, new CancelBackupHandler(parts)),
    handledBy(CancelVerification, new CancelVerificationHandler(parts)),
    handledBy(CheckHealth, new CheckHealthHandler(parts)),
    handledBy(GetBackups, new GetBackupsHandler(parts)),
    handledBy(GetClock, new GetClockHandler(parts)),
    handledBy(DiscardParkedEvent, new DiscardParkedEventHandler(parts)),
    handledBy(GetSystemEngines, new GetSystemEnginesHandler(parts)),
    handledBy(GetSystemSettings, new GetSystemSettingsHandler(parts)),
    handledBy(GetTotals, new GetTotalsHandler(parts)),
    handledBy(GetVerification, new GetVerificationHandler(parts)),
    handledBy(ListParkedEvents, new ListParkedEventsHandler(parts)),
    handledBy(ListReadModels, new ListReadModelsHandler(parts)),
    handledBy(MakeBackup, new MakeBackupHandler(parts)),
    handledBy(RebuildReadModel, new RebuildReadModelHandler(parts)),
    handledBy(ReplayParkedEvents, new ReplayParkedEventsHandler(parts)),
    handledBy(Verify, new VerifyHandler(parts)),
    handledBy(WaitForPosition, new WaitForPositionHandler(parts)),
  ];
}
