import { expect, test } from '@jest/globals';
import { chainHolds, chainOf, chainStart, eventId, positionOf, type RecordedEvent } from '#kernel';
import { accountDecider, accountStream } from '#ledger';
import { adjusting } from '#ledger/testing';
import { createMemoryEventStore } from '#event-store/memory';
import { createExecutor } from '#commands';
import { contextOf } from '#commands/testing';

const stream = accountStream('u1');
const old: readonly { readonly type: string; readonly data: RecordedEvent['data'] }[] = [
  { type: 'AccountOpened', data: { accountNumber: '30', profile: 'sealed', role: 'user', userId: 'u1' } },
  {
    type: 'WalletCredited',
    data: {
      amount: '10.00',
      converted: '10.00000000',
      currency: 'BTC',
      postings: [
        { account: 'operator/adjustments', amount: '-10.00', currency: 'USD' },
        { account: 'customer/u1/available', amount: '10.00', currency: 'USD' },
        { account: 'operator/adjustments', amount: '-10.00000000', currency: 'BTC' },
        { account: 'customer/u1/available', amount: '10.00000000', currency: 'BTC' },
      ],
      price: '1.00000000',
    },
  },
];

/** The events in version 1, chained as the program of that time did. */
function oldLog(): RecordedEvent[] {
  const log: RecordedEvent[] = [];
  for (const [revision, { type, data }] of old.entries()) {
    const { chain: _, ...meta } = { ...contextOf(`old ${revision}`), chain: '' };
    const id = eventId(meta.commandId, 0);
    const unchained = { id, type, version: 1, stream, revision, at: '2025-01-01T00:00:00.000Z', data, meta };
    const chain = chainOf(log.at(-1)?.meta.chain ?? chainStart, unchained);
    log.push({ ...unchained, meta: { ...meta, chain }, position: positionOf(revision + 1) });
  }
  return log;
}

test('a command goes on from events of version 1: the chain continues, and what it gives is of today', async () => {
  const store = createMemoryEventStore(oldLog());
  const executor = createExecutor({ store, decider: accountDecider, clock: () => Date.UTC(2026, 0, 1) });
  const context = contextOf('new');
  const first = await executor.execute(stream, adjusting('BTC', '5.00'), context);
  const data = first.events[0]?.data;
  expect(data).toMatchObject({ amount: 500n, after: { wallet: 1_500n, balance: 1_500_000_000n } });
  const events = await store.readStream(stream, { limit: 10 });
  expect(events.map(({ type, version }) => [type, version])).toEqual([
    ['AccountOpened', 1],
    ['WalletCredited', 1],
    ['WalletCredited', 2],
  ]);
  expect(events[1]?.data).toEqual(old[1]?.data);
  expect(events[2]?.data).toMatchObject({
    amount: '5.00',
    after: { wallet: '15.00', balance: '15.00000000' },
  });
  events.forEach((event, n) => {
    expect(chainHolds(events[n - 1]?.meta.chain ?? chainStart, event)).toBe(true);
  });
  const again = await executor.execute(stream, adjusting('BTC', '5.00'), context);
  expect(again).toEqual({ ...first, replayed: true });
});
