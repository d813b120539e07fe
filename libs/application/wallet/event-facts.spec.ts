import { expect, test } from '@jest/globals';
import { factsOf } from './event-facts.js';

const event = {
  at: '2026-01-01T00:00:00.000Z',
  data: {},
  id: 'e1',
  meta: {},
  revision: 3,
  type: 'WalletCredited',
};
const factsWith = (data: object) => factsOf({ ...event, data } as never);

test('an event names the request or the transfer that it is about', () => {
  expect(factsWith({ requestId: 'r1' })).toMatchObject({ eventId: 'e1', requestId: 'r1' });
  expect(factsWith({ transferId: 't1' })).toMatchObject({ eventId: 'e1', requestId: 't1' });
  expect(factsWith({})).not.toHaveProperty('requestId');
});
