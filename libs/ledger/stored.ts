import { UnknownEvent, type DomainEvent, type Envelope, type EventCodecs, type StoredFact } from '#kernel';
import { aggregates, type LedgerEvent } from './aggregates.js';

const codecsByType: ReadonlyMap<string, Pick<EventCodecs<LedgerEvent>, 'decode'>> = new Map(
  Object.values(aggregates).flatMap(({ decider: { codecs } }) =>
    Object.keys(codecs.versions).map((type) => [type, codecs] as const),
  ),
);

/** Of each type of events that this program knows, the newest version. */
export const knownKinds: Readonly<Record<string, number>> = Object.fromEntries(
  Object.values(aggregates).flatMap(({ decider: { codecs } }) => Object.entries(codecs.versions)),
);

/** How the names of the streams begin that events of some of these types are in. */
export function prefixesOf(types: readonly string[]): readonly string[] {
  return Object.values(aggregates)
    .filter(({ decider: { codecs } }) => types.some((type) => Object.hasOwn(codecs.versions, type)))
    .map(({ prefix }) => prefix);
}

/** True for a stream of some aggregate. */
export function isLedgerStream(stream: string): boolean {
  return Object.values(aggregates).some(({ prefix }) => stream.startsWith(prefix));
}

/** True for a type of event that some aggregate has. */
export function isEventType(type: string): boolean {
  return codecsByType.has(type);
}

/** What a stored event of any aggregate is in the domain; its envelope is left as it is. Throws `UnknownEvent`. */
export function decodeEvent<Stored extends StoredFact & Partial<Pick<Envelope, 'stream' | 'revision'>>>(
  stored: Stored,
): Omit<Stored, 'data'> & DomainEvent {
  const codecs = codecsByType.get(stored.type);
  if (codecs === undefined) throw new UnknownEvent(stored);
  const { data } = codecs.decode(stored);
  return data === stored.data ? stored : { ...stored, data };
}
