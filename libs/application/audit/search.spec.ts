import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { comparePositions, eventId, positionOf, type RecordedEvent } from '#kernel';
import type { EventDocument } from '#projections';
import { atByteOffsets, recorded, worldOf, type World } from '#projections/testing';
import type { Page } from '../paging.js';
import { causationOf } from './causation.js';
import { searchEvents, type EventFilter } from './search.js';

const START = Date.parse('2026-03-01T00:00:00.000Z');
const streams = ['account-ann', 'access-ann', 'account-bob', 'settings-global', 'product-ann'] as const;
const types = ['AccountOpened', 'FundingRequested', 'TransferReceived', 'PricesSet'] as const;
const actors = ['ann', 'bob', 'root', 'global'] as const;
const requests = ['R'.repeat(34), 'S'.repeat(34)] as const;
const correlations = ['c1', 'c2'] as const;

/** Commands of one to three events, some caused by an event before, by clocks that do not agree. */
const command = fc.record({
  stream: fc.constantFrom(...streams),
  types: fc.array(fc.constantFrom(...types), { minLength: 1, maxLength: 3 }),
  actor: fc.constantFrom(...actors),
  request: fc.option(fc.constantFrom(...requests), { nil: undefined }),
  other: fc.option(fc.constantFrom('ann', 'bob'), { nil: undefined }),
  correlation: fc.option(fc.constantFrom(...correlations), { nil: undefined }),
  causedBy: fc.option(fc.nat(20), { nil: undefined }),
  millisecond: fc.integer({ min: 0, max: 40 }),
});

/** How far the positions of two events that follow each other are apart: some engines do not count in ones. */
const gaps = fc.constantFrom(1, 3, 1_000_003);

const logs = fc.tuple(fc.array(command, { minLength: 1, maxLength: 30 }), gaps).map(([commands, gap]) => {
  const log: RecordedEvent[] = [];
  const revisions = new Map<string, number>();
  commands.forEach((one, n) => {
    const commandId = `command-${n}`;
    const cause = one.causedBy === undefined ? undefined : log[one.causedBy];
    one.types.forEach((type, index) => {
      const revision = revisions.get(one.stream) ?? 0;
      revisions.set(one.stream, revision + 1);
      const data = {
        ...(one.request === undefined ? {} : { requestId: one.request }),
        ...(one.other === undefined ? {} : { receiver: { userId: one.other, accountNumber: '30' } }),
      };
      const event = recorded(log.length + 1, one.stream, type, data, revision);
      log.push({
        ...event,
        id: eventId(commandId, index),
        at: new Date(START + one.millisecond).toISOString(),
        position: positionOf((log.length + 1) * gap),
        meta: {
          ...event.meta,
          actor: { kind: 'person', id: one.actor, role: 'admin' },
          commandId,
          causationId: cause?.id ?? commandId,
          correlationId: one.correlation ?? cause?.meta.correlationId ?? commandId,
        },
      });
    });
  });
  return log;
});

const some = <Value>(...values: readonly Value[]) =>
  fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
const instants = some(
  ...[0, 7, 20, 41].map((millisecond) => new Date(START + millisecond).toISOString()),
  '2026-03-01T00:00:00.0075Z',
  '2026-03-01T00:00:00Z',
);
const filters = fc.record({
  stream: some(...streams, 'account-nobody'),
  type: some(...types),
  types: some('PricesSet', 'AccountOpened,TransferReceived', 'NoSuch,PricesSet,PricesSet'),
  person: some('ann', 'bob', 'global', 'nobody'),
  actor: some(...actors, 'nobody'),
  requestId: some(...requests),
  correlationId: some(...correlations, 'command-1', 'command-3'),
  commandId: some('command-0', 'command-2', 'command-9'),
  from: instants,
  to: instants,
});

