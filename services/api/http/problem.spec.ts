import { expect, test } from '@jest/globals';
import { routes, type Route } from '#contracts';
import { LodeError } from '#kernel';
import { problemOf } from './problem.js';

const withFailed = Object.values<Route>(routes).filter(({ failed }) => failed !== undefined);

test.each(withFailed)('what may have been done is not told as failed: $method $path', (route) => {
  const problem = problemOf(new LodeError('unknown_outcome', 'the disk failed'), route);
  expect(problem).toMatchObject({
    status: 503,
    detail: "We don't know yet whether this was done. Send it again: it is never done twice.",
  });
  expect(problem).not.toHaveProperty('failed');
  expect(problemOf(new LodeError('unavailable', 'away'), route)).toHaveProperty('failed');
});
