import { UnknownEvent, type DomainEvent, type EventCodecs, type StoredFact } from '#kernel';
import { accessDecider, type AccessEvent } from './access/index.js';
import { accountDecider, type AccountEvent } from './account/index.js';
import { invitationDecider, type InvitationEvent } from './invitation/index.js';
import { messageDecider, type MessageEvent } from './message/index.js';
import { productDecider, type ProductEvent } from './product/index.js';
import { settingsDecider, type SettingsEvent } from './settings/index.js';

/** Any event of any aggregate. No two aggregates have a type in common. */
export type LedgerEvent =
  AccessEvent | AccountEvent | InvitationEvent | MessageEvent | ProductEvent | SettingsEvent;

const aggregates = [
  accessDecider,
  accountDecider,
  invitationDecider,
  messageDecider,
  productDecider,
  settingsDecider,
];

const codecsByType: ReadonlyMap<string, Pick<EventCodecs<LedgerEvent>, 'decode'>> = new Map(
  aggregates.flatMap(({ codecs }) => Object.keys(codecs.versions).map((type) => [type, codecs] as const)),
);

/** True for a type of event that some aggregate has. */
export function isEventType(type: string): boolean {
  return codecsByType.has(type);
}

/** What a stored event of any aggregate is in the domain; its envelope is left as it is. Throws `UnknownEvent`. */
export function decodeEvent<Stored extends StoredFact>(stored: Stored): Omit<Stored, 'data'> & DomainEvent {
  const codecs = codecsByType.get(stored.type);
  if (codecs === undefined) throw new UnknownEvent(stored);
  const { data } = codecs.decode(stored);
  return data === stored.data ? stored : { ...stored, data };
}
