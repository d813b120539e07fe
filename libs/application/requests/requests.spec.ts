import { beforeEach, describe, expect, test } from '@jest/globals';
import { accountStream, parseDecimal, parseMoney, PRICE_SCALE, settingsStream } from '#ledger';
import { fundingOf, transferOf, withdrawalOf } from '#ledger/testing';
import { admin, callerOf, contextOf, createWorld, customer, personalContextOf } from '../testing/index.js';
import { AdjustWallet, AdjustWalletHandler } from './adjust-wallet.js';
import {
  ConfirmRequest,
  ConfirmRequestHandler,
  RejectRequest,
  RejectRequestHandler,
  type DecidedRequest,
} from './decide.js';
import { RequestFunding, RequestFundingHandler } from './request-funding.js';
import { RequestWithdrawal, RequestWithdrawalHandler } from './request-withdrawal.js';

const USER = 'eve';
const dollars = (text: string) => parseMoney(text, 'USD');

describe('what customers ask for and admins decide', () => {
  let world: ReturnType<typeof createWorld>;
  beforeEach(async () => {
    world = createWorld();
    await world.openCustomer(USER);
    await world.tell(USER, { type: 'SaveWalletAddress', address: 'sealed' });
    world.upload('receipt', USER, 'evidence');
  });

  const eventsOf = async () =>
    (await world.eventStore.readStream(accountStream(USER), { limit: 100 })).slice(2);
  const setPrice = (price: string) =>
    world.aggregates.settings.execute(
      settingsStream,
      { type: 'SetPrices', prices: { BTC: parseDecimal(price, PRICE_SCALE) } },
      contextOf(admin, `price ${price}`),
    );
  const funding = (key: string, evidenceId = 'receipt') =>
    new RequestFunding(contextOf(customer(USER), key), {
      userId: USER,
      amount: dollars('100'),
      currency: 'BTC',
      evidenceId,
    });

  test('a funding that is asked for twice under one key is the first one again, also when its evidence is gone', async () => {
    const handler = new RequestFundingHandler(world);
    const first = await handler.execute(funding('one'));
    world.uploaded.clear();
    expect(await handler.execute(funding('one'))).toEqual({ ...first, replayed: true });
    expect(await eventsOf()).toHaveLength(1);
  });

  test('a funding keeps where deposits went when it was asked for, also when it is asked for again later', async () => {
    const handler = new RequestFundingHandler(world);
    const goesTo = (btcWallet: string) =>
      world.aggregates.settings.execute(
        settingsStream,
        { type: 'ChangeDepositDetails', details: { btcWallet } },
        contextOf(admin, btcWallet),
      );
    await goesTo('bc1qone');
    await handler.execute(funding('one'));
    await goesTo('bc1qtwo');
    await handler.execute(funding('one'));
    world.upload('second', USER, 'evidence');
    await handler.execute(funding('two', 'second'));
    expect((await eventsOf()).map(({ data, meta }) => [data['depositAddress'], meta.settings])).toEqual([
      ['bc1qone', 0],
      ['bc1qtwo', 1],
    ]);
  });

  test("a funding with another's evidence is refused, and nothing is written", async () => {
    world.upload('theirs', 'bob', 'evidence');
    const asked = new RequestFundingHandler(world).execute(funding('one', 'theirs'));
    await expect(asked).rejects.toMatchObject({ code: 'evidence_missing' });
    expect(await eventsOf()).toEqual([]);
  });

  test('a withdrawal keeps its address encrypted, and its request as a digest of its own person', async () => {
    await world.tell(USER, { ...adjustment('500'), prices: await prices() });
    const address = `${USER} {"walletAddress":"bc1q"}`;
    await world.tell(USER, { type: 'SaveWalletAddress', address }, 'own');
    const asked = await new RequestWithdrawalHandler(world).execute(
      new RequestWithdrawal(
        personalContextOf(customer(USER), 'one'),
        callerOf(USER),
        { pin: '0000' },
        {
          amount: dollars('20'),
          currency: 'BTC',
          walletAddress: 'bc1q',
        },
      ),
    );
    const event = (await eventsOf()).at(-1);
    expect(event).toMatchObject({
      type: 'WithdrawalRequested',
      data: { requestId: asked.requestId, address: `${USER} {"walletAddress":"bc1q"}` },
      meta: { requestHash: await world.identity.personKeys.digestFor(USER, 'one'), settings: -1 },
    });
  });

  test('a withdrawal of whoever has no address is refused, also where one is saved while it is asked for', async () => {
    const fay = 'fay';
    await world.openCustomer(fay);
    await world.tell(fay, { ...adjustment('500'), prices: await prices() });
    const { accounts } = world.aggregates;
    const load: typeof accounts.load = async (stream) => {
      const loaded = await accounts.load(stream);
      await world.tell(fay, { type: 'SaveWalletAddress', address: `${fay} {"walletAddress":"bc1qother"}` });
      return loaded;
    };
    const aggregates = { ...world.aggregates, accounts: { ...accounts, load } };
    const asked = new RequestWithdrawalHandler({ ...world, aggregates }).execute(
      new RequestWithdrawal(
        personalContextOf(customer(fay), 'one'),
        callerOf(fay),
        { pin: '0000' },
        { amount: dollars('20'), currency: 'BTC', walletAddress: 'bc1q' },
      ),
    );
    await expect(asked).rejects.toMatchObject({ code: 'wallet_address_missing' });
  });

  test('an adjustment and a confirmation go by the prices in force, and say which settings those were', async () => {
    await setPrice('50000');
    const adjust = new AdjustWallet(contextOf(admin, 'one'), {
      userId: USER,
      entries: [{ currency: 'BTC', amount: dollars('100') }],
    });
    await new AdjustWalletHandler(world).execute(adjust);
    await world.tell(USER, fundingOf('r1', '100', 'BTC'));
    await setPrice('20000');
    await decide('confirm', { kind: 'funding', userId: USER, requestId: 'r1' });
    const [adjusted, , confirmed] = await eventsOf();
    expect(adjusted).toMatchObject({ data: { price: '50000.00000000' }, meta: { settings: 0 } });
    expect(confirmed).toMatchObject({ data: { price: '20000.00000000' }, meta: { settings: 1 } });
  });

  test.each([
    ['funding', 'confirm', 'FundingConfirmed'],
    ['funding', 'reject', 'FundingRejected'],
    ['withdrawal', 'confirm', 'WithdrawalConfirmed'],
    ['withdrawal', 'reject', 'WithdrawalRejected'],
    ['transfer', 'confirm', 'TransferConfirmed'],
    ['transfer', 'reject', 'TransferRejected'],
  ] as const)('an open %s: %s gives %s, once', async (kind, decision, type) => {
    await world.tell(USER, { ...adjustment('500'), prices: await prices() });
    const asked = { funding: fundingOf, withdrawal: withdrawalOf, transfer: transferOf }[kind];
    await world.tell(USER, asked('r1', '20', 'BTC'));
    const request = { kind, userId: USER, requestId: 'r1' };
    const first = await decide(decision, request);
    expect(await decide(decision, request)).toMatchObject({ position: first.position, replayed: true });
    const given = (await eventsOf()).slice(2);
    expect(given.map((event) => event.type)).toEqual([type]);
    // What goes by no settings names none.
    expect(given[0]?.meta.settings).toBe(type === 'FundingConfirmed' ? -1 : undefined);
  });

  const adjustment = (amount: string) =>
    ({ type: 'AdjustWallet', entries: [{ currency: 'BTC', amount: dollars(amount) }] }) as const;
  const prices = async () => (await world.settings.current()).prices;
  const decide = (decision: 'confirm' | 'reject', request: DecidedRequest) =>
    decision === 'confirm'
      ? new ConfirmRequestHandler(world).execute(new ConfirmRequest(contextOf(admin, 'decide'), request))
      : new RejectRequestHandler(world).execute(new RejectRequest(contextOf(admin, 'decide'), request));
});
