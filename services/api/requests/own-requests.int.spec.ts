import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { join, keyed, problemIn, startLode, type Lode, type Person } from '../../lode/testing/index.js';

let lode: Lode;
/** An admin besides the first. */
let ivy: Person;

beforeAll(async () => {
  lode = await startLode();
  ivy = await join(lode.visitor, 'Ivy', (await lode.admin.api.get('inviteAdmin')).token);
});
afterAll(() => lode.stop());

const requestId = 'N'.repeat(34);
const refusalIn = (answer: Parameters<typeof problemIn>[0]) => {
  const { status, code } = problemIn(answer);
  return [status, code];
};

describe('about an admin’s own account', () => {
  test.each([
    'confirmFunding',
    'rejectFunding',
    'confirmWithdrawal',
    'rejectWithdrawal',
    'confirmTransfer',
    'rejectTransfer',
  ] as const)('that admin decides nothing, whatever there is: %s', async (name) => {
    const decide = (userId: string) =>
      lode.admin.api.call(name, { params: { userId, requestId }, body: {}, headers: keyed() });
    expect(refusalIn(await decide(lode.admin.userId))).toEqual([403, 'own_request']);
    expect(refusalIn(await decide(ivy.userId))).toEqual([422, 'not_a_customer']);
  });

  test('that admin books nothing, and another finds no wallet', async () => {
    const adjust = (userId: string) =>
      lode.admin.api.call('adjustWallet', {
        params: { userId },
        body: { amounts: { BTC: '1' }, reason: 'a test' },
        headers: keyed(),
      });
    expect(refusalIn(await adjust(lode.admin.userId))).toEqual([403, 'own_request']);
    expect(refusalIn(await adjust(ivy.userId))).toEqual([422, 'not_a_customer']);
  });

  test('that admin does neither in bulk', async () => {
    const items = [lode.admin, ivy].map(({ userId }) => ({ key: randomUUID(), userId }));
    const amounts = { BTC: '1' };
    const booked = await lode.admin.api.get('adjustWallets', {
      body: { items: items.map((one) => ({ ...one, amounts })), reason: 'a test' },
    });
    const codes = [{ problem: { code: 'own_request' } }, { problem: { code: 'not_a_customer' } }];
    expect(booked.results).toMatchObject(codes);
    for (const kind of ['Funding', 'withdrawal', 'transfer']) {
      const asked = items.map(({ userId }) => ({ key: randomUUID(), userId, requestId, kind }));
      for (const verdict of ['confirm', 'reject']) {
        const keyedAnew = asked.map((one) => ({ ...one, key: randomUUID() }));
        const decided = await lode.admin.api.get('decideRequests', { body: { items: keyedAnew, verdict } });
        expect(decided.results).toMatchObject(codes);
      }
    }
  });
});
