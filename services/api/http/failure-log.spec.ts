import { expect, test } from '@jest/globals';
import { LodeError } from '#kernel';
import { createFailureLog, type FailureLog } from './failure-log.js';

/** A request to a route, as far as it is written down. */
function requestTo(method: string, url: string, headers = {}): Parameters<FailureLog>[1] {
  const routeOptions = {
    method,
    url,
    bodyLimit: 0,
    attachValidation: false,
    logLevel: 'silent',
    handlerTimeout: 0,
    handler: () => undefined,
    exposeHeadRoute: false,
    prefixTrailingSlash: 'both',
    config: { url, method },
  };
  return { id: 'one', method, headers, routeOptions };
}

test('what is refused for load is said once a second, with how many and without a stack', () => {
  let now = 0;
  const written: { readonly level: string; readonly facts: object }[] = [];
  const at = (level: string) => (facts: object) => void written.push({ level, facts });
  const log = createFailureLog({ error: at('error'), warn: at('warn') }, () => now);
  const route = '/api/auth/sign-in';
  const request = requestTo('POST', route);
  const refuse = () => log(new LodeError('overloaded', 'Too many.'), request);

  refuse();
  for (let n = 0; n < 500; n += 1) refuse();
  now = 999;
  refuse();
  const { method } = request;
  expect(written).toEqual([{ level: 'warn', facts: { code: 'overloaded', refused: 1, method, route } }]);
  now = 1_000;
  refuse();
  expect(written.at(-1)).toEqual({
    level: 'warn',
    facts: { code: 'overloaded', refused: 502, method, route },
  });
  const failure = new LodeError('storage_failed', 'The disk failed.');
  log(failure, request);
  log(failure, request);
  expect(written.slice(2).map(({ facts }) => facts)).toEqual([
    { err: failure, code: 'storage_failed', request: 'one', method, route },
    { err: failure, code: 'storage_failed', request: 'one', method, route },
  ]);
});

test('the correlation is that of the request’s commands, or else the one that it was sent with, if that is a UUID', () => {
  const written: object[] = [];
  const log = createFailureLog({ error: (facts: object) => void written.push(facts), warn: () => undefined });
  const failure = new LodeError('unavailable', 'Away.');
  const [sent, own] = ['3f2a4b6c-1111-5222-8333-444455556666', '3f2a4b6c-1111-5222-8333-444455557777'];
  const request = requestTo('GET', '/api/accounts', { 'x-correlation-id': sent });
  log(failure, request);
  log(failure, { ...request, correlationId: own, commandId: own });
  log(failure, requestTo('GET', '/api/accounts', { 'x-correlation-id': 'ann@lode.example' }));
  expect(written).toMatchObject([
    { correlationId: sent, commandId: undefined },
    { correlationId: own, commandId: own },
    { correlationId: undefined },
  ]);
});
