import type { Document } from '#read-store';
import { readModel, type Handler } from '../read-model.js';
import type { EventsOf } from './streams.js';

/** Who changed one part of the settings last. The id says which part. */
export type SettingsDocument = Document & {
  readonly at: string;
  /** The id of the actor. */
  readonly by: string;
  readonly reason?: string;
};

/** The handler of the events that change a part. */
function part(id: string): Handler<EventsOf<'settings'>, SettingsDocument> {
  return ({ at, meta, position }) => {
    const reason = meta.reason === undefined ? {} : { reason: meta.reason };
    return [{ id, change: () => ({ at, by: meta.actor.id, id, position, ...reason }) }];
  };
}

/** One document a part that was ever changed; what it was changed to is in the ledger's own state. */
export const settings = readModel<EventsOf<'settings'>, SettingsDocument>({
  name: 'settings',
  version: 1,
  indexes: [],
  on: {
    DepositDetailsChanged: part('deposit-details'),
    DollarRateSet: part('dollar-rate'),
    PricesSet: part('prices'),
    BonusPolicySet: part('bonus-policy'),
    ContentChanged: part('content'),
  },
  ownerOf: () => null,
});
