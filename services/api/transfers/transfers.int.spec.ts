import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
  credit,
  join,
  keyed,
  PIN,
  problemIn,
  requestTransfer,
  setPin,
  repeatable,
  startLode,
  TIME_OF_DAY_ALONE,
  transferTo,
  type Ask,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

/** No customer's account number. */
const BANK_ACCOUNT = '9900000001';

let lode: Lode;
let ann: Person;
let bob: Person;
let numberOfBob: string;
beforeAll(async () => {
  lode = await startLode();
});
afterAll(() => lode.stop());
beforeEach(async () => {
  [ann, bob] = [await join(lode.visitor, 'Ann'), await join(lode.visitor, 'Bob')];
  await setPin(ann);
  const { position } = await credit(lode.admin, ann, { BTC: '100' });
  await ann.api.get('me', { headers: at(position) });
  ({ accountNumber: numberOfBob } = await bob.api.get('me', { headers: at(await head()) }));
});

const at = (position: string) => ({ 'Lode-Position': position });
const ask = (body: object): Ask => ({ body, headers: keyed() });
const head = async () => (await lode.admin.api.get('projections')).head;
/** Every event that has moved Ann's money: a refusal may be noted elsewhere, such as a wrong pin in her access stream. */
const money = async () => {
  const { events } = await lode.admin.api.get('stream', { params: { stream: `account-${ann.userId}` } });
  return events.filter(({ data }) => 'postings' in data);
};
const refusalOf = async (body: object) => problemIn(await ann.api.call('requestTransfer', ask(body)));

describe('looking an account number up', () => {
  afterEach(() => void jest.useRealTimers());

  const lookUp = (accountNumber: string) => ann.api.call('accountHolder', { params: { accountNumber } });

  test('gives the customer’s name and nothing else', async () => {
    expect((await lookUp(numberOfBob)).json).toEqual({
      accountNumber: numberOfBob,
      accountName: 'Bob Miller',
    });
  });

  test('of nobody, or of an admin, finds no user', async () => {
    const { accountNumber } = await lode.admin.api.get('me');
    for (const number of [BANK_ACCOUNT, accountNumber, 'ABCDEFGHIJ']) {
      expect(problemIn(await lookUp(number))).toMatchObject({
        status: 404,
        code: 'account_number_unknown',
        detail: 'No user found with this account number.',
      });
    }
  });

  test.each(['301234567', '30123456789', '30 2345678', '%00%00%00'])(
    'of %s, which is none, is refused',
    async (number) => {
      expect(problemIn(await lookUp(number))).toMatchObject({
        status: 400,
        code: 'validation_failed',
        detail: 'An account number has 10 letters or digits.',
      });
    },
  );

  test('of a suspended customer says that the data is incomplete', async () => {
    const { position } = await lode.admin.api.get('suspend', { params: { userId: bob.userId }, ...ask({}) });
    await lode.admin.api.get('totals', { headers: at(position) });
    const refusal = { status: 422, code: 'account_number_unusable', detail: 'User data is incomplete.' };
    expect(problemIn(await lookUp(numberOfBob))).toMatchObject(refusal);
    expect(await refusalOf(transferTo(numberOfBob, '10'))).toMatchObject(refusal);
  });

  test('of an admin is no bank’s either', async () => {
    const { accountNumber } = await lode.admin.api.get('me');
    const refusal = { status: 422, code: 'account_number_unusable', detail: 'User data is incomplete.' };
    expect(await refusalOf(transferTo(accountNumber, '10', { accountName: 'Whoever' }))).toMatchObject(
      refusal,
    );
    expect((await ann.api.get('me')).wallet.held).toBe('0.00');
  });

  test('one after the other has an end, for this person alone', async () => {
    // Room comes back with time.
    jest.useFakeTimers(TIME_OF_DAY_ALONE);
    const answers = await Promise.all(Array.from({ length: 31 }, () => lookUp(numberOfBob)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(30).fill(200), 429]);
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refusalOf(transferTo(numberOfBob, '1'))).toMatchObject({ code: 'rate_limited' });
    expect(await bob.api.call('accountHolder', { params: { accountNumber: numberOfBob } })).toMatchObject({
      status: 200,
    });
  });
});

