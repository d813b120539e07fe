import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '#kernel/testing';
import {
  confirmFunding,
  credit,
  formOf,
  join,
  PDF,
  problemIn,
  requestFunding,
  requestWithdrawal,
  saveWalletAddress,
  startLode,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

let lode: Lode;
let ann: Person;
let bob: Person;
beforeAll(async () => {
  lode = await startLode();
  ann = await join(lode.visitor, 'Ann');
  bob = await join(lode.visitor, 'Bob');
});
afterAll(() => lode.stop());

/** A fund request whose evidence is a file with these words. */
async function requested(person: Person, words: string, amount: string) {
  const form = formOf(new Uint8Array([...PDF, ...Buffer.from(`% ${words}\n`)]));
  const { fileId } = await person.api.get('uploadEvidence', { form });
  return { fileId, ...(await requestFunding(person, amount, fileId)) };
}

function usesOf({ userId }: Person, { requestId }: { readonly requestId: string }, position: string) {
  const headers = { 'Lode-Position': position };
  return lode.admin.api.get('evidenceUses', { params: { userId, requestId }, headers });
}

/** How often the log says that an admin was shown what is a person's. */
async function readingsOf({ userId }: Person): Promise<number> {
  const { items } = await lode.admin.api.get('events', { query: { type: 'PersonRead', limit: '100' } });
  return items.filter(({ data }) => data['about'] === userId).length;
}

test('the same bytes under another id are found, whoever sent them and whatever became of it, newest first', async () => {
  const first = await requested(ann, 'a receipt', '100.00');
  await confirmFunding(lode.admin, ann, first.requestId);
  const again = await requested(ann, 'a receipt', '120.00');
  await requested(ann, 'another receipt', '130.00');
  const byBob = await requested(bob, 'a receipt', '140.00');
  expect(new Set([first, again, byBob].map(({ fileId }) => fileId)).size).toBe(3);

  expect(await usesOf(bob, byBob, byBob.position)).toEqual({
    items: [
      {
        requestId: again.requestId,
        userId: ann.userId,
        customer: 'Ann Miller',
        amount: '120.00',
        currency: 'BTC',
        status: 'Pending',
        createdAt: expect.any(String),
      },
      expect.objectContaining({ requestId: first.requestId, amount: '100.00', status: 'confirmed' }),
    ],
    hasMore: false,
  });
  const ofFirst = await usesOf(ann, first, byBob.position);
  expect(ofFirst.items.map(({ requestId }) => requestId)).toEqual([byBob.requestId, again.requestId]);
});

test('evidence that nobody else sent has no other uses', async () => {
  const only = await requested(ann, 'seen nowhere else', '100.00');
  expect(await usesOf(ann, only, only.position)).toEqual({ items: [], hasMore: false });
});

test('twenty uses are told, and whether there are more', async () => {
  const made = [];
  for (let n = 0; n < 22; n += 1) made.push(await requested(bob, 'sent again and again', `${100 + n}.00`));
  const [oldest, second] = made;
  const position = made.at(-1)?.position ?? '';
  if (oldest === undefined || second === undefined) throw new Error('they were made');
  const all = await usesOf(bob, oldest, position);
  expect([all.items.length, all.hasMore]).toEqual([20, true]);
  expect(all.items.at(-1)?.amount).toBe('102.00');

  const few = await requested(ann, 'a receipt', '100.00');
  expect((await usesOf(ann, few, few.position)).hasMore).toBe(false);
});

test('whoever else is shown is noted in the log of access', async () => {
  const [chen, dora] = [await join(lode.visitor, 'Chen'), await join(lode.visitor, 'Dora')];
  await requested(chen, 'of two people', '100.00');
  const second = await requested(dora, 'of two people', '100.00');
  expect([await readingsOf(chen), await readingsOf(dora)]).toEqual([0, 0]);
  await usesOf(dora, second, second.position);
  await until(async () => (await readingsOf(chen)) > 0 && (await readingsOf(dora)) > 0);
});

test('a request of somebody else, a withdrawal and an unknown one have none, and customers may not ask', async () => {
  const { requestId } = await requested(ann, 'a receipt', '100.00');
  await saveWalletAddress(ann);
  await credit(lode.admin, ann, { BTC: '100' });
  const withdrawal = await requestWithdrawal(ann, '20');
  const asked = (api: Person['api'], userId: string, of: string) =>
    api.call('evidenceUses', {
      params: { userId, requestId: of },
      headers: { 'Lode-Position': withdrawal.position },
    });
  for (const [userId, of] of [
    [bob.userId, requestId],
    [ann.userId, withdrawal.requestId],
    [ann.userId, 'R'.padEnd(34, 'x')],
  ] as const)
    expect(problemIn(await asked(lode.admin.api, userId, of))).toMatchObject({ code: 'request_not_found' });
  expect((await asked(ann.api, ann.userId, requestId)).status).toBe(403);
});
