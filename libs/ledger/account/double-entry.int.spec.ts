import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  accountDecider,
  defaultBonusPolicy,
  isBooked,
  PRICE_SCALE,
  type Account,
  type AccountCommand,
  type BookedEvent,
} from '#ledger';
import {
  adjusting,
  confirmingFunding,
  customer,
  fundingOf,
  pricesOf,
  transferOf,
  withdrawalOf,
} from '#ledger/testing';

const PAGE = fileURLToPath(new URL('../../../../docs/explanation/double-entry.md', import.meta.url));

/** The rows of the page's table, as `event: from → to`. */
function documented(): readonly string[] {
  const rows = readFileSync(PAGE, 'utf8').matchAll(/^\| `(\w+)` +\|[^|]+\| `(\S+)` +\| `(\S+)` +\|$/gm);
  return [...rows].map(([, type, from, to]) => `${type}: ${from} → ${to}`);
}

/** What an event books, in the page's words; it must be the same two accounts in each currency. */
function booked({ type, data }: BookedEvent): string {
  const name = (account: string) => account.replace(/^customer\/.+\//, '');
  const accounts = (isFrom: boolean) =>
    new Set(data.postings.filter(({ amount }) => amount < 0n === isFrom).map(({ account }) => name(account)));
  const [from, to] = [[...accounts(true)], [...accounts(false)]];
  const currencies = new Set(data.postings.map(({ currency }) => currency));
  expect([type, from.length, to.length, data.postings.length]).toEqual([type, 1, 1, 2 * currencies.size]);
  return `${type}: ${from[0]} → ${to[0]}`;
}

/** Every type that moves money; the compiler knows when one is missing. */
const types: Readonly<Record<BookedEvent['type'], true>> = {
  FundingConfirmed: true,
  WalletCredited: true,
  WalletDebited: true,
  BalanceWrittenOff: true,
  WithdrawalRequested: true,
  WithdrawalConfirmed: true,
  WithdrawalRejected: true,
  TransferRequested: true,
  TransferConfirmed: true,
  TransferRejected: true,
  TransferReturned: true,
  TransferReceived: true,
  BonusAccrued: true,
};

const DAY = 24 * 60 * 60 * 1_000;
const START = Date.parse('2026-01-01T00:00:00.000Z');
const conversion = {
  currency: 'BTC',
  amount: 100n,
  price: 10n ** BigInt(PRICE_SCALE),
  converted: 10n ** 8n,
} as const;

/** A day between two commands; together they make every event that moves money. */
const life: readonly AccountCommand[] = [
  fundingOf('f1', '100.00', 'BTC'),
  confirmingFunding('f1'),
  adjusting('BTC', '50.00'),
  { type: 'SaveWalletAddress', address: 'sealed' },
  withdrawalOf('w1', '10.00', 'BTC'),
  { type: 'ConfirmWithdrawal', requestId: 'w1' },
  withdrawalOf('w2', '10.00', 'BTC'),
  { type: 'RejectWithdrawal', requestId: 'w2' },
  transferOf('t1', '10.00', 'BTC'),
  { type: 'ConfirmTransfer', requestId: 't1' },
  { type: 'ReturnTransfer', requestId: 't1' },
  transferOf('t2', '10.00', 'BTC', null),
  { type: 'ConfirmTransfer', requestId: 't2' },
  transferOf('t3', '10.00', 'BTC'),
  { type: 'RejectTransfer', requestId: 't3' },
  { type: 'ReceiveTransfer', transferId: 't4', from: 'u2', conversion },
  { type: 'StartBonusCycle', policy: defaultBonusPolicy },
  { type: 'AccrueBonus', policy: defaultBonusPolicy, prices: pricesOf() },
  // The dollars of the bonus go at half the price, and so leave a balance that no dollars stand for.
  adjusting('BTC', '-131.00'),
  adjusting('USDT', '-13.10', pricesOf({ USDT: '2' })),
  { type: 'ForgetPerson', prices: pricesOf() },
];

test('the table of the page is what the code books, event by event', () => {
  let state: Account = customer();
  const found = new Map<string, BookedEvent['type']>();
  for (const [day, command] of life.entries()) {
    const events = accountDecider.decide(command, state, new Date(START + day * DAY).toISOString());
    expect([command.type, events.length]).not.toEqual([command.type, 0]);
    for (const event of events) if (isBooked(event)) found.set(booked(event), event.type);
    state = events.reduce(accountDecider.evolve, state);
  }
  expect([...new Set(found.values())].sort()).toEqual(Object.keys(types).sort());
  expect([...found.keys()].sort()).toEqual([...documented()].sort());
});
