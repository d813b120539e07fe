import { describe, expect, test } from '@jest/globals';
import type { AuditEvent, AuditPage } from '#contracts';
import {
  endOf,
  endsAt,
  grown,
  isLost,
  partOf,
  roomAbove,
  shiftOf,
  startOf,
  type End,
  type Stretch,
} from './stretch';

const COUNT = 1_234;
const atOf = (n: number) => new Date(Date.parse('2026-05-01T00:00:00Z') + n * 1_000).toISOString();
/** All there is, newest first. */
const all = Array.from({ length: COUNT }, (_, n) => ({ id: String(COUNT - n), at: atOf(COUNT - n) }));

/** Pages as the service gives them; a cursor names the place before which, or after which, its page begins. */
function answer({ filter, order, cursor }: End, limit = 100): AuditPage {
  const fitting = all.filter(
    ({ at }) =>
      (filter.from === undefined || at >= filter.from) && (filter.to === undefined || at < filter.to),
  );
  const list = order === 'newest' ? fitting : fitting.toReversed();
  const from = Number(cursor ?? 0);
  // Of an event no more is asked than its id and when it was.
  const items = list.slice(from, from + limit) as unknown as AuditEvent[];
  return {
    items,
    first: from + 1,
    next: from + limit < list.length ? String(from + limit) : null,
    previous: from > 0 ? String(Math.max(0, from - limit)) : null,
  };
}

const idsOf = (stretch: Stretch) => stretch.flatMap(({ rows }) => rows.map(({ id }) => id));

/** A stretch from a start on, grown on the sides given. */
function walk(start: Parameters<typeof endsAt>[1], sides: readonly ('newer' | 'older')[]) {
  const { newer, older } = endsAt({}, start);
  let stretch: Stretch = [
    newer && partOf(newer, answer(newer), older),
    older && partOf(older, answer(older), newer),
  ].filter((part) => part !== null);
  let top = 0;
  const moves: number[] = [];
  let room = 0;
  for (const side of sides) {
    const end = endOf(stretch, side);
    if (end === null) continue;
    const next = grown(stretch, side, partOf(end, answer(end), null));
    top += shiftOf(stretch, next);
    const left = roomAbove(room, stretch, next);
    moves.push(shiftOf(stretch, next) + left - room);
    room = left;
    stretch = next;
  }
  return { stretch, top, moves, room };
}

const many = (side: 'newer' | 'older', count: number) => Array.from({ length: count }, () => side);

describe('a stretch of the list', () => {
  test.each([
    ['newest', 'older'],
    ['oldest', 'newer'],
  ] as const)('begins at its %s end, is a piece of the list, and keeps so much', (start, side) => {
    for (let steps = 0; steps < 16; steps++) {
      const { stretch } = walk(start, many(side, steps));
      const ids = idsOf(stretch);
      const from = all.findIndex(({ id }) => id === ids[0]);
      expect(ids).toEqual(all.slice(from, from + ids.length).map(({ id }) => id));
      expect(ids.length).toBeLessThanOrEqual(500);
    }
    const { stretch } = walk(start, many(side, 20));
    expect(endOf(stretch, side)).toBeNull();
    expect(idsOf(stretch).at(side === 'older' ? -1 : 0)).toBe(side === 'older' ? '1' : String(COUNT));
  });

  test('at an instant goes both ways, there and back, and what is looked at stays where it is', () => {
    const instant = atOf(600);
    const { stretch } = walk({ instant }, []);
    expect(idsOf(stretch).slice(99, 101)).toEqual(['600', '599']);
    const sides = [...many('older', 7), ...many('newer', 14), ...many('older', 3)];
    const { stretch: after, top } = walk({ instant }, sides);
    const ids = idsOf(after);
    const from = all.findIndex(({ id }) => id === ids[0]);
    expect(ids).toEqual(all.slice(from, from + ids.length).map(({ id }) => id));
    // The shifts say how far the first row is from where the first one was.
    expect(from).toBe(all.findIndex(({ id }) => id === '699') - top);
  });

  test('leaves room for what it doesn’t keep above, so that nothing moves on the way there and back', () => {
    const { moves, room } = walk('newest', [...many('older', 9), ...many('newer', 3)]);
    expect([new Set(moves), room]).toEqual([new Set([0]), 300]);
    // The newest event is at the top, whatever room there was.
    expect(walk('newest', [...many('older', 9), ...many('newer', 9)]).room).toBe(0);
  });

  test('leaves no more room above than a list that begins anew is worth', () => {
    const { newer, older } = endsAt({}, 'newest');
    const page = partOf(older!, answer(older!), newer);
    const long = [{ ...page, newer: older, rows: Array.from({ length: 1_500 }, () => page.rows[0]!) }];
    const next = [{ ...page, newer: older }];
    expect(roomAbove(400, [...long, ...next], next)).toBe(1_900);
    expect(roomAbove(600, [...long, ...next], next)).toBe(0);
  });

  test('says where a search found nothing so far', () => {
    const lost = { rows: [], newer: null, older: { filter: {}, order: 'newest', cursor: 'c' } } as const;
    expect(isLost([lost], 'older')).toBe(true);
    expect(isLost([{ ...lost, older: null }], 'older')).toBe(false);
  });

  test('an instant outside of the filter is the end that is nearer', () => {
    const filter = { from: atOf(10), to: atOf(20) };
    expect(endsAt(filter, { instant: atOf(30) })).toEqual(endsAt(filter, 'newest'));
    expect(endsAt(filter, { instant: atOf(1) })).toEqual(endsAt(filter, 'oldest'));
    expect(startOf(new URLSearchParams('jump=yesterday'))).toBe('newest');
  });
});
