import { LodeError } from './errors.js';
import type { DomainEvent, StoredData, StoredFact } from './event.js';

/** How one type of event is stored: the only place that knows both its stored forms and what it is in the domain. */
export type EventCodec<Data extends object> = {
  /** The version that is written today. */
  readonly version: number;
  /** From what was stored, in each version that there ever was, to what the event is in the domain today. */
  readonly read: { readonly [version: number]: (stored: StoredData) => Data };
  /** What is stored today. Members are best given in the order of canonical JSON, in which they are written sooner. */
  readonly write: (data: Data) => StoredData;
};

/** The codecs of an aggregate's events, by type: a type without one does not compile. */
type CodecsByType<Event extends DomainEvent> = {
  readonly [Type in Event['type']]: EventCodec<Extract<Event, { readonly type: Type }>['data']>;
};

/** From stored events of an aggregate to its domain events, and back. */
export type EventCodecs<Event extends DomainEvent> = {
  /** The version of each type that is written today. */
  readonly versions: Readonly<Record<string, number>>;
  /** What a stored event is in the domain. Throws `UnknownEvent`. */
  readonly decode: (stored: StoredFact & Stored) => Event;
  /** What is stored of a domain event. Throws `UnknownEvent` for one that the aggregate does not have. */
  readonly encode: (event: Event) => StoredFact;
};

/** A stored event, with its stream where that is known. */
type Stored = Pick<StoredFact, 'type' | 'version'> & { readonly stream?: string; readonly revision?: number };

/**
 * An event of a type, or of a version of its type, that this program does not know: a newer one wrote it. Nothing is
 * derived from its stream, as if it were damaged; all else goes on.
 */
export class UnknownEvent extends LodeError {
  constructor({ type, version, stream, revision }: Stored) {
    const place = stream === undefined ? '' : ` (${stream}@${revision})`;
    super(
      'storage_failed',
      `This program knows no event ${type} of version ${version}${place}: a newer Lode wrote it. Start that one.`,
      { type, version, ...(stream === undefined || revision === undefined ? {} : { stream, revision }) },
      { told: 'A newer version of Lode wrote this, and this one can’t read it. An operator has to look.' },
    );
  }
}

/** Reads a stored form of the shape that `read` takes. What is in the log was written by this very codec, so its shape is trusted. */
export function reading<Data extends object>(read: (stored: never) => Data): (stored: StoredData) => Data {
  return read as unknown as (stored: StoredData) => Data;
}

/** The codec of an event that was always stored just as it is in the domain. */
export function plainCodec<Data extends object>(version = 1): EventCodec<Data> {
  return {
    version,
    read: { [version]: reading((data: Data) => data) },
    write: (data) => data as unknown as StoredData,
  };
}

/** Puts the codecs of an aggregate together. */
export function eventCodecs<Event extends DomainEvent>(byType: CodecsByType<Event>): EventCodecs<Event> {
  const codecs = new Map(Object.entries<EventCodec<object>>(byType as Record<string, EventCodec<object>>));
  return {
    versions: Object.fromEntries([...codecs].map(([type, { version }]) => [type, version])),
    decode: (stored) => {
      const { type, version, data } = stored;
      const read = codecs.get(type)?.read[version];
      if (read === undefined) throw new UnknownEvent(stored);
      return { type, data: read(data) } as Event;
    },
    encode: ({ type, data }) => {
      const codec = codecs.get(type);
      if (codec === undefined) throw new UnknownEvent({ type, version: 0 });
      return { type, version: codec.version, data: codec.write(data) };
    },
  };
}