/** What the filter says, tried on every event of the log. */
function naive(log: readonly RecordedEvent[], filter: EventFilter): readonly string[] {
  const { stream, type, types, person, actor, requestId, correlationId, commandId, from, to } = filter;
  const subjects = person === undefined ? [] : [`account-${person}`, `access-${person}`];
  const late = (text: string) => Number(`${Date.parse(text)}${/\.\d{3}(\d*)/.exec(text)?.[1] ? '.5' : ''}`);
  return log
    .filter(({ data, meta, ...event }) => {
      const receiver = (data['receiver'] as { userId?: string } | undefined)?.userId;
      const time = Date.parse(event.at);
      return (
        (stream === undefined || event.stream === stream) &&
        (type === undefined || event.type === type) &&
        (types === undefined || types.split(',').includes(event.type)) &&
        (person === undefined || subjects.includes(event.stream) || receiver === person) &&
        (actor === undefined || meta.actor.id === actor) &&
        (requestId === undefined || data['requestId'] === requestId) &&
        (correlationId === undefined || meta.correlationId === correlationId) &&
        (commandId === undefined || meta.commandId === commandId) &&
        (from === undefined || time >= late(from)) &&
        (to === undefined || time < late(to))
      );
    })
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at) || comparePositions(a.position, b.position))
    .map(({ id }) => id);
}

/** All pages from the first on, or back from one of them. */
async function walk(world: World, asked: Parameters<typeof searchEvents>[1], way: 'next' | 'previous') {
  const pages: Page<{ readonly id: string }>[] = [];
  let cursor: string | null | undefined = asked.cursor;
  do {
    const page = await searchEvents(world, { ...asked, cursor: cursor ?? undefined });
    pages.push(page);
    cursor = page[way];
  } while (cursor !== null);
  return pages;
}

const idsOf = (pages: readonly Page<{ readonly id: string }>[]) =>
  pages.flatMap(({ items }) => items.map(({ id }) => id));

describe('the search for events', () => {
  test('finds what a look at every event finds, page by page, there and back', async () => {
    const asked = fc.record({
      log: logs,
      filter: filters,
      limit: fc.integer({ min: 1, max: 12 }),
      order: fc.constantFrom('newest' as const, 'oldest' as const),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ log, filter, limit, order }) => {
        const world = await worldOf(log);
        const query = { ...filter, limit, order };
        const expected = naive(log, filter);
        const there = await walk(world, { ...query, cursor: undefined }, 'next');
        expect(idsOf(there)).toEqual(order === 'oldest' ? expected : expected.toReversed());
        const cursor = there.at(-2)?.next ?? undefined;
        const back = await walk(world, { ...query, cursor }, 'previous');
        expect(idsOf(back.toReversed())).toEqual(idsOf(there));
        expect(there[0]?.previous).toBeNull();
        expect(back.at(-1)?.first).toBe(1);
      }),
      { numRuns: 150 },
    );
  });

  describe('where little of much fits', () => {
    const EVENTS = 2_600;
    const log = Array.from({ length: EVENTS }, (_, n) => ({
      ...recorded(n + 1, 'account-ann', n === 5 ? 'AccountOpened' : 'FundingRequested', {}, n),
      id: eventId(`command-${n + 1}`, 0),
    }));
    const query = { person: 'ann', type: 'AccountOpened', limit: 10 } as const;

    test.each(['newest', 'oldest'] as const)('stops, goes on and comes back (%s first)', async (order) => {
      const world = await worldOf(log);
      const there = await walk(world, { ...query, order, cursor: undefined }, 'next');
      expect(there.length).toBeGreaterThan(2);
      expect(idsOf(there)).toEqual([log[5]?.id]);
      const back = await walk(
        world,
        { ...query, order, cursor: there.at(-2)?.next ?? undefined },
        'previous',
      );
      expect(idsOf(back)).toEqual([log[5]?.id]);
      expect(back.at(-1)?.previous).toBeNull();
    });

    test('reads no event but those that it answers with', async () => {
      const world = await worldOf(log);
      await walk(world, { ...query, order: 'newest', cursor: undefined }, 'next');
      expect(world.read()).toBe(1);
    });
  });

  describe('by an actor and a type, of which one is rare', () => {
    const COUNT = 2_000;
    const actorOf = (id: string) => ({ kind: 'person', id, role: 'admin' }) as const;
    const log = Array.from({ length: COUNT }, (_, n) => {
      const event = recorded(n + 1, 'account-ann', n === 900 ? 'AccountSuspended' : 'WalletCredited', {}, n);
      const meta = { ...event.meta, actor: actorOf(n === 1_100 ? 'boris' : 'root') };
      return { ...event, id: eventId(`command-${n + 1}`, 0), meta };
    });

    test.each([
      ['the type', { type: 'AccountSuspended', actor: 'root' }, 900],
      ['the actor', { type: 'WalletCredited', actor: 'boris' }, 1_100],
    ] as const)('looks at few rows when that is %s', async (_, filter, n) => {
      const world = await worldOf(log);
      let rows = 0;
      const list: World['readStore']['list'] = async (collection, query) => {
        const found = await world.readStore.list(collection, query);
        rows += found.length;
        return found as never;
      };
      const watched = { ...world, readStore: { ...world.readStore, list } };
      for (const order of ['newest', 'oldest'] as const) {
        const page = await searchEvents(watched, { ...filter, order, limit: 10, cursor: undefined });
        expect(idsOf([page])).toEqual([log[n]?.id]);
        expect(page.next).toBeNull();
      }
      expect(rows).toBe(2);
    });
  });

  describe('of events that lie together', () => {
    const log = Array.from({ length: 60 }, (_, n) =>
      recorded(n + 1, `account-${['ann', 'bob'][n % 2]}`, 'FundingRequested', {}, n >> 1),
    ).map((event) => ({ ...event, id: eventId(event.meta.commandId, 0) }));
    const query = { order: 'newest', limit: 40, cursor: undefined } as const;
    const expected = log
      .slice(20)
      .map(({ id }) => id)
      .toReversed();

    test.each([
      ['in ones', log],
      ['in bytes', atByteOffsets(log)],
    ])('reads them in one go, where positions count %s', async (_, events) => {
      const world = await worldOf(events);
      expect(idsOf([await searchEvents(world, query)])).toEqual(expected);
      expect(world.read()).toBe(1);
    });

    test('finds them by rows from before events were counted', async () => {
      const world = await worldOf(log);
      const list: World['readStore']['list'] = async (collection, asked) => {
        const rows = await world.readStore.list<EventDocument>(collection, asked);
        return rows.map(({ ordinal: _, ...row }) => row) as never;
      };
      const older = { ...world, readStore: { ...world.readStore, list } };
      expect(idsOf([await searchEvents(older, query)])).toEqual(expected);
    });
  });

  test('refuses a cursor of another search', async () => {
    const log = [1, 2, 3].map((n) => recorded(n, 'account-ann', 'AccountOpened', {}, n - 1));
    const world = await worldOf(log);
    const { next } = await searchEvents(world, { limit: 1, order: 'newest', cursor: undefined });
    const other = { limit: 1, order: 'oldest', cursor: next ?? '' } as const;
    await expect(searchEvents(world, other)).rejects.toMatchObject({ code: 'validation_failed' });
  });
});

