import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { defaultContent, type RouteName } from '#contracts';
import { defaultBonusPolicy } from '#ledger';
import {
  confirmFunding,
  join,
  keyed,
  lastEvent,
  problemIn,
  requestFunding,
  startLode,
  TIME_OF_DAY_ALONE,
  upload,
  type Given,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

type Put = 'changeDepositDetails' | 'setDollarRate' | 'setPrices' | 'setBonusPolicy' | 'changeContent';

let lode: Lode;
let ann: Person;
beforeAll(async () => {
  lode = await startLode();
  ann = await join(lode.visitor, 'Ann');
});
afterAll(() => lode.stop());

const put = (name: Put, body: object): Promise<Given<Put>> =>
  lode.admin.api.get(name, { body: { reason: 'a test', ...body }, headers: keyed() });

describe('what visitors and customers see of the settings', () => {
  test('are defaults and nothing made up before an admin has set anything', async () => {
    expect(await lode.visitor.get('contact')).toEqual({
      phoneNumber: null,
      email: null,
      contactAddress: null,
    });
    expect(await ann.api.get('depositAddresses')).toEqual({
      addresses: { BTC: null, PI: null, USDT: null },
      networks: { BTC: 'none', PI: 'none', USDT: 'none' },
    });
    expect(await lode.visitor.get('content')).toEqual(defaultContent);
    expect(await lode.visitor.get('counters')).toEqual({ clients: null, years: null, requestsPaid: null });
    expect(await lode.visitor.get('figures')).toMatchObject({
      counters: { clients: null, years: null, requestsPaid: null },
      prices: { BTC: null, LTC: null },
    });
    expect(await lode.visitor.get('prices')).toEqual({
      prices: { BTC: '1.00000000', PI: '1.00000000', USDT: '1.00000000' },
      setAt: { BTC: null, PI: null, USDT: null },
    });
    expect(await lode.admin.api.get('dollarRate')).toEqual({
      rate: null,
      message: 'No rate available. Please set one.',
    });
    const { lastChanges, content } = await lode.admin.api.get('settings');
    expect([content, ...Object.values(lastChanges)]).toEqual([{}, ...Array<null>(7).fill(null)]);
    expect(await lode.admin.api.get('settingsHistory')).toEqual({ items: [], before: null });
  });

  test('contact and deposit addresses are what was given last, each by itself', async () => {
    const first = { phoneNumber: '+41 44 000 00 00', email: 'office@lode.example', btcWallet: 'bc1qone' };
    const { message } = await put('changeDepositDetails', { ...first, ethWallet: '0xone' });
    expect(message).toBe('Data submitted successfully!');
    await put('changeDepositDetails', { phoneNumber: '', email: '', btcWallet: 'bc1qtwo', piWallet: 'GTWO' });
    expect(await lode.visitor.get('contact')).toEqual({
      phoneNumber: '+41 44 000 00 00',
      email: 'office@lode.example',
      contactAddress: null,
    });
    expect(await ann.api.get('depositAddresses')).toMatchObject({
      addresses: { BTC: 'bc1qtwo', PI: 'GTWO', USDT: '0xone' },
    });
  });

  test('a fund request that names an address that is not shown any more is refused, and changes nothing', async () => {
    await put('changeDepositDetails', { btcWallet: 'bc1qshown' });
    const ask = async (depositAddress: string | undefined, headers = keyed()) =>
      ann.api.call('requestFunding', {
        body: { amount: '10', currency: 'BTC', evidenceId: await upload(ann), depositAddress },
        headers,
      });
    expect((await ask('bc1qshown')).status).toBe(201);
    await put('changeDepositDetails', { btcWallet: 'bc1qnew' });
    const params = { userId: ann.userId };
    const asked = async () => {
      const { head } = await lode.admin.api.get('projections');
      const { items } = await ann.api.get('ownFundRequests', { params, headers: { 'Lode-Position': head } });
      return items.map(({ address }) => address);
    };
    const before = await asked();
    expect(before[0]).toBe('bc1qshown');
    expect(problemIn(await ask('bc1qshown'))).toMatchObject({
      status: 409,
      code: 'deposit_address_changed',
      detail: expect.stringMatching(/^The deposit address for BTC has changed\. Look at it again/),
    });
    expect(await asked()).toEqual(before);
    for (const shown of ['bc1qnew', undefined]) {
      expect((await ask(shown)).status).toBe(201);
      expect((await asked())[0]).toBe('bc1qnew');
    }
  });

  test('a fund request keeps the address of its moment, in the list, by itself and in the file', async () => {
    await put('changeDepositDetails', { btcWallet: 'bc1qearlier' });
    const { requestId } = await requestFunding(ann, '30');
    const { position } = await put('changeDepositDetails', { btcWallet: 'bc1qlater' });
    const params = { userId: ann.userId };
    const headers = { 'Lode-Position': position };
    const { items } = await ann.api.get('ownFundRequests', { params, headers });
    const kept = { id: requestId, address: 'bc1qearlier', loanPurpose: 'Funding', userRole: 'user' };
    expect(items[0]).toMatchObject(kept);
    expect(await ann.api.get('fundRequest', { params: { ...params, requestId } })).toMatchObject(kept);
    const file = await ann.api.call('ownFundRequests', { params, query: { format: 'csv' } });
    const [head, line] = file.text.split('\r\n').map((row) => row.split(','));
    expect(line?.[head?.indexOf('address') ?? -1]).toBe('bc1qearlier');
  });

  test('a deposit address that is null is removed, also when asked for again', async () => {
    await put('changeDepositDetails', { piWallet: 'GTHREE' });
    await put('changeDepositDetails', { piWallet: null, reason: 'no deposits in PI for now' });
    const removed = async () => (await ann.api.get('depositAddresses')).addresses.PI;
    expect(await removed()).toBeNull();
    const { items } = await lode.admin.api.get('settingsHistory');
    expect(items[0]).toMatchObject({
      type: 'DepositDetailsChanged',
      reason: 'no deposits in PI for now',
      data: { piWallet: null },
    });
    const before = await lastEvent(lode.admin);
    await put('changeDepositDetails', { piWallet: null });
    expect([await lastEvent(lode.admin), await removed()]).toEqual([before, null]);
    await put('changeDepositDetails', { piWallet: 'GTWO' });
    expect(await removed()).toBe('GTWO');
  });

  test('the dollar rate is set, shown to admins alone, and not changed by an empty one', async () => {
    expect((await put('setDollarRate', { rate: '0.925' })).message).toBe('Dollar rate updated successfully.');
    const before = await lastEvent(lode.admin);
    expect((await put('setDollarRate', { rate: ' ' })).message).toBe('The dollar rate stays as it is.');
    expect((await put('setDollarRate', { rate: '0.92500' })).message).toBe(
      'Dollar rate updated successfully.',
    );
    expect(await lastEvent(lode.admin)).toBe(before);
    expect(await lode.admin.api.get('dollarRate')).toEqual({ rate: '0.92500000', message: null });
    for (const { api } of [lode.admin, ann]) {
      expect((await api.call('prices')).json).not.toHaveProperty('dollarRate');
      const params = { userId: ann.userId };
      expect((await api.call('withdrawable', { params })).json).not.toHaveProperty('dollarRate');
    }
    expect((await lode.visitor.call('prices')).json).toEqual({
      prices: expect.anything(),
      setAt: expect.anything(),
    });
    expect((await ann.api.call('dollarRate')).status).toBe(403);
  });

  test('sections of the site are replaced, and come back when they are null', async () => {
    const hero = { title: 'Welcome', bullets: ['One'], button: 'Go', images: ['/image/one.webp'] };
    await put('changeContent', { content: { hero } });
    expect(await lode.visitor.get('content')).toEqual({ ...defaultContent, hero });
    expect((await lode.admin.api.get('settings')).content).toEqual({ hero });
    await put('changeContent', { content: { hero: null } });
    expect(await lode.visitor.get('content')).toEqual(defaultContent);
  });

  test('years count from the year that the operator gives, and never more than have passed', async () => {
    // No year begins meanwhile.
    jest.useFakeTimers(TIME_OF_DAY_ALONE);
    try {
      const year = new Date().getUTCFullYear();
      for (const [since, years] of [
        [year - 1, null],
        [year - 4, 3],
      ] as const) {
        await put('changeContent', { content: { company: { name: 'Lode', since: String(since) } } });
        expect((await lode.visitor.get('counters')).years).toBe(years);
      }
    } finally {
      jest.useRealTimers();
    }
  });
});

test('counters are shown from the floors that the operator sets, with the position that they are true at', async () => {
  const small = await startLode({ counterFloors: { clients: 1, years: 1, requestsPaid: 1 } });
  try {
    const one = await join(small.visitor, 'Bea');
    const { position } = await requestFunding(one, '10');
    const seen = await small.visitor.get('figures', { headers: { 'Lode-Position': position } });
    expect(seen.counters).toEqual({ clients: 1, years: null, requestsPaid: null });
    expect(Number(seen.position)).toBeGreaterThanOrEqual(Number(position));
  } finally {
    await small.stop();
  }
});

describe('the prices that are set', () => {
  test('are told to visitors with when each was set', async () => {
    const widget = { ...defaultContent.widget, ltcPrice: '80.5' };
    const price = await put('setPrices', { prices: { BTC: '40000' } });
    const ltc = await put('changeContent', { content: { widget } });
    const seen = async (position: string) =>
      (await lode.visitor.get('figures', { headers: { 'Lode-Position': position } })).prices;
    const first = await seen(ltc.position);
    expect(first).toMatchObject({ BTC: { price: '40000.00000000' }, LTC: { price: '80.5' } });
    expect(Number(ltc.position)).toBeGreaterThan(Number(price.position));
    // Neither another price nor another text makes them newer.
    await put('setPrices', { prices: { PI: '0.5' } });
    const { position } = await put('changeContent', { content: { widget: { ...widget, title: 'Prices' } } });
    expect(await seen(position)).toEqual(first);
    const removed = await put('changeContent', { content: { widget: null } });
    expect((await seen(removed.position)).LTC).toBeNull();
  });

  test('are those that a confirmation and an adjustment book at', async () => {
    await put('setPrices', { prices: { BTC: '50000', PI: '0.5' } });
    const { position: set } = await put('setPrices', { prices: { PI: '0.25' } });
    const { prices, setAt } = await lode.visitor.get('prices', { headers: { 'Lode-Position': set } });
    expect(prices).toEqual({ BTC: '50000.00000000', PI: '0.25000000', USDT: '1.00000000' });
    const { lastChanges } = await lode.admin.api.get('settings');
    expect(setAt).toEqual({ BTC: expect.anything(), PI: lastChanges.prices?.at, USDT: null });
    expect(Date.parse(setAt.BTC ?? '')).toBeLessThanOrEqual(Date.parse(setAt.PI ?? ''));
    const { requestId } = await requestFunding(ann, '100');
    await confirmFunding(lode.admin, ann, requestId);
    const adjusted = await lode.admin.api.get('adjustWallet', {
      params: { userId: ann.userId },
      body: { amounts: { PI: '10' }, reason: 'a test' },
      headers: keyed(),
    });
    const { balances, wallet } = await ann.api.get('me', { headers: { 'Lode-Position': adjusted.position } });
    expect([wallet.balance, balances.BTC.balance, balances.PI.balance]).toEqual([
      '110.00',
      '0.00200000',
      '40.0000000',
    ]);
  });
});

describe('the history of the settings', () => {
  test('says who changed what when and why, newest first, page by page', async () => {
    const policy = { ...defaultBonusPolicy, rate: '0.05', capDays: 5 };
    const { position } = await put('setBonusPolicy', { policy, reason: 'A smaller promotion' });
    const ask = { headers: { 'Lode-Position': position } };
    const view = await lode.admin.api.get('settings', ask);
    expect(view.bonusPolicy).toEqual(policy);
    expect(view.lastChanges['bonus-policy']).toMatchObject({
      by: 'Ada Miller',
      reason: 'A smaller promotion',
    });
    expect(view.lastChanges['deposit-details']).toMatchObject({ by: 'Ada Miller' });

    const all = await lode.admin.api.get('settingsHistory', { query: { limit: '50' } });
    expect(all.before).toBeNull();
    expect(all.items[0]).toMatchObject({
      type: 'BonusPolicySet',
      actor: { id: lode.admin.userId, role: 'admin', name: 'Ada Miller' },
      reason: 'A smaller promotion',
      data: { policy },
    });
    expect(all.items.map(({ revision }) => revision)).toEqual(
      all.items.map((_, n) => all.items.length - 1 - n),
    );
    const paged: unknown[] = [];
    let before: number | null = null;
    do {
      const query: Record<string, string> = {
        limit: '2',
        ...(before === null ? {} : { before: String(before) }),
      };
      const page: Given<'settingsHistory'> = await lode.admin.api.get('settingsHistory', { query });
      paged.push(...page.items);
      before = page.before;
    } while (before !== null);
    expect(paged).toEqual(all.items);
    expect((await lode.admin.api.get('settingsHistory', { query: { before: '0' } })).items).toEqual([]);
  });

  test('tells of one part alone, from what to what, and that nobody had set it before', async () => {
    await put('setPrices', { prices: { PI: '0.2' } });
    await put('setPrices', { prices: { PI: '0.3', BTC: '61000' } });
    await put('setDollarRate', { rate: '2.5' });
    const query = { part: 'prices', limit: '1' };
    const { items, before } = await lode.admin.api.get('settingsHistory', { query });
    expect(items).toMatchObject([
      { part: 'prices', data: { prices: { PI: '0.30000000' } }, was: { prices: { PI: '0.20000000' } } },
    ]);
    const older = await lode.admin.api.get('settingsHistory', { query: { ...query, before: `${before}` } });
    expect(older.items).toMatchObject([{ data: { prices: { PI: '0.20000000' } } }]);

    const policies = await lode.admin.api.get('settingsHistory', { query: { part: 'bonus-policy' } });
    expect(policies.items.at(-1)?.was).toEqual({ policy: defaultBonusPolicy });
    expect(policies.before).toBeNull();
    const details = await lode.admin.api.get('settingsHistory', {
      query: { part: 'deposit-details', limit: '50' },
    });
    expect(details.items.at(-1)?.was).toMatchObject({ phoneNumber: null });
    expect(new Set(details.items.map(({ part }) => part))).toEqual(new Set(['deposit-details']));
  });

  test('gives what the site said after any change of its texts', async () => {
    const company = (name: string) => ({ name, since: null });
    await put('changeContent', { content: { company: company('One'), footer: { tagline: 'Older' } } });
    await put('changeContent', { content: { company: company('Two') }, reason: 'Another name' });
    await put('setDollarRate', { rate: '3.5' });
    await put('changeContent', { content: { footer: null } });
    const { items } = await lode.admin.api.get('settingsHistory', { query: { part: 'content' } });
    const version = ({ revision }: { readonly revision: number }) =>
      lode.admin.api.get('contentVersion', { params: { revision: String(revision) } });
    const [last, second, first] = await Promise.all(items.slice(0, 3).map(version));
    expect(last?.content).toMatchObject({ company: company('Two') });
    expect(last?.content.footer).toBeUndefined();
    expect(second).toMatchObject({
      by: 'Ada Miller',
      reason: 'Another name',
      content: { company: company('Two'), footer: { tagline: 'Older' } },
    });
    expect(first?.content).toMatchObject({ company: company('One') });
    const other = await lode.admin.api.get('settingsHistory', { query: { part: 'dollar-rate', limit: '1' } });
    for (const revision of [String(other.items[0]?.revision), '999999'])
      expect(problemIn(await lode.admin.api.call('contentVersion', { params: { revision } }))).toMatchObject({
        status: 404,
        code: 'event_not_found',
      });
    await put('changeContent', { content: { company: null } });
  });

  test('has a change once, however often it is sent with its key', async () => {
    const ask = { body: { prices: { USDT: '0.99' }, reason: 'a test' }, headers: keyed() };
    const first = await lode.admin.api.call('setPrices', ask);
    const before = await lastEvent(lode.admin);
    const second = await lode.admin.api.call('setPrices', ask);
    expect([second.text, second.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
    const other = { ...ask, body: { ...ask.body, prices: { USDT: '0.98' } } };
    expect(problemIn(await lode.admin.api.call('setPrices', other)).code).toBe('idempotency_key_reused');
    expect(await lastEvent(lode.admin)).toBe(before);
  });
});

describe('a page with texts that nobody has saved', () => {
  const hero = { ...defaultContent.hero, title: 'Unsaved <script>alert(1)</script> & "quoted"' };
  const preview = (body: object) => lode.admin.api.call('previewContent', { body });
  const htmlOf = async (body: object) => ((await preview(body)).json as Given<'previewContent'>).html;

  test('is given as visitors would get it, without scripts, and nothing is kept of it', async () => {
    const before = [await lastEvent(lode.admin), await lode.visitor.get('content')];
    const html = await htmlOf({ page: 'site', content: { hero } });
    expect(html).toContain('<h1>Unsaved &lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quoted&quot;</h1>');
    expect(html).not.toContain('<script');
    expect(html).toContain(defaultContent.riskDisclosure.text);
    expect([await lastEvent(lode.admin), await lode.visitor.get('content')]).toEqual(before);
  });

  test('has what was saved of the other sections, and the default of one that is null', async () => {
    await put('changeContent', {
      content: { footer: { tagline: 'Saved.' }, hero: { ...hero, title: 'Saved' } },
    });
    const html = await htmlOf({ page: 'site', content: { hero: null } });
    expect(html).toContain('<p>Saved.</p>');
    expect(html).toContain(`<h1>${defaultContent.hero.title}</h1>`);
    await put('changeContent', { content: { footer: null, hero: null } });
  });

  test('is none where the page would not be there', async () => {
    const fees = { title: 'Fees', text: '' };
    expect((await preview({ page: 'fees', content: {} })).json).toEqual({ page: 'fees', html: null });
    expect(await htmlOf({ page: 'fees', content: { fees: { ...fees, text: 'None.' } } })).toContain('None.');
  });

  test('says of each text that is wrong where it is', async () => {
    const plans = {
      ...defaultContent.plans,
      title: '',
      items: [{ ...defaultContent.plans.items[3]!, minimum: 'x' }],
    };
    expect(problemIn(await preview({ page: 'site', content: { plans } })).errors).toEqual([
      { path: 'content.plans.title', message: 'Please enter a title.' },
      { path: 'content.plans.items.0.minimum', message: 'Please enter whole US dollars.' },
    ]);
  });
});

const long = 'x'.repeat(501);
const reason = 'As agreed';
const limits = (...tiers: readonly [above: string, approvals: number][]) => ({
  tiers: { BTC: tiers.map(([above, approvals]) => ({ above, approvals })) },
  reason,
});
const policy = (change: object) => ({ policy: { ...defaultBonusPolicy, ...change }, reason });
const tooLarge = Array.from({ length: 14 }, (_, n) => ({ title: `${n}`, text: 'x'.repeat(4_000) }));
const refused: readonly (readonly [route: RouteName, what: string, body: object, status: number])[] = [
  ['setDollarRate', 'no rate', { reason }, 400],
  ['setDollarRate', 'a number', { rate: 1, reason }, 400],
  ['setDollarRate', 'a negative rate', { rate: '-1', reason }, 400],
  ['setDollarRate', 'an exponent', { rate: '1e2', reason }, 400],
  ['setDollarRate', 'nine decimals', { rate: '0.123456789', reason }, 400],
  ['setDollarRate', 'zero', { rate: '0', reason }, 422],
  ['setDollarRate', 'too much', { rate: '1000000000.00000001', reason }, 422],
  ['setPrices', 'no prices', { reason }, 400],
  ['setPrices', 'a price of the dollar', { prices: { USD: '1' }, reason }, 400],
  ['setPrices', 'an empty price', { prices: { BTC: '' }, reason }, 400],
  ['setPrices', 'a price of nothing', { prices: { BTC: '0' }, reason }, 422],
  ['setPrices', 'a price below the least', { prices: { BTC: '5', PI: '0.00009999' }, reason }, 422],
  ['setBonusPolicy', 'no policy', { reason }, 400],
  ['setBonusPolicy', 'a rate in per cent', policy({ rate: '10' }), 400],
  ['setBonusPolicy', 'a rate that is a number', policy({ rate: 0.1 }), 400],
  ['setBonusPolicy', 'no days', policy({ windowDays: 0 }), 400],
  ['setBonusPolicy', 'half an hour', policy({ everyHours: 0.5 }), 400],
  ['setBonusPolicy', 'a year and a day', policy({ capDays: 366 }), 400],
  ['setBonusPolicy', 'dollars', policy({ currency: 'USD' }), 400],
  ['changeDepositDetails', 'no e-mail address', { email: 'office', reason }, 400],
  ['changeDepositDetails', 'blanks in a wallet', { btcWallet: 'bc1 q', reason }, 400],
  ['changeDepositDetails', 'a wallet too long', { piWallet: 'G'.repeat(129), reason }, 400],
  ['changeDepositDetails', 'an address too long', { contactAddress: long, reason }, 400],
  ['changeDepositDetails', 'a reason too long', { phoneNumber: '+1', reason: long }, 400],
  ['setDollarRate', 'no reason', { rate: '0.9' }, 400],
  ['setDollarRate', 'a reason of blanks', { rate: '0.9', reason: ' \n ' }, 400],
  ['setPrices', 'no reason', { prices: { PI: '0.7' } }, 400],
  ['setPrices', 'a reason of blanks', { prices: { PI: '0.7' }, reason: '  ' }, 400],
  ['setBonusPolicy', 'no reason', { policy: { ...defaultBonusPolicy, rate: '0.07' } }, 400],
  ['setBonusPolicy', 'a reason of blanks', { ...policy({ rate: '0.07' }), reason: ' ' }, 400],
  ['changeDepositDetails', 'no reason', { btcWallet: 'bc1qunsaid' }, 400],
  ['changeDepositDetails', 'a reason of blanks', { btcWallet: 'bc1qunsaid', reason: '' }, 400],
  ['setAdminAccess', 'nothing', {}, 400],
  ['setAdminAccess', 'a word for yes', { needsSecondFactor: 'true' }, 400],
  ['setAdminAccess', 'more than there is', { needsSecondFactor: false, needsThird: true }, 400],
  ['setAdminAccess', 'a reason too long', { needsSecondFactor: false, reason: long }, 400],
  ['setApprovalLimits', 'no reason', { tiers: {} }, 400],
  ['setApprovalLimits', 'one approval', limits(['100', 1]), 400],
  ['setApprovalLimits', 'six approvals', limits(['100', 6]), 400],
  ['setApprovalLimits', 'an amount below nothing', limits(['-1', 2]), 422],
  ['setApprovalLimits', 'more admins than there are', limits(['100', 2]), 422],
  ['setApprovalLimits', 'tiers that do not rise', limits(['100', 2], ['100', 3]), 422],
  ['setApprovalLimits', 'no time to approve', { expireHours: 0, reason: 'So' }, 400],
  ['changeContent', 'a section that there is not', { content: { extra: {} } }, 400],
  ['changeContent', 'half a section', { content: { hero: { title: 'x' } } }, 400],
  ['changeContent', 'a script for a link', { content: { social: { linkedin: 'javascript:1' } } }, 400],
  ['changeContent', 'more than fits', { content: { steps: { title: 'x', text: '', items: tooLarge } } }, 422],
  ['previewContent', 'a page that there is not', { page: 'login', content: {} }, 400],
  ['previewContent', 'half a section', { page: 'site', content: { hero: { title: 'x' } } }, 400],
  [
    'previewContent',
    'a script for a link',
    { page: 'site', content: { social: { linkedin: 'javascript:1' } } },
    400,
  ],
  [
    'previewContent',
    'more than fits',
    { page: 'site', content: { steps: { title: 'x', text: '', items: tooLarge } } },
    422,
  ],
];

test.each(refused)('%s refuses %s and writes nothing', async (route, _, body, status) => {
  const before = await lastEvent(lode.admin);
  const problem = problemIn(await lode.admin.api.call(route, { body, headers: keyed() }));
  expect([problem.status, problem.code]).toEqual([
    status,
    status === 422 ? 'setting_invalid' : 'validation_failed',
  ]);
  expect(await lastEvent(lode.admin)).toBe(before);
});
