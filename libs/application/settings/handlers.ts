import type { ApplicationParts } from '../parts.js';
import { SetAdminAccessHandler } from './admin-access.js';
import { ChangeSettingsHandler } from './change.js';
import { DraftContentHandler } from './draft.js';
import { GetCountersHandler } from './counters.js';
import { GetFiguresHandler } from './figures.js';
import { GetContentVersionHandler, GetSettingsHistoryHandler } from './history.js';
import {
  GetContactHandler,
  GetContentHandler,
  GetDepositAddressesHandler,
  GetDollarRateHandler,
  GetPricesHandler,
} from './public.js';
import { GetSettingsHandler } from './view.js';

/** The handlers of what is set for the whole platform. */
export function settingsHandlers(
  parts: Pick<
    ApplicationParts,
    | 'aggregates'
    | 'admins'
    | 'settings'
    | 'identity'
    | 'eventStore'
    | 'readStore'
    | 'clock'
    | 'counterFloors'
    | 'networks'
  >,
) {
  const { aggregates, readStore, settings } = parts;
  return [
    new ChangeSettingsHandler(aggregates, settings),
    new DraftContentHandler(settings, parts.clock),
    new GetContactHandler(settings),
    new GetContentHandler(settings),
    new GetContentVersionHandler(parts),
    new GetCountersHandler(parts, settings),
    new GetDepositAddressesHandler(settings, parts.networks),
    new GetFiguresHandler(parts, settings),
    new GetDollarRateHandler(settings),
    new GetPricesHandler(settings, readStore),
    new GetSettingsHandler(aggregates, readStore),
    new GetSettingsHistoryHandler(parts),
    new SetAdminAccessHandler(parts),
  ];
}
