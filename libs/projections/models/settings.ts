import type { RecordedEvent } from '#kernel';
import type { SettingsEvent } from '#ledger';
import type { Document } from '#read-store';
import { defineReadModel } from '../read-model.js';

/** Who changed one part of the settings last. The id says which part. */
export type SettingsDocument = Document & {
  readonly at: string;
  /** The id of the actor. */
  readonly by: string;
  readonly reason?: string;
};

/** The part of the settings that each event changes. */
const parts: { readonly [Type in SettingsEvent['type']]: string } = {
  DepositDetailsChanged: 'deposit-details',
  DollarRateSet: 'dollar-rate',
  PricesSet: 'prices',
  BonusPolicySet: 'bonus-policy',
  ContentChanged: 'content',
};

/** One document a part that was ever changed; what it was changed to is in the ledger's own state. */
export const settings = defineReadModel<SettingsEvent, SettingsDocument>({
  name: 'settings',
  version: 1,
  indexes: [],
  handles: Object.keys(parts) as SettingsEvent['type'][],
  on: (event: RecordedEvent<SettingsEvent>) => {
    const { at, meta, position, type } = event;
    const id = parts[type];
    const reason = meta.reason === undefined ? {} : { reason: meta.reason };
    return [{ id, change: () => ({ at, by: meta.actor.id, id, position, ...reason }) }];
  },
  ownerOf: () => null,
});
