import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  canonicalJson,
  chainHolds,
  chainOf,
  chainStart,
  eventId,
  sha256,
  type Json,
  type SealedEvent,
} from '#kernel';

/** A stream of `count` events as an executor seals them. */
function sealedStream(count: number): readonly SealedEvent[] {
  let previous = chainStart;
  return Array.from({ length: count }, (_, revision) => {
    const unchained = {
      id: eventId('command', revision),
      type: 'Example',
      version: 1,
      stream: 'example-1',
      revision,
      at: '2026-01-01T00:00:00.000Z',
      data: { amount: '10.00', nested: { list: ['a', revision] } },
      meta: {
        actor: { kind: 'person', id: 'u1', role: 'user' },
        reason: 'because',
        commandId: 'command',
        requestHash: 'hash',
        correlationId: 'correlation',
        causationId: 'causation',
        session: 'session',
      },
    } as const;
    previous = chainOf(previous, unchained);
    return { ...unchained, meta: { ...unchained.meta, chain: previous } };
  });
}

/** What a reader of the stream checks. */
function holds(events: readonly SealedEvent[]): boolean {
  let previous = chainStart;
  return events.every((event) => {
    const good = chainHolds(previous, event);
    previous = event.meta.chain;
    return good;
  });
}

/** The path of every leaf of a value. */
function leaves(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, member]) => leaves(member, [...path, key]));
}

function changed(
  event: SealedEvent,
  path: readonly string[],
  to: (leaf: Json) => Json | undefined,
): SealedEvent {
  const copy = structuredClone(event) as unknown as Record<string, Json>;
  let place: Record<string, Json> = copy;
  for (const key of path.slice(0, -1)) place = place[key] as unknown as Record<string, Json>;
  const key = path.at(-1) ?? '';
  const value = to(place[key] ?? null);
  if (value === undefined) delete place[key];
  else place[key] = value;
  return copy as unknown as SealedEvent;
}

describe('the hash chain', () => {
  const stream = sealedStream(6);
  const fields = leaves(stream[0]).map((path) => ({ path, name: path.join('.') }));

  test('holds for a stream as it was sealed, and for one read back from JSON', () => {
    expect(holds(stream)).toBe(true);
    expect(holds(JSON.parse(JSON.stringify(stream)) as SealedEvent[])).toBe(true);
  });

  test('is what it always was: a stored chain can be checked for ever', () => {
    expect(stream[1]?.meta.chain).toBe('e6ff1f11643031bd720cf18de963d762b10442e4e5f63c5366b48e0ec19516ba');
  });

  test('is the same for whoever has the texts of an event at hand', () => {
    const { data, meta } = stream[2]!;
    const { chain, ...unchained } = meta;
    const text = { data: canonicalJson(data), meta: canonicalJson(unchained) };
    expect(chainOf(stream[1]!.meta.chain, stream[2]!, text)).toBe(chain);
  });

  test.each(fields)('notices that $name was changed', ({ path }) => {
    const other = changed(stream[2]!, path, (leaf) =>
      typeof leaf === 'number' ? leaf + 1 : `${String(leaf)}x`,
    );
    expect(holds(stream.with(2, other))).toBe(false);
  });

  test.each(fields)('notices that $name was taken away', ({ path }) => {
    expect(
      holds(
        stream.with(
          2,
          changed(stream[2]!, path, () => undefined),
        ),
      ),
    ).toBe(false);
  });

  test.each([['data'], ['meta']])('notices that something was added to %s', (part) => {
    expect(
      holds(
        stream.with(
          2,
          changed(stream[2]!, [part, 'added'], () => 'x'),
        ),
      ),
    ).toBe(false);
  });

  test('does not cover the position, which the engine gives after the sealing', () => {
    expect(holds(stream.map((event, n) => ({ ...event, position: String(n + 1) })))).toBe(true);
  });

  test('notices any event that was dropped before the last, doubled or put elsewhere', () => {
    const place = fc.nat({ max: stream.length - 1 });
    fc.assert(
      fc.property(place, place, (from, to) => {
        const without = stream.toSpliced(from, 1);
        expect(holds(without)).toBe(from === stream.length - 1);
        expect(holds(stream.toSpliced(to, 0, stream[from]!))).toBe(false);
        expect(holds(without.toSpliced(to, 0, stream[from]!))).toBe(from === to);
      }),
    );
  });

  test('notices an event that was moved over from another stream', () => {
    const other = sealedStream(1).map((event) => ({ ...event, stream: 'example-2' }));
    expect(holds(other)).toBe(false);
  });

  test('SHA-256 is that of FIPS 180-2, appendix B.1', () => {
    expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
