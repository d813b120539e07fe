import type { ApplicationParts } from '../parts.js';
import { SetAdminAccess, SetAdminAccessHandler } from './admin-access.js';
import { ChangeSettings, ChangeSettingsHandler } from './change.js';
import { DraftContent, DraftContentHandler } from './draft.js';
import { GetCounters, GetCountersHandler } from './counters.js';
import { GetFigures, GetFiguresHandler } from './figures.js';
import {
  GetContentVersion,
  GetContentVersionHandler,
  GetSettingsHistory,
  GetSettingsHistoryHandler,
} from './history.js';
import {
  GetContact,
  GetContactHandler,
  GetContent,
  GetContentHandler,
  GetDepositAddresses,
  GetDepositAddressesHandler,
  GetDollarRate,
  GetDollarRateHandler,
  GetPrices,
  GetPricesHandler,
} from './public.js';
import { GetSettings, GetSettingsHandler } from './view.js';
import { handledBy } from '../message.js';

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
    handledBy(ChangeSettings, new ChangeSettingsHandler(aggregates, settings)),
    handledBy(DraftContent, new DraftContentHandler(settings, parts.clock)),
    handledBy(GetContact, new GetContactHandler(settings)),
    handledBy(GetContent, new GetContentHandler(settings)),
    handledBy(GetContentVersion, new GetContentVersionHandler(parts)),
    handledBy(GetCounters, new GetCountersHandler(parts, settings)),
    handledBy(GetDepositAddresses, new GetDepositAddressesHandler(settings, parts.networks)),
    handledBy(GetFigures, new GetFiguresHandler(parts, settings)),
    handledBy(GetDollarRate, new GetDollarRateHandler(settings)),
    handledBy(GetPrices, new GetPricesHandler(settings, readStore)),
    handledBy(GetSettings, new GetSettingsHandler(aggregates, readStore)),
    handledBy(GetSettingsHistory, new GetSettingsHistoryHandler(parts)),
    handledBy(SetAdminAccess, new SetAdminAccessHandler(parts)),
  ];
}
