import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  credit,
  join,
  keyed,
  PIN,
  problemIn,
  requestFunding,
  requestTransfer,
  requestWithdrawal,
  saveWalletAddress,
  setPin,
  startLode,
  transferTo,
  type Answer,
  type Ask,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';
import type { RouteName } from '#contracts';

/** What each customer has: two requests for most of it are more than there is. */
const WALLET = '100.00';
const MOST = '90.00';

let lode: Lode;
let admin: Person;
let ann: Person;
let bob: Person;
let numberOfBob: string;

beforeAll(async () => {
  lode = await startLode();
  ({ admin } = lode);
});
afterAll(() => lode.stop());
beforeEach(async () => {
  [ann, bob] = [await join(lode.visitor, 'Ann'), await join(lode.visitor, 'Bob')];
  await credit(admin, ann, { BTC: WALLET });
  await saveWalletAddress(ann);
  await setPin(ann);
  // Whoever looks the number up finds it from here on.
  const headers = { 'Lode-Position': String(await head()) };
  numberOfBob = (await bob.api.get('me', { headers })).accountNumber;
});

const head = async () => Number((await admin.api.get('projections')).head);
const withdraw = (): [RouteName, Ask] => [
  'requestWithdrawal',
  { body: { amount: MOST, currency: 'BTC', proof: { pin: PIN } }, headers: keyed() },
];
const transfer = (): [RouteName, Ask] => [
  'requestTransfer',
  { body: transferTo(numberOfBob, MOST), headers: keyed() },
];
const debit = (): [RouteName, Ask] => [
  'adjustWallet',
  {
    params: { userId: ann.userId },
    body: { amounts: { BTC: `-${MOST}` }, reason: 'a test' },
    headers: keyed(),
  },
];

/** Sends all at once, those that only an admin may send as one. */
function atOnce(calls: readonly (readonly [RouteName, Ask])[]): Promise<readonly Answer[]> {
  return Promise.all(
    calls.map(([name, ask]) => (ask.params === undefined ? ann : admin).api.call(name, ask)),
  );
}

/** Exactly one was done, every other was refused with one of these codes. */
function expectOneWinner(answers: readonly Answer[], codes: readonly string[]): void {
  const lost = answers.filter(({ status }) => status >= 400).map(problemIn);
  expect(lost).toHaveLength(answers.length - 1);
  expect(lost.filter(({ status, code }) => status !== 409 || !codes.includes(code))).toEqual([]);
}

/** What the log says of Ann's money: the types of her account's events that move it or set it aside. */
async function movements(): Promise<readonly string[]> {
  const params = { stream: `account-${ann.userId}` };
  const { events } = await admin.api.get('stream', { params, query: { limit: '100' } });
  return events
    .map(({ type }) => type)
    .filter((type) => /(Requested|Confirmed|Rejected|Debited)$/.test(type));
}

/** Does something, and checks that the log has one such event more after it. */
async function oneMore<T>(work: () => Promise<T>): Promise<T> {
  const before = await movements();
  const done = await work();
  expect(await movements()).toHaveLength(before.length + 1);
  return done;
}

const requests = {
  Funding: () => requestFunding(ann, '10.00'),
  Withdrawal: () => requestWithdrawal(ann, '10.00'),
  Transfer: () => requestTransfer(ann, numberOfBob, '10.00'),
} as const;

describe.each(['Funding', 'Withdrawal', 'Transfer'] as const)('a request of the kind %s', (kind) => {
  const decide = async (...names: readonly ('confirm' | 'reject')[]) => {
    const { requestId } = await requests[kind]();
    const params = { userId: ann.userId, requestId };
    const answers = await atOnce(
      names.map((name) => [`${name}${kind}` as const, { params, body: {}, headers: keyed() }] as const),
    );
    return { answers, decided: (await movements()).filter((type) => !type.endsWith('Requested')) };
  };

  test('approved twice at once is approved once, and the other is told so', async () => {
    const { answers, decided } = await decide('confirm', 'confirm');
    expectOneWinner(answers, ['request_already_confirmed']);
    expect(decided).toEqual([`${kind}Confirmed`]);
  });

  test('approved and rejected at once is the one or the other', async () => {
    const { answers, decided } = await decide('reject', 'confirm');
    expectOneWinner(answers, ['request_already_confirmed', 'request_closed']);
    expect(decided).toHaveLength(1);
    const won = answers.findIndex(({ status }) => status === 200);
    expect(decided).toEqual([won === 0 ? `${kind}Rejected` : `${kind}Confirmed`]);
  });
});

describe('more than there is', () => {
  test.each([
    ['two withdrawals', () => [withdraw(), withdraw()]],
    ['two transfers', () => [transfer(), transfer()]],
    ['a withdrawal and a transfer', () => [withdraw(), transfer()]],
    ['a withdrawal, a transfer and a debit', () => [withdraw(), transfer(), debit()]],
  ] as const)('is given out once, to %s at once', async (_, calls) => {
    const answers = await oneMore(() => atOnce(calls()));
    expectOneWinner(answers, ['insufficient_balance']);
    const { wallet } = await ann.api.get('me', { headers: { 'Lode-Position': String(await head()) } });
    expect(wallet.available).toBe('10.00');
  });
});

describe('one command that is sent many times at once', () => {
  test.each([
    ['a withdrawal', withdraw],
    ['a transfer', transfer],
    ['a debit', debit],
  ] as const)('is done once, as %s, and answered alike', async (_, callOf) => {
    const call = callOf();
    const answers = await oneMore(() => atOnce(Array.from({ length: 4 }, () => call)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBeLessThan(300);
    const first = answers.filter(({ headers }) => headers.get('idempotency-replayed') === null);
    expect(first).toHaveLength(1);
  });
});
