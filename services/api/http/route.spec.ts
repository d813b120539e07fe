import { expect, test } from '@jest/globals';
import { answersOf, Caller, ParamsOf, Req, Res, Route } from './route.js';

test('answers of a controller have the sources of their parameters, in their order', () => {
  class Accounts {
    @Route('account')
    account(@ParamsOf('account') _params: unknown, @Caller() _caller: unknown, @Res() _reply: unknown) {}
    @Route('me')
    me(@Req() _request: unknown, @Res({ passthrough: true }) _reply: unknown) {}
    helps(_what: unknown) {}
  }
  expect(answersOf(Accounts.prototype)).toMatchObject([
    {
      name: 'account',
      method: 'account',
      sources: [
        { kind: 'input', part: 'params' },
        { kind: 'request' },
        { kind: 'reply', isOnlyAdded: false },
      ],
    },
    { name: 'me', method: 'me', sources: [{ kind: 'request' }, { kind: 'reply', isOnlyAdded: true }] },
  ]);
});

test('a parameter that comes from nowhere stops the start', () => {
  class First {
    @Route('me')
    me(_request: unknown, @Res() _reply: unknown) {}
  }
  class Last {
    @Route('me')
    me(@Req() _request: unknown, _reply: unknown) {}
  }
  for (const { prototype } of [First, Last])
    expect(() => answersOf(prototype)).toThrow('it is not said where each parameter of me comes from');
});

test('what a route does not take can’t be asked for', () => {
  expect(() => ParamsOf('me')).toThrow('route me declares no params');
});
