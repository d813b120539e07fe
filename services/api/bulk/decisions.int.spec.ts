import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  credit,
  join,
  requestFunding,
  requestTransfer,
  requestWithdrawal,
  saveWalletAddress,
  setPin,
  startLode,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

let lode: Lode;
let ann: Person;
let bob: Person;

beforeAll(async () => {
  lode = await startLode();
  [ann, bob] = [await join(lode.visitor, 'Ann'), await join(lode.visitor, 'Bob')];
  for (const one of [ann, bob]) {
    await saveWalletAddress(one);
    await credit(lode.admin, one, { BTC: '100' });
    await setPin(one);
  }
});
afterAll(() => lode.stop());

type Kind = 'Funding' | 'withdrawal' | 'transfer';
const item = ({ userId }: Person, kind: Kind, { requestId }: { readonly requestId: string }) => ({
  key: randomUUID(),
  userId,
  requestId,
  kind,
});
const decide = (items: readonly object[], verdict: string, reason?: string) =>
  lode.admin.api.get('decideRequests', {
    body: { items, verdict, ...(reason === undefined ? {} : { reason }) },
  });
const at = (position: string) => ({ 'Lode-Position': position });

test('one verdict about requests of all kinds: each is decided by itself, and is found decided', async () => {
  const [funding, withdrawal, transfer] = [
    await requestFunding(ann),
    await requestWithdrawal(bob, '10'),
    await requestTransfer(ann, (await bob.api.get('me')).accountNumber, '5'),
  ];
  const items = [
    item(ann, 'Funding', funding),
    item(bob, 'withdrawal', withdrawal),
    item(ann, 'transfer', transfer),
    item(bob, 'Funding', { requestId: 'N'.repeat(34) }),
  ];
  const answer = await decide(items, 'confirm', 'Found on the statement.');
  expect(answer).toMatchObject({
    message: '3 of 4 requests are confirmed.',
    decided: 3,
    replayed: 0,
    refused: 1,
    results: [
      { status: 'decided', replayed: false, requestId: funding.requestId },
      { status: 'decided', requestId: withdrawal.requestId },
      { status: 'decided', requestId: transfer.requestId },
      { status: 'refused', problem: { status: 404, code: 'request_not_found' } },
    ],
  });
  const { items: listed } = await lode.admin.api.get('requests', {
    query: { status: 'confirmed' },
    headers: at(answer.position),
  });
  expect(listed.map(({ id, kind, decision }) => [id, kind, decision?.reason])).toEqual([
    [transfer.requestId, 'transfer', 'Found on the statement.'],
    [withdrawal.requestId, 'withdrawal', 'Found on the statement.'],
    [funding.requestId, 'Funding', 'Found on the statement.'],
  ]);
});

test('sent again under its keys nothing is decided twice, and another verdict is refused', async () => {
  const [one, two] = [await requestFunding(ann), await requestFunding(bob)];
  const items = [item(ann, 'Funding', one), item(bob, 'Funding', two)];
  const first = await decide(items, 'reject', 'No such payment.');
  const again = await lode.admin.api.call('decideRequests', {
    body: { items, verdict: 'reject', reason: 'No such payment.' },
  });
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.json).toMatchObject({ position: first.position, decided: 2, replayed: 2, refused: 0 });
  const other = await decide(items, 'confirm');
  expect(other.results.map((result) => 'problem' in result && result.problem.code)).toEqual([
    'idempotency_key_reused',
    'idempotency_key_reused',
  ]);
  const late = await decide(
    items.map((each) => ({ ...each, key: randomUUID() })),
    'confirm',
  );
  expect(late.results).toMatchObject([
    { status: 'refused', problem: { code: 'request_closed', detail: 'Transaction Closed' } },
    { status: 'refused', problem: { code: 'request_closed' } },
  ]);
});

test('the list of all kinds is narrowed and goes on by pages in one order', async () => {
  const made = [
    await requestWithdrawal(ann, '2'),
    await requestTransfer(ann, (await bob.api.get('me')).accountNumber, '3'),
    await requestFunding(bob),
    await requestWithdrawal(bob, '4'),
  ];
  const headers = at(made.at(-1)?.position ?? '0');
  const ids = made.map(({ requestId }) => requestId).toReversed();
  const query = { status: 'Pending', limit: '2' };
  const first = await lode.admin.api.get('requests', { query, headers });
  const second = await lode.admin.api.get('requests', {
    query: { ...query, cursor: first.next ?? '' },
    headers,
  });
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
  expect([first.first, second.first]).toEqual([1, 3]);
  const back = await lode.admin.api.get('requests', {
    query: { ...query, cursor: second.previous ?? '' },
    headers,
  });
  expect(back.items).toEqual(first.items);
  const of = async (narrowed: Readonly<Record<string, string>>) =>
    (await lode.admin.api.get('requests', { query: { ...narrowed, status: 'Pending' }, headers })).items.map(
      ({ id }) => id,
    );
  expect(await of({ kind: 'transfer' })).toEqual([ids[2]]);
  expect(await of({ kind: 'withdrawal', currency: 'BTC' })).toEqual([ids[0], ids[3]]);
  expect(await of({ currency: 'PI' })).toEqual([]);
  expect(await of({ currency: 'BTC' })).toEqual(ids);
});
