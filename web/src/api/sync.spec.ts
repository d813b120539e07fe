import { expect, test } from '@jest/globals';
import { isSettling, positionSeen, rowsChanged, rowsSeen, syncSlice } from './sync';
import { row, whole } from './tags';

const seen = (...positions: readonly string[]) =>
  positions.reduce(
    (state, position) => syncSlice.reducer(state, positionSeen(position)),
    syncSlice.getInitialState(),
  ).position;

test('the furthest position of a log is kept, and nothing that is none', () => {
  expect(seen('9.aaaaaaaa', '10.aaaaaaaa', '7.aaaaaaaa', 'x', '')).toBe('10.aaaaaaaa');
});

test('a position of another log takes its place, however early it is', () => {
  expect(seen('10.aaaaaaaa', '0.bbbbbbbb')).toBe('0.bbbbbbbb');
  expect(seen('10.aaaaaaaa', '0.bbbbbbbb', '3.bbbbbbbb')).toBe('3.bbbbbbbb');
});

test.each([
  ['the row itself', [row('requests', 'r')], '10.aaaaaaaa', false],
  ['the list that it is in', [whole('requests')], '11.aaaaaaaa', false],
  ['an answer from before', [row('requests', 'r'), whole('requests')], '9.aaaaaaaa', true],
  ['an answer from before any command', [whole('requests')], '0', true],
  ['another kind', [row('requests', 'q'), whole('transfers')], '10.aaaaaaaa', true],
  ['another log, which has nothing to wait for', [whole('requests')], '0.bbbbbbbb', false],
])('a row that was changed from here, and then %s', (_what, tags, asked, settling) => {
  const changed = [positionSeen('10.aaaaaaaa'), rowsChanged([row('requests', 'r'), whole('requests')])];
  const sync = [...changed, rowsSeen({ tags, asked })].reduce(syncSlice.reducer, syncSlice.getInitialState());
  expect(isSettling({ sync }, 'r')).toBe(settling);
});

test('the one row of a kind is settled by whatever answer is of that kind', () => {
  const changed = [positionSeen('10.aaaaaaaa'), rowsChanged(['accounts'])];
  const sync = changed.reduce(syncSlice.reducer, syncSlice.getInitialState());
  expect(isSettling({ sync }, 'accounts')).toBe(true);
  const seen = rowsSeen({ tags: [row('accounts', 'amara')], asked: '10.aaaaaaaa' });
  expect(isSettling({ sync: syncSlice.reducer(sync, seen) }, 'accounts')).toBe(false);
});
