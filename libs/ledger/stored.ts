import { UnknownEvent, type DomainEvent, type EventCodecs, type StoredFact } from '#kernel';
import { aggregates, type LedgerEvent } from './aggregates.js';

const codecsByType: ReadonlyMap<string, Pick<EventCodecs<LedgerEvent>, 'decode'>> = new Map(
  Object.values(aggregates).flatMap(({ decider: { codecs } }) =>
    Object.keys(codecs.versions).map((type) => [type, codecs] as const),
  ),
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
