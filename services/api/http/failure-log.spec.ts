import { expect, test } from '@jest/globals';
import { LodeError } from '#kernel';
import { createFailureLog } from './failure-log.js';

test('what is refused for load is said once a second, with how many and without a stack', () => {
  let now = 0;
  const written: { readonly level: string; readonly facts: object }[] = [];
  const at = (level: string) => (facts: object) => void written.push({ level, facts });
  const log = createFailureLog({ error: at('error'), warn: at('warn') }, () => now);
  const request = { id: 'one', method: 'POST', url: '/api/auth/sign-in' };
  const refuse = () => log(new LodeError('overloaded', 'Too many.'), request);

  refuse();
  for (let n = 0; n < 500; n += 1) refuse();
  now = 999;
  refuse();
  const { method, url } = request;
  expect(written).toEqual([{ level: 'warn', facts: { code: 'overloaded', refused: 1, method, url } }]);
  now = 1_000;
  refuse();
  expect(written.at(-1)).toEqual({ level: 'warn', facts: { code: 'overloaded', refused: 502, method, url } });
  const failure = new LodeError('storage_failed', 'The disk failed.');
  log(failure, request);
  log(failure, request);
  expect(written.slice(2).map(({ facts }) => facts)).toEqual([
    { err: failure, code: 'storage_failed', request: 'one', method, url },
    { err: failure, code: 'storage_failed', request: 'one', method, url },
  ]);
});
