import { expect, test } from '@jest/globals';
import { positionSeen, syncSlice } from './sync';

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