describe('the tree of causes', () => {
  test('has what led to an event and what followed, each under the one that caused it', async () => {
    await fc.assert(
      fc.asyncProperty(logs, fc.nat(29), async (log, n) => {
        const start = log[n % log.length];
        if (start === undefined) throw new Error('a log has events');
        const { events, truncated } = await causationOf(await worldOf(log), start.id);
        const ids = events.map(({ event }) => event.id);
        expect(truncated).toBe(false);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids).toContain(start.id);
        for (const { id, meta } of log) {
          const belongs =
            meta.correlationId === start.meta.correlationId ||
            meta.causationId === start.id ||
            start.meta.causationId === id;
          if (belongs) expect(ids).toContain(id);
        }
        events.forEach(({ event, parent, depth }) => {
          const above = events.find((one) => one.event.id === parent);
          const isKnown = ids.includes(event.meta.causationId);
          expect(parent).toBe(isKnown ? event.meta.causationId : null);
          expect(depth).toBe(above === undefined ? 0 : above.depth + 1);
        });
      }),
      { numRuns: 60 },
    );
  });

  test('is cut where it gets too large', async () => {
    const log = Array.from({ length: 300 }, (_, n) => {
      const event = recorded(n + 1, 'account-ann', 'FundingRequested', {}, n);
      const meta = { ...event.meta, correlationId: 'all' };
      return { ...event, id: eventId(event.meta.commandId, 0), meta };
    });
    const tree = await causationOf(await worldOf(log), log[250]?.id ?? '');
    expect([tree.truncated, tree.events.length]).toEqual([true, 200]);
    expect(tree.events.map(({ event }) => event.id)).toContain(log[250]?.id);
  });

  test('is refused for an event that there is not', async () => {
    const world = await worldOf([recorded(1, 'account-ann', 'AccountOpened', {})]);
    await expect(causationOf(world, eventId('none', 0))).rejects.toMatchObject({ code: 'event_not_found' });
  });
});
