import { chainHolds, chainStart, type Decider, type DomainEvent, type SealedEvent } from '#kernel';

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
  decider: Pick<Decider<never, E, S>, 'initial' | 'evolve'>,
  stream: readonly string[],
): S {
  return stream.map((line) => parse(line) as SealedEvent<E>).reduce(decider.evolve, decider.initial);
}

function parse(line: string): SealedEvent {
  return JSON.parse(line) as SealedEvent;
}
