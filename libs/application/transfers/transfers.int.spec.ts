import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { localBuckets } from '#identity';
import { accountStream, parseMoney } from '#ledger';
import { pricesOf } from '#ledger/testing';
import { accounts, type AccountDocument } from '#projections';
import type { ReadStore } from '#read-store';
import { openSqliteReadStore } from '#read-store/sqlite';
import { callerContext } from '../access/context.js';
import {
  accountDocument,
  CLIENT,
  contextOf,
  customer,
  openAccessWorld,
  personalContextOf,
  registered,
  type AccessWorld,
} from '../testing/index.js';
import { GetAccountHolder, GetAccountHolderHandler } from './account-holder.js';
import { createAccountNumbers, type AccountNumbers } from './account-numbers.js';
import { CarryTransferOn, CarryTransferOnHandler } from './carry-on.js';
import { RequestTransfer, RequestTransferHandler } from './request-transfer.js';

const PIN = '1234';
const BOB = '3000000009';
/** Look-ups that one person may make at once, and milliseconds until there may be one more. */
const BURST = 30;
const EVERY_MS = 20_000;
const dollars = (text: string) => parseMoney(text, 'USD');

describe('transfers', () => {
  let world: AccessWorld;
  let userId: string;
  let readStore: ReadStore;
  /** Writes what is known of the customer whose account number it is. */
  let knowBob: (more?: Partial<AccountDocument>) => Promise<void>;
  let now: number;
  let accountNumbers: AccountNumbers;
  beforeEach(async () => {
    world = await openAccessWorld();
    ({ userId } = await registered(world));
    await world.identity.transferPins.set(userId, PIN);
    const entries = [{ currency: 'BTC', amount: dollars('500') }] as const;
    await world.tell(userId, { type: 'AdjustWallet', entries, prices: pricesOf() });
    readStore = openSqliteReadStore({ file: ':memory:' });
    const build = await readStore.begin(accounts, { bulk: false });
    const known = { accountNumber: BOB, firstname: 'Bob', lastname: 'Berg' };
    knowBob = (more) =>
      readStore.write([{ build, put: [accountDocument('bob', { ...known, ...more })], remove: [] }]);
    await knowBob();
    await readStore.activate(build);
    now = 0;
    accountNumbers = createAccountNumbers(
      readStore,
      localBuckets(() => now),
    );
  });
  afterEach(async () => {
    await readStore.close();
    await world.close();
  });

  const typesOf = async () =>
    (await world.eventStore.readStream(accountStream(userId), { limit: 100 })).map(({ type }) => type);
  const NOTHING = ['AccountOpened', 'WalletCredited'];
  const asked = {
    transferType: 'local',
    bankName: 'Bank',
    accountNumber: BOB,
    accountName: 'Robert',
  } as const;
  const none = { bankAddress: '', routingNumber: '', swiftBicIban: '', holderAddress: '', narration: 'rent' };
  const request = (
    key: string,
    {
      pin = PIN,
      amount = '20',
      ...more
    }: { pin?: string; amount?: string; accountNumber?: string; accountName?: string } = {},
  ) =>
    new RequestTransferHandler(world, accountNumbers).execute(
      new RequestTransfer(
        personalContextOf(customer(userId), key),
        callerContext({ userId, role: 'user', sessionId: 's1' }, CLIENT),
        { pin },
        dollars(amount),
        { ...none, ...asked, currency: 'BTC', ...more },
      ),
    );
  const lookUp = (accountNumber: string, askedBy = userId) =>
    new GetAccountHolderHandler(accountNumbers).execute(new GetAccountHolder(accountNumber, askedBy));

  test('a transfer to a customer names the customer, keeps no name of theirs, and goes by the settings in force', async () => {
    const { requestId } = await request('one');
    const [, , event] = await world.eventStore.readStream(accountStream(userId), { limit: 100 });
    expect(event).toMatchObject({
      type: 'TransferRequested',
      data: { requestId, receiver: { userId: 'bob', accountNumber: BOB } },
      meta: { settings: -1, requestHash: await world.identity.personKeys.digestFor(userId, 'one') },
    });
    const details = await world.identity.personKeys.decryptFor(userId, String(event?.data['details']));
    expect(details).toMatchObject({ accountNumber: BOB, accountName: '', narration: 'rent' });
  });

  test('a transfer to a bank keeps the name that was given', async () => {
    await request('one', { accountNumber: 'DE12' });
    const [, , event] = await world.eventStore.readStream(accountStream(userId), { limit: 100 });
    expect(event?.data['receiver']).toBeNull();
    const details = await world.identity.personKeys.decryptFor(userId, String(event?.data['details']));
    expect(details).toMatchObject({ accountNumber: 'DE12', accountName: 'Robert' });
  });

  test('one that is asked for twice under one key is the first one again, also when its receiver is gone', async () => {
    const first = await request('one');
    await knowBob({ status: 'suspended' });
    expect(await request('one')).toEqual({ ...first, replayed: true });
    expect(await typesOf()).toEqual([...NOTHING, 'TransferRequested']);
  });

  test('whoever does not know the pin is told nothing else, and every try is written down; a repeat needs none', async () => {
    const first = await request('one');
    await knowBob({ status: 'suspended' });
    expect(await request('one', { pin: '0000' })).toEqual({ ...first, replayed: true });
    for (const key of ['two', 'three'])
      await expect(request(key, { pin: '0000', amount: '9000' })).rejects.toMatchObject({
        code: 'pin_wrong',
      });
    expect(await world.auditOf(userId)).toEqual(['TransferPinRefused', 'TransferPinRefused']);
    expect(await typesOf()).toEqual([...NOTHING, 'TransferRequested']);
  });

  test.each([
    [
      'to a customer who takes none, before what it is worth',
      'account_number_unusable',
      { amount: '9000' },
      'suspended',
    ],
    [
      'to a bank without a name, before what it is worth',
      'validation_failed',
      { amount: '9000', accountNumber: 'DE12', accountName: '' },
      'active',
    ],
    ['of more than there is', 'insufficient_balance', { amount: '9000' }, 'active'],
  ] as const)('one %s is refused, and nothing is written', async (_, code, more, status) => {
    await knowBob({ status });
    await expect(request('one', more)).rejects.toMatchObject({ code });
    expect(await typesOf()).toEqual(NOTHING);
  });

  test('an account number is looked up whole, and is no admin’s', async () => {
    expect(await lookUp(BOB)).toEqual({ accountNumber: BOB, accountName: 'Bob Berg' });
    await expect(lookUp('300000000')).rejects.toMatchObject({ code: 'account_number_unknown' });
    await expect(lookUp('3000000008')).rejects.toMatchObject({ code: 'account_number_unknown' });
    await knowBob({ role: 'admin' });
    await expect(lookUp(BOB)).rejects.toMatchObject({ code: 'account_number_unknown' });
    await knowBob({ firstname: '', lastname: '' });
    await expect(lookUp(BOB)).rejects.toMatchObject({ code: 'account_number_unusable' });
  });

  test('numbers are not tried out one after the other, by requests neither, and everybody has their own tries', async () => {
    for (let n = 0; n < BURST; n += 1) await lookUp(BOB);
    const tooMany = { code: 'rate_limited', details: { retryAfterSeconds: EVERY_MS / 1_000 } };
    await expect(lookUp(BOB)).rejects.toMatchObject(tooMany);
    await expect(request('one')).rejects.toMatchObject(tooMany);
    expect(await typesOf()).toEqual(NOTHING);
    await lookUp(BOB, 'carl');
    now += EVERY_MS;
    await request('one');
  });

  test('a step of a transfer is taken once, on the account that it is for', async () => {
    const other = await registered(world);
    const conversion = { currency: 'BTC', amount: dollars('20'), converted: 5n, price: 1n } as const;
    const step = { type: 'ReceiveTransfer', transferId: 't1', from: userId, conversion } as const;
    const carryOn = (key: string) =>
      new CarryTransferOnHandler(world.aggregates).execute(
        new CarryTransferOn(
          contextOf({ kind: 'system', id: 'transfers', role: 'system' }, key),
          accountStream(other.userId),
          step,
        ),
      );
    const first = await carryOn('one');
    expect(await carryOn('one')).toMatchObject({ position: first.position, replayed: true });
    await carryOn('two');
    const events = await world.eventStore.readStream(accountStream(other.userId), { limit: 100 });
    expect(events.map(({ type }) => type)).toEqual(['AccountOpened', 'TransferReceived']);
    expect(await typesOf()).toEqual(NOTHING);
  });
});
