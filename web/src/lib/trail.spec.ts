import { expect, test } from '@jest/globals';
import { trailOf } from './trail';

test('leads on and back, page by page', () => {
  const first = trailOf(undefined);
  expect([first.at, first.passed, first.previous, first.to(null)]).toEqual([undefined, 0, null, null]);
  const second = trailOf(first.to('30') ?? '');
  const third = trailOf(second.to('20') ?? '');
  expect([second.at, third.at, third.passed]).toEqual(['30', '20', 2]);
  expect(trailOf(third.previous ?? '').at).toBe('30');
  expect(trailOf(second.previous ?? '').at).toBeUndefined();
});
