import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes, type Problem, type Route, type RouteName } from '#contracts';
import {
  credit,
  join,
  keyed,
  newPerson,
  problemIn,
  setPin,
  startLode,
  transferTo,
  type Ask,
  type Client,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

const all = (Object.entries(routes) as [RouteName, Route][]).map(([name, route]) => ({ name, route }));
/** Routes that have a body, or may be sent one. A form is another matter. */
const sending = all.filter(({ route }) => route.method !== 'GET' && route.upload === undefined);
const asking = all.filter(({ route }) => route.query !== undefined);

/** Something of the right form for every part of a path. */
const plausible: Readonly<Record<string, string>> = {
  requestId: 'A'.repeat(34),
  messageId: 'A'.repeat(35),
  productId: 'A'.repeat(35),
  fileId: 'A'.repeat(35),
  name: `${'A'.repeat(35)}.webp`,
  accountNumber: '3000000000',
  currency: 'BTC',
  eventId: '00000000-0000-4000-8000-000000000000',
  stream: 'settings-global',
  model: 'accounts',
  kind: 'bonus',
  position: '1',
};

let lode: Lode;
let ann: Person;
let bob: Person;
beforeAll(async () => {
  lode = await startLode({ identityToolkit: true });
  ann = await join(lode.visitor, 'Ann');
  bob = await join(lode.visitor, 'Bob');
  await credit(lode.admin, ann, { BTC: '100' });
  await setPin(ann);
});
afterAll(() => lode.stop());

function callerOf({ access }: Route): Client {
  if (access === 'visitor' || access === 'anyone') return lode.visitor;
  return access === 'admin' ? lode.admin.api : ann.api;
}

async function refusalOf(name: RouteName, route: Route, ask: Ask): Promise<Problem> {
  const params = { ...plausible, userId: ann.userId };
  const answer = await callerOf(route).call(name, { params, headers: keyed(), ...ask });
  return problemIn(answer);
}

describe('what no route knows', () => {
  test.each(all)('is refused in the query of $name', async ({ name, route }) => {
    const refusal = await refusalOf(name, route, { query: { bogus: '1' } });
    expect(refusal).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(refusal.detail).toBe('The request must not have bogus.');
  });

  test.each(sending)('is refused in the body of $name', async ({ name, route }) => {
    const refusal = await refusalOf(name, route, { body: { bogus: 1 } });
    expect(refusal).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(refusal.detail).toBe('The request must not have bogus.');
  });

  test.each(sending)('is refused in the body of $name when it is a prototype', async ({ name, route }) => {
    const headers = { 'Content-Type': 'application/json', ...keyed() };
    const refusal = await refusalOf(name, route, { raw: '{"__proto__":{"role":"admin"}}', headers });
    expect(refusal).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(refusal.detail).toBe('The request must not have __proto__.');
  });

  test.each(asking)('but nearly is in the query of $name is told', async ({ name, route }) => {
    const known = Object.keys(route.query?.shape ?? {});
    const longest = known.reduce((a, b) => (b.length > a.length ? b : a));
    const slip = longest.slice(0, 2) + longest.slice(3);
    const refusal = await refusalOf(name, route, { query: { [slip]: '1' } });
    expect(refusal.detail).toBe(`The request must not have ${slip}. Did you mean ${longest}?`);
  });
});

describe('a member that is not known', () => {
  const accountNumberOf = async ({ api, userId }: Person) =>
    (await api.get('account', { params: { userId } })).accountNumber;

  test('moves nothing where it stands for one that may be left out', async () => {
    const { currency, ...rest } = transferTo(await accountNumberOf(bob), '10');
    const answer = await ann.api.call('requestTransfer', {
      body: { ...rest, curency: currency },
      headers: keyed(),
    });
    expect(problemIn(answer).detail).toBe('The request must not have curency. Did you mean currency?');
    expect((await ann.api.get('ownTransfers', { params: { userId: ann.userId } })).items).toEqual([]);
  });

  test('is told before the one that is missing for it', async () => {
    const { firstname, ...rest } = newPerson('Carl');
    const answer = await lode.visitor.call('register', { body: { ...rest, firstName: firstname } });
    expect(problemIn(answer)).toMatchObject({
      detail: 'The request must not have firstName. Did you mean firstname?',
      errors: [{ path: '' }, { path: 'firstname', message: 'Incomplete information' }],
    });
  });

  test.each([
    [
      'an item of a list',
      'adjustWallets',
      () => ({ items: [{ key: 'a', userId: ann.userId, amounts: { BTC: '1' }, reson: 'x' }], reason: 'x' }),
      'items.0 must not have reson. Did you mean reason?',
    ],
    [
      'an object with a member for each currency',
      'adjustWallet',
      () => ({ amounts: { BCT: '1' }, reason: 'x' }),
      'amounts must not have BCT. Did you mean BTC?',
    ],
    [
      'a policy',
      'setBonusPolicy',
      () => ({
        policy: { rate: '0.1', windowDays: 7, everyHours: 7, capDays: 7, currency: 'BTC', capDay: 7 },
        reason: 'x',
      }),
      'policy must not have capDay. Did you mean capDays?',
    ],
    [
      'a section of the site',
      'changeContent',
      () => ({ content: { whoWeAre: { title: 'We', text: 'We.', txt: 'We.' } } }),
      'content.whoWeAre must not have txt. Did you mean text?',
    ],
    [
      'a list within a section',
      'changeContent',
      () => ({
        content: { team: { title: 'We', items: [{ name: 'A', role: 'B', image: null, text: '', x: 1 }] } },
      }),
      'content.team.items.0 must not have x.',
    ],
  ] as const)('is refused in %s', async (_where, name, body, detail) => {
    const params = { userId: ann.userId };
    const answer = await lode.admin.api.call(name, { params, body: body(), headers: keyed() });
    expect(problemIn(answer)).toMatchObject({ status: 400, code: 'validation_failed', detail });
  });

  test('is not said at any length', async () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`${'x'.repeat(50)}${n}`, n]));
    const answer = await ann.api.call('requestFunding', { body: many, headers: keyed() });
    const { detail } = problemIn(answer);
    expect(detail).toMatch(/and 995 more\.$/);
    expect(detail.length).toBeLessThan(500);
  });

  test('stays what it is for the identity door, for pages and for headers', async () => {
    const body = { email: ann.email, password: ann.password, returnSecureToken: true, bogus: 1 };
    const raw = JSON.stringify(body).replace('"bogus":1', '"bogus":1,"__proto__":{"a":1}');
    const signedIn = await fetch(`${lode.visitor.address}/v1/accounts:signInWithPassword?key=x&bogus=1`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Bogus': '1' },
      body: raw,
    });
    expect(signedIn.status).toBe(200);
    const document = await fetch(`${lode.visitor.address}/api/openapi.json?bogus=1`);
    expect(document.status).toBe(200);
    expect((await lode.visitor.call('prices', { headers: { 'X-Bogus': '1' } })).status).toBe(200);
  });
});
