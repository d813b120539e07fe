import {
  canonicalJson,
  chainHolds,
  chainStart,
  type Decider,
  type DomainEvent,
  type EventCodecs,
  type SealedEvent,
} from '#kernel';

/** The type and version of each stored example, in the order of the stream. */
export function exampleTypes(
  stream: readonly string[],
): readonly (readonly [type: string, version: number])[] {
  return stream.map(parse).map(({ type, version }) => [type, version] as const);
}

/** True when every stored event is chained to the one before it. */
export function holdsChain(stream: readonly string[]): boolean {
  const events = stream.map(parse);
  return events.every((event, n) => chainHolds(events[n - 1]?.meta.chain ?? chainStart, event));
}

/** The state that the stored events give. */
export function foldFrozen<E extends DomainEvent, S>(
  { codecs, evolve, initial }: Pick<Decider<never, E, S>, 'codecs' | 'evolve' | 'initial'>,
  stream: readonly string[],
): S {
  return decodeFrozen(codecs, stream).reduce(evolve, initial);
}

/** The stored events as the domain has them. */
export function decodeFrozen<E extends DomainEvent>(
  codecs: EventCodecs<E>,
  stream: readonly string[],
): readonly E[] {
  return stream.map((line) => codecs.decode(parse(line)));
}

/** Of the stored events in a version that is written today: what is stored, and what would be stored of them again. */
export function storedAgain<E extends DomainEvent>(
  codecs: EventCodecs<E>,
  stream: readonly string[],
): readonly { readonly stored: string; readonly again: string }[] {
  return stream
    .map(parse)
    .filter(({ type, version }) => version === codecs.versions[type])
    .map((event) => {
      const { type, version, data } = codecs.encode(codecs.decode(event));
      return {
        stored: canonicalJson({ type: event.type, version: event.version, data: event.data }),
        again: canonicalJson({ type, version, data }),
      };
    });
}

function parse(line: string): SealedEvent {
  return JSON.parse(line) as SealedEvent;
}
