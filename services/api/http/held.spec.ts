import { expect, test } from '@jest/globals';
import { routes, type RouteName } from '#contracts';
import { whoseStreams } from './held.js';
import type { LodeRequest } from './route.js';

const asked = { params: { userId: 'ann' }, caller: { userId: 'bob' } } as unknown as LodeRequest;
const names = Object.keys(routes) as readonly RouteName[];

test('a query is answered from the streams of the person whom its address names, or of whoever asks for their own', () => {
  for (const name of ['account', 'ownTransactions', 'ownTransfers', 'notifications'] as const)
    expect(whoseStreams(name, asked)).toBe('ann');
  expect(whoseStreams('me', asked)).toBe('bob');
});

test('what may be from anybody is no one person’s', () => {
  const anybodys = [
    // Of whoever sent them, or used the same file.
    ...(['receivedTransfers', 'evidenceUses'] as const),
    // What is read from the log itself may have been looked up by anything.
    ...(['statement', 'why'] as const),
    ...names.filter((name) => !routes[name].path.includes(':userId') && name !== 'me'),
  ];
  for (const name of anybodys) {
    const params = routes[name].path.includes(':userId') ? asked.params : {};
    expect([name, whoseStreams(name, { ...asked, params })]).toEqual([name, undefined]);
  }
});
