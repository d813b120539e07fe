import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { RecordedEvent } from '#kernel';
import {
  accountDecider,
  accountStream,
  currencies,
  formatDecimal,
  formatMoney,
  noAmounts,
  parseMoney,
  PRICE_SCALE,
  type Account,
  type AccountEvent,
  type AccountRequest,
  type Currency,
  type OpenAccount,
  type PaymentCurrency,
} from '#ledger';
import {
  openPersonalData,
  searchKey,
  TOTALS_ID,
  walletModels,
  type AccountDocument,
  type ApprovalDocument,
  type NotificationDocument,
  type RequestDocument,
  type TotalsDocument,
  type TransactionDocument,
  type TransferDocument,
} from '#projections';
import { openSqliteReadStore } from '#read-store/sqlite';
import {
  decryptForTests,
  documentsOf,
  histories,
  memoryLog,
  settled,
  started,
  type History,
} from '../testing/index.js';

async function folded(events: readonly RecordedEvent[]) {
  const log = memoryLog(events);
  const store = openSqliteReadStore({ file: ':memory:' });
  const running = started({ log, store, models: walletModels, open: openPersonalData(decryptForTests) });
  await settled(running, await log.head());
  expect(running.runner.health().models.filter(({ parked }) => parked > 0)).toEqual([]);
  await running.runner.stop();
  const all = async <Found>(name: string) => (await documentsOf(store, name)) as unknown as readonly Found[];
  return {
    accounts: await all<AccountDocument>('accounts'),
    approvals: await all<ApprovalDocument>('approvals'),
    requests: await all<RequestDocument>('requests'),
    transfers: await all<TransferDocument>('transfers'),
    transactions: await all<TransactionDocument>('transactions'),
    notifications: await all<NotificationDocument>('notifications'),
    totals: await store.get<TotalsDocument>('totals', TOTALS_ID),
  };
}

type OpenApprovals = NonNullable<AccountRequest['approvals']>;
type Person = { readonly userId: string; readonly account: OpenAccount };

/** Those who have an account, in the order of their ids. */
function peopleIn({ accounts }: History): readonly Person[] {
  return [...accounts]
    .flatMap(([userId, account]) => (account.kind === 'open' ? [{ userId, account }] : []))
    .toSorted((a, b) => (a.userId < b.userId ? -1 : 1));
}

function requestsIn(people: readonly Person[]) {
  return people.flatMap(({ userId, account }) =>
    [...account.requests].map(([id, request]) => ({ userId, id, request })),
  );
}

/** What somebody approved and nobody has decided: requests first, then adjustments. */
function waitingOf({ userId, account: { proposals, requests } }: Person) {
  const given = (approvals: OpenApprovals = []) => ({
    approvals: approvals.map(({ by, until }) => ({ by, until })),
    needed: approvals.at(-1)?.needed,
    userId,
  });
  const inDollars = ({ amount, currency }: Pick<AccountRequest, 'amount' | 'currency'>) => ({
    amount: formatMoney(amount, 'USD'),
    currency,
  });
  return [
    ...[...requests].flatMap(([id, request]) =>
      request.approvals === undefined
        ? []
        : [{ ...given(request.approvals), amounts: [inDollars(request)], id, kind: request.kind }],
    ),
    ...[...proposals].flatMap(([id, { approvals, entries, status, until }]) =>
      status === 'Pending'
        ? [{ ...given(approvals), amounts: entries.map(inDollars), id, kind: 'adjustment', until }]
        : [],
    ),
  ];
}

function total(account: OpenAccount, currency: Currency): bigint {
  return account.available[currency] + account.held[currency];
}

function inLogOrder<One extends { readonly position: string }>(all: readonly One[]): readonly One[] {
  return all.toSorted((a, b) => Number(a.position) - Number(b.position));
}

function parts(account: OpenAccount, currency: Currency) {
  return {
    available: formatMoney(account.available[currency], currency),
    balance: formatMoney(total(account, currency), currency),
    held: formatMoney(account.held[currency], currency),
  };
}

function dollars(cents: readonly bigint[]): string {
  return formatMoney(
    cents.reduce((sum, one) => sum + one, 0n),
    'USD',
  );
}

function amounts(all: readonly AccountRequest[], is: (request: AccountRequest) => boolean): string {
  return dollars(all.filter(is).map(({ amount }) => amount));
}

const isConfirmed = (kind: AccountRequest['kind']) => (request: AccountRequest) =>
  request.kind === kind &&
  request.status === 'confirmed' &&
  (request.kind !== 'transfer' || request.delivery !== 'returned');
const isPending = (kind: AccountRequest['kind']) => (request: AccountRequest) =>
  request.kind === kind && request.status === 'Pending';