describe('asking for a transfer', () => {
  test('to a customer: the name is the server’s, the amount is set aside', async () => {
    const body = transferTo(numberOfBob, '40', { accountName: 'Somebody Else' });
    const asked = await ann.api.get('requestTransfer', ask(body));
    expect(asked).toMatchObject({ status: 'Pending', message: 'Transfer submitted successfully!' });
    const params = { userId: ann.userId, requestId: asked.requestId };
    const answer = await ann.api.call('transfer', { params, headers: at(asked.position) });
    expect(answer.json).toMatchObject({
      id: asked.requestId,
      customer: 'Ann Miller',
      transferType: 'local',
      receiver: { accountNumber: numberOfBob },
      details: {
        // The money stays on the platform: no bank is kept, whatever was sent.
        bankName: '',
        bankAddress: '',
        accountNumber: numberOfBob,
        routingNumber: '',
        swiftBicIban: '',
        accountName: 'Bob Miller',
        holderAddress: '',
        narration: 'rent',
      },
      amount: '40.00',
      currency: 'BTC',
      status: 'Pending',
      closed: false,
      delivery: 'none',
      deliveryAt: null,
      balance: null,
      confirmedAt: null,
      hold: { converted: '40.00000000', price: '1.00000000' },
    });
    expect(answer.text).not.toContain(PIN);
    expect(answer.text).not.toContain(bob.userId);
    expect((await ann.api.get('me')).wallet).toEqual({
      balance: '100.00',
      available: '60.00',
      held: '40.00',
    });
  });

  test('to a customer needs no bank, abroad neither', async () => {
    const body = {
      transferType: 'international',
      accountNumber: numberOfBob,
      currency: 'BTC',
      amount: '5',
      pin: PIN,
    };
    expect(await ann.api.get('requestTransfer', ask(body))).toMatchObject({ status: 'Pending' });
  });

  test('to a bank: the customer types the name', async () => {
    const asked = await requestTransfer(ann, BANK_ACCOUNT, '40');
    const params = { userId: ann.userId, requestId: asked.requestId };
    const one = await ann.api.get('transfer', { params, headers: at(asked.position) });
    expect(one).toMatchObject({ receiver: null, details: { accountName: 'Carl Miller' } });
    const nameless = await refusalOf(transferTo(BANK_ACCOUNT, '1', { accountName: '' }));
    expect(nameless).toMatchObject({ status: 400, detail: 'Incomplete information' });
  });

  test('can be of as much as the account says, and of no more', async () => {
    expect((await ann.api.get('me')).sendable).toEqual({ BTC: '100.00', PI: '0.00', USDT: '0.00' });
    const all = await requestTransfer(ann, BANK_ACCOUNT, '100');
    const { sendable, withdrawable } = await ann.api.get('me', { headers: at(all.position) });
    expect([sendable.BTC, withdrawable.BTC]).toEqual(['0.00', '0.00']);
  });

  test('without a currency is in the bonus currency', async () => {
    await credit(lode.admin, ann, { USDT: '10' });
    const body = { ...transferTo(BANK_ACCOUNT, '10'), currency: undefined };
    const { requestId, position } = await ann.api.get('requestTransfer', ask(body));
    const params = { userId: ann.userId, requestId };
    expect((await ann.api.get('transfer', { params, headers: at(position) })).currency).toBe('USDT');
  });

  test.each<[what: string, more: object, status: number, code: string, detail: string]>([
    ['nothing', { amount: '0' }, 422, 'amount_invalid', 'Please enter a valid amount.'],
    ['a negative amount', { amount: '-5' }, 422, 'amount_invalid', 'Please enter a valid amount.'],
    ['a number', { amount: 5 }, 400, 'validation_failed', 'Please enter a valid amount.'],
    [
      'more than there is',
      { amount: '100.01' },
      409,
      'insufficient_balance',
      'Insufficient BTC wallet balance!',
    ],
    [
      'a kind that there is not',
      { transferType: 'lunar' },
      400,
      'validation_failed',
      'Please choose local or international.',
    ],
    [
      'no SWIFT code abroad',
      { transferType: 'international' },
      400,
      'validation_failed',
      'Incomplete information',
    ],
    ['no bank', { bankName: ' ' }, 400, 'validation_failed', 'Incomplete information'],
    ['no account number', { accountNumber: '' }, 400, 'validation_failed', 'Incomplete information'],
    ['a pin of five digits', { pin: '12345' }, 400, 'validation_failed', 'A transfer pin has 4 digits.'],
    [
      'no pin',
      { pin: undefined },
      403,
      'proof_missing',
      'Please enter your transfer pin or use your passkey.',
    ],
    ['a wrong pin', { pin: '0000' }, 403, 'pin_wrong', 'Wrong transfer pin. Tries left: 4.'],
  ])('with %s is refused', async (_, more, status, code, detail) => {
    const before = await money();
    expect(await refusalOf(transferTo(BANK_ACCOUNT, '10', more))).toMatchObject({ status, code, detail });
    expect(await money()).toEqual(before);
  });

  test('to oneself is refused', async () => {
    const { accountNumber } = await ann.api.get('me');
    expect(await refusalOf(transferTo(accountNumber, '10'))).toMatchObject({ code: 'transfer_to_self' });
  });

  test('needs a pin that was set, and five wrong ones lock it', async () => {
    await credit(lode.admin, bob, { BTC: '10' });
    const missing = await bob.api.call('requestTransfer', ask(transferTo(BANK_ACCOUNT, '1')));
    expect(problemIn(missing).code).toBe('pin_missing');
    const wrong = transferTo(BANK_ACCOUNT, '1', { pin: '0000' });
    const answers = await Promise.all(Array.from({ length: 7 }, () => refusalOf(wrong)));
    expect(answers.filter(({ code }) => code === 'pin_wrong')).toHaveLength(4);
    expect(await refusalOf(transferTo(BANK_ACCOUNT, '1'))).toMatchObject({ code: 'pin_locked' });
  });

  test('asked for ten times at once with the right pin is made ten times', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        ann.api.call('requestTransfer', { body: transferTo(BANK_ACCOUNT, '1'), headers: keyed() }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(10).fill(201));
    const query = { type: 'TransferPinRefused' };
    const { items } = await lode.admin.api.get('events', { query, headers: at(await head()) });
    expect(items.filter(({ stream }) => stream.includes(ann.userId))).toEqual([]);
  });

  test('twice with one key asks once, and the pin is no part of what is compared', async () => {
    const headers = keyed();
    const body = transferTo(numberOfBob, '10');
    const first = await ann.api.call('requestTransfer', { body, headers });
    await ann.api.get('setTransferPin', { body: { password: ann.password, pin: '1234' } });
    const second = await ann.api.call('requestTransfer', { body: { ...body, pin: '1234' }, headers });
    expect([second.status, repeatable(second)]).toEqual([201, repeatable(first)]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    const other = { ...body, pin: '1234', narration: 'something else' };
    const reused = await ann.api.call('requestTransfer', { body: other, headers });
    expect(problemIn(reused).code).toBe('idempotency_key_reused');
  });

  test('twice with one key is answered as the first time, also when it could not be made any more', async () => {
    const headers = keyed();
    const body = transferTo(numberOfBob, '10');
    const first = await ann.api.call('requestTransfer', { body, headers });
    const { position } = await lode.admin.api.get('suspend', { params: { userId: bob.userId }, ...ask({}) });
    await lode.admin.api.get('totals', { headers: at(position) });
    expect(await refusalOf(body)).toMatchObject({ code: 'account_number_unusable' });
    const second = await ann.api.call('requestTransfer', { body, headers });
    expect([second.status, repeatable(second)]).toEqual([201, repeatable(first)]);
    const other = await ann.api.call('requestTransfer', { body: { ...body, narration: 'other' }, headers });
    expect(problemIn(other).code).toBe('idempotency_key_reused');
  });

  test('leaves no pin and no bank details in the log', async () => {
    const { position } = await requestTransfer(ann, BANK_ACCOUNT, '10');
    const query = { type: 'TransferRequested' };
    const { items } = await lode.admin.api.get('events', { query, headers: at(position) });
    expect(items.map((item) => item.position)).toContain(position);
    const text = JSON.stringify(items);
    for (const secret of [PIN, 'First Bank', 'Carl Miller', 'rent'])
      expect(text).not.toContain(`"${secret}"`);
  });
});

