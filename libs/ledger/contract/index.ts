import { expect, test } from '@jest/globals';
import {
  canonicalJson,
  chainHolds,
  chainStart,
  type Decider,
  type DomainEvent,
  type EventCodecs,
  type SealedEvent,
} from '#kernel';

/** Registers what holds of the stored examples of an aggregate's events, whatever it is: streams as logs have them. */
export function testExamples<E extends DomainEvent>(
  codecs: EventCodecs<E>,
  streams: readonly (readonly string[])[],
): void {
  const events = streams.map((stream) => stream.map(parse));
  const types = events.flat().map(({ type, version }) => [type, version]);

  test('every type has an example in the version that is written today', () => {
    expect(types).toEqual(expect.arrayContaining(Object.entries(codecs.versions)));
  });

  test('no example is of a type that the program has forgotten', () => {
    const known = Object.keys(codecs.versions);
    expect(types.filter(([type]) => !known.includes(String(type)))).toEqual([]);
  });

  test('each example is read, and one of today’s version would be stored as the very same text', () => {
    for (const stored of events.flat()) {
      const again = codecs.encode(codecs.decode(stored));
      if (stored.version !== codecs.versions[stored.type]) continue;
      expect(textOf(again)).toBe(textOf(stored));
    }
  });

  test('the chain of each stored stream holds', () => {
    for (const stream of events)
      for (const [n, event] of stream.entries())
        expect(chainHolds(stream[n - 1]?.meta.chain ?? chainStart, event)).toBe(true);
  });
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

const textOf = ({ type, version, data }: Pick<SealedEvent, 'type' | 'version' | 'data'>) =>
  canonicalJson({ type, version, data });

function parse(line: string): SealedEvent {
  return JSON.parse(line) as SealedEvent;
}