function bonusesOf(events: readonly RecordedEvent[], userId?: string): string {
  const own = events.filter(
    ({ type, stream }) =>
      type === 'BonusAccrued' && (userId === undefined || stream === accountStream(userId)),
  );
  return dollars(own.map(({ data }) => parseMoney(data['amount'] as string, 'USD')));
}

/** Each event with what its account had before and has after it, by the ledger's own fold. */
function stepsOf(events: readonly RecordedEvent[]) {
  const accounts = new Map<string, Account>();
  return events.map((event) => {
    const before = accounts.get(event.stream) ?? accountDecider.initial;
    const after = accountDecider.evolve(before, accountDecider.codecs.decode(event));
    accounts.set(event.stream, after);
    return { event, before, after };
  });
}

describe('the wallet’s read models, folded from the log, say what the ledger’s own fold says', () => {
  const whatever = (check: (history: History) => Promise<void>) =>
    fc.assert(fc.asyncProperty(histories, check), { numRuns: 25 });

  test('accounts: balances, status, bonus and what the requests come to', async () => {
    await whatever(async (history) => {
      const { accounts } = await folded(history.events);
      const people = peopleIn(history);
      expect(accounts.map(({ userId }) => userId)).toEqual(people.map(({ userId }) => userId));
      for (const [n, { userId, account }] of people.entries()) {
        const all = [...account.requests.values()];
        const { addresses, bonus, image, moneyOut, status } = account;
        expect(accounts[n]).toMatchObject({
          addresses,
          balances: { BTC: parts(account, 'BTC'), PI: parts(account, 'PI'), USDT: parts(account, 'USDT') },
          bonus,
          bonusDay: bonus === null ? '' : String(bonus.bonusDays),
          image,
          moneyOut,
          status,
          totals: {
            bonus: bonusesOf(history.events, userId),
            funded: amounts(all, isConfirmed('funding')),
            openRequests: all.filter((one) => one.status === 'Pending').length,
            requests: all.length,
            transferred: amounts(all, isConfirmed('transfer')),
            withdrawn: amounts(all, isConfirmed('withdrawal')),
          },
          wallet: parts(account, 'USD'),
        });
      }
    });
  });

  test('accounts: who a person is, and nothing of it once the person was forgotten or the key is gone', async () => {
    await whatever(async (history) => {
      const { accounts } = await folded(history.events);
      for (const [n, { userId, account }] of peopleIn(history).entries()) {
        const { firstname, lastname, email, phone, emailKey, nameKey, lastnameKey } = accounts[n]!;
        if (userId === 'chen' || account.status === 'closed') {
          expect([firstname, lastname, email, phone]).toEqual(Array(4).fill('forgotten'));
        } else {
          expect({ firstname, lastname, email, phone }).toEqual(decryptForTests(userId, account.profile));
        }
        const keys = [email, `${firstname} ${lastname}`, lastname].map(searchKey);
        expect([emailKey, nameKey, lastnameKey]).toEqual(account.status === 'closed' ? ['', '', ''] : keys);
      }
    });
  });

  test('requests: each with its amount and what became of it', async () => {
    await whatever(async (history) => {
      const { requests } = await folded(history.events);
      const expected = requestsIn(peopleIn(history)).filter(({ request }) => request.kind !== 'transfer');
      expect(requests.map(({ id }) => id).toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
      for (const { userId, id, request } of expected) {
        expect(requests.find((one) => one.id === id)).toMatchObject({
          amount: formatMoney(request.amount, 'USD'),
          closed: request.status !== 'Pending',
          currency: request.currency,
          status: request.status,
          type: request.kind === 'funding' ? 'Funding' : 'withdrawal',
          userId,
          ...(request.kind === 'withdrawal' && {
            address: history.events.find(
              ({ type, data }) => type === 'WithdrawalRequested' && data['requestId'] === id,
            )?.data['address'],
            hold: {
              converted: formatMoney(request.converted, request.currency),
              price: formatDecimal(request.price, PRICE_SCALE),
              rate: '1550.50000000',
            },
          }),
        });
      }
    });
  });

  test('transfers: each with its amount, where it is and what it left', async () => {
    await whatever(async (history) => {
      const { transfers } = await folded(history.events);
      const expected = requestsIn(peopleIn(history)).filter(({ request }) => request.kind === 'transfer');
      expect(transfers.map(({ id }) => id).toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
      const left = new Map(
        stepsOf(history.events).flatMap(({ event, after }) =>
          event.type === 'TransferConfirmed' && after.kind === 'open'
            ? [[event.data['requestId'], formatMoney(total(after, 'USD'), 'USD')] as const]
            : [],
        ),
      );
      for (const { userId, id, request } of expected) {
        if (request.kind !== 'transfer') throw new Error('only transfers were kept');
        const isPaidOut = request.status === 'confirmed' && request.receiver === null;
        expect(transfers.find((one) => one.id === id)).toMatchObject({
          amount: formatMoney(request.amount, 'USD'),
          balance: left.get(id) ?? '',
          closed: request.status !== 'Pending',
          converted: formatMoney(request.converted, request.currency),
          currency: request.currency,
          delivery: isPaidOut ? 'paid out' : request.delivery,
          details: `sealed ${id}`,
          price: formatDecimal(request.price, PRICE_SCALE),
          receiver: request.receiver,
          status: request.status,
          userId,
        });
      }
    });
  });

  test('approvals: what waits for other admins, with who approved it and how many have to', async () => {
    await whatever(async (history) => {
      const { approvals } = await folded(history.events);
      const expected = peopleIn(history).flatMap(waitingOf);
      expect(approvals.map(({ id }) => id).toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
      for (const one of expected) expect(approvals.find(({ id }) => id === one.id)).toMatchObject(one);
    });
  });

  test('transactions: one for each change of what somebody has, with the balances that it left', async () => {
    await whatever(async (history) => {
      const { transactions } = await folded(history.events);
      const expected = stepsOf(history.events).flatMap(({ event, before, after }) => {
        if (before.kind === 'none' || after.kind === 'none') return [];
        if (currencies.every((currency) => total(before, currency) === total(after, currency))) return [];
        const currency = event.data['currency'] as PaymentCurrency;
        const changed = (one: Currency) => total(after, one) - total(before, one);
        const isCredit = changed('USD') > 0n || changed(currency) > 0n;
        const size = (one: Currency) => formatMoney(isCredit ? changed(one) : -changed(one), one);
        return [
          {
            amount: size('USD'),
            balance: formatMoney(total(after, 'USD'), 'USD'),
            converted: size(currency),
            currency,
            currencyBalance: formatMoney(total(after, currency), currency),
            eventId: event.id,
            source: event.type,
            type: isCredit ? 'credit' : 'debit',
            userId: event.stream.slice(accountStream('').length),
          },
        ];
      });
      expect(inLogOrder(transactions)).toMatchObject(expected);
    });
  });

  test('notifications: what a customer should hear of, in the order of the log', async () => {
    const told: readonly AccountEvent['type'][] = [
      'FundingConfirmed',
      'FundingRejected',
      'WithdrawalConfirmed',
      'WithdrawalRejected',
      'TransferConfirmed',
      'TransferRejected',
      'TransferReceived',
      'TransferReturned',
      'WalletCredited',
      'WalletDebited',
      'BonusAccrued',
      'AccountSuspended',
      'AccountActivated',
      'WalletAddressSaved',
      'WalletAddressCanceled',
    ];
    await whatever(async (history) => {
      const { notifications } = await folded(history.events);
      const expected = history.events
        .filter(({ type }) => told.includes(type as AccountEvent['type']))
        .filter(({ type, data }) => type !== 'BonusAccrued' || data['amount'] !== '0.00')
        .map(({ id, type, data, meta, stream }) => ({
          amount: data['amount'] ?? null,
          eventId: id,
          kind: type,
          reason: meta.reason ?? null,
          requestId: data['requestId'] ?? data['transferId'] ?? null,
          userId: stream.slice(accountStream('').length),
        }));
      expect(inLogOrder(notifications)).toMatchObject(expected);
    });
  });

  test('totals: the sums over everybody', async () => {
    await whatever(async (history) => {
      const { totals } = await folded(history.events);
      const people = peopleIn(history);
      const all = requestsIn(people).map(({ request }) => request);
      const balances = people.reduce(
        (sums, { account }) => {
          for (const currency of currencies) sums[currency] += total(account, currency);
          return sums;
        },
        { ...noAmounts },
      );
      const confirmed = (kind: AccountRequest['kind']) => all.filter(isConfirmed(kind)).length;
      expect(totals).toMatchObject({
        balances: Object.fromEntries(currencies.map((one) => [one, formatMoney(balances[one], one)])),
        bonus: bonusesOf(history.events),
        confirmedRequests: confirmed('funding') + confirmed('withdrawal'),
        funding: amounts(all, isConfirmed('funding')),
        pendingFunding: all.filter(isPending('funding')).length,
        pendingTransfers: all.filter(isPending('transfer')).length,
        pendingWithdrawalAmount: amounts(all, isPending('withdrawal')),
        pendingWithdrawals: all.filter(isPending('withdrawal')).length,
        users: people.filter(({ account }) => account.role === 'user' && account.status !== 'closed').length,
        withdrawn: amounts(all, isConfirmed('withdrawal')),
      });
    });
  });
});

test('the histories hold every event of an account', () => {
  const seen = new Set<string>();
  for (const { events } of fc.sample(histories, { numRuns: 300, seed: 7 }))
    for (const { type } of events) seen.add(type);
  expect([...seen].toSorted()).toEqual(Object.keys(accountDecider.codecs.versions).toSorted());
});