describe('deciding a transfer', () => {
  test('to a customer: it arrives, and both sides see it', async () => {
    const { requestId } = await requestTransfer(ann, numberOfBob, '40');
    const params = { userId: ann.userId, requestId };
    const decided = await lode.admin.api.get('confirmTransfer', { params, ...ask({}) });
    expect(decided).toMatchObject({ status: 'confirmed', message: 'Transaction approved successfully!' });
    const confirmed = await ann.api.get('transfer', { params, headers: at(decided.position) });
    expect(confirmed).toMatchObject({ status: 'confirmed', closed: true, balance: '60.00' });
    expect(['in transit', 'received']).toContain(confirmed.delivery);
  });

  test('to a bank: it is paid out', async () => {
    const { requestId } = await requestTransfer(ann, BANK_ACCOUNT, '40');
    const params = { userId: ann.userId, requestId };
    const { position } = await lode.admin.api.get('confirmTransfer', { params, ...ask({}) });
    const one = await ann.api.get('transfer', { params, headers: at(position) });
    expect(one).toMatchObject({ delivery: 'paid out', deliveryAt: one.decision?.at, balance: '60.00' });
    const again = problemIn(await lode.admin.api.call('rejectTransfer', { params, ...ask({}) }));
    expect(again).toMatchObject({ code: 'request_closed', detail: 'Transaction Closed' });
  });

  test('against it: what was set aside is available again', async () => {
    const { requestId } = await requestTransfer(ann, BANK_ACCOUNT, '40');
    const params = { userId: ann.userId, requestId };
    const decided = await lode.admin.api.get('rejectTransfer', { params, ...ask({ reason: 'no' }) });
    expect(decided).toMatchObject({ status: 'rejected', message: 'Transaction rejected successfully!' });
    await ann.api.get('transfer', { params, headers: at(decided.position) });
    expect((await ann.api.get('me')).wallet).toEqual({
      balance: '100.00',
      available: '100.00',
      held: '0.00',
    });
    const again = problemIn(await lode.admin.api.call('confirmTransfer', { params, ...ask({}) }));
    expect(again).toMatchObject({ code: 'request_closed', detail: 'Transaction Closed' });
  });

  test('eight times at once, approving and rejecting, exactly one is done', async () => {
    const { requestId } = await requestTransfer(ann, BANK_ACCOUNT, '40');
    const params = { userId: ann.userId, requestId };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        lode.admin.api.call(n % 2 === 0 ? 'confirmTransfer' : 'rejectTransfer', { params, ...ask({}) }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
  });

  test('is not done for another customer’s, and another customer sees nothing of it', async () => {
    const { requestId, position } = await requestTransfer(ann, BANK_ACCOUNT, '40');
    const params = { userId: bob.userId, requestId };
    const foreign = problemIn(await lode.admin.api.call('confirmTransfer', { params, ...ask({}) }));
    expect(foreign).toMatchObject({ status: 404, code: 'request_not_found' });
    const hidden = problemIn(await bob.api.call('transfer', { params, headers: at(position) }));
    expect(hidden).toMatchObject({ status: 404, code: 'request_not_found' });
  });
});

describe('lists of transfers', () => {
  test('have what was sent, by status and kind, as pages and as a file', async () => {
    const { userId } = ann;
    const first = await requestTransfer(ann, BANK_ACCOUNT, '10');
    const abroad = { transferType: 'international', swiftBicIban: 'DEUTDEFF' };
    const second = await ann.api.get('requestTransfer', ask(transferTo(numberOfBob, '20', abroad)));
    const params = { userId };
    const idsBy = async (query: Record<string, string>) => {
      const { items } = await ann.api.get('ownTransfers', { params, query, headers: at(second.position) });
      return items.map(({ id }) => id);
    };
    expect(await idsBy({})).toEqual([second.requestId, first.requestId]);
    expect(await idsBy({ transferType: 'local', status: 'Pending' })).toEqual([first.requestId]);
    expect(await idsBy({ status: 'confirmed' })).toEqual([]);
    const all = await lode.admin.api.get('transfers', {
      query: { transferType: 'international', limit: '1' },
    });
    expect(all.items.map(({ id }) => id)).toEqual([second.requestId]);
    const file = await lode.admin.api.call('ownTransfers', { params, query: { format: 'csv' } });
    expect(file.text.trim().split('\r\n')).toHaveLength(3);
    expect(file.text).toContain('Bob Miller');
  });
});
