import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { problem, type RouteName } from '#contracts';
import {
  confirmFunding,
  formOf,
  join,
  keyed,
  lastEvent,
  newPerson,
  PDF,
  problemIn,
  requestFunding,
  repeatable,
  startLode,
  upload,
  writtenSince,
  type Answer,
  type Ask,
  type Given,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

/** What the product says of a fund form's amount and of its file. */
const FUNDING_AMOUNT = 'Please enter a valid amount and upload payment evidence.';
const AMOUNT = 'Please enter a valid amount.';
const EVIDENCE = 'Please enter a valid upload payment evidence.';
const EVIDENCE_IN_USE =
  'This payment evidence belongs to another request. Please upload the evidence of this payment.';

type World = {
  readonly lode: Lode;
  readonly ann: Person;
  readonly bob: Person;
  /** Of the request that is pending. */
  readonly evidenceId: string;
  readonly pending: string;
  readonly confirmed: string;
  readonly rejected: string;
};

type Case = {
  readonly what: string;
  readonly route: RouteName;
  readonly by: 'visitor' | 'ann' | 'admin';
  readonly ask: (world: World) => Ask | Promise<Ask>;
  readonly refusal: readonly [status: number, code: string, detail?: string];
};

const json = { 'Content-Type': 'application/json' };
const fund = (what: string, body: object, refusal: Case['refusal']): Case => ({
  what: `a fund request with ${what}`,
  route: 'requestFunding',
  by: 'ann',
  ask: ({ evidenceId }) => ({
    body: { amount: '10', currency: 'BTC', evidenceId, ...body },
    headers: keyed(),
  }),
  refusal,
});
const amounts: readonly (readonly [what: string, amount: unknown])[] = [
  ['nothing', '0'],
  ['nothing with decimals', '0.00'],
  ['less than nothing', '-5'],
  ['NaN', 'NaN'],
  ['infinity', 'Infinity'],
  ['an exponent', '1e3'],
  ['a plus', '+1'],
  ['a comma', '1,000'],
  ['a hexadecimal', '0x10'],
  ['words', 'ten dollars'],
  ['digits of another script', '١٠'],
  ['a fraction of a cent', '0.001'],
  ['2^63 cents', '92233720368547758.08'],
  ['more digits than a number has', '9'.repeat(60)],
  ['two points', '1.2.3'],
  ['a point without digits', '1.'],
  ['zero and control characters', '1\u0000'],
];
const notTexts: readonly (readonly [what: string, amount: unknown])[] = [
  ['a number', 10],
  ['null', null],
  ['a list', ['10']],
  ['an object', { amount: '10' }],
  ['nothing at all', undefined],
  ['an empty text', ''],
  ['blanks', '   '],
  ['65 characters', '1'.repeat(65)],
];

const funding: readonly Case[] = [
  ...amounts.map(([what, amount]) =>
    fund(`the amount ${what}`, { amount }, [422, 'amount_invalid', FUNDING_AMOUNT]),
  ),
  ...notTexts.map(([what, amount]) =>
    fund(`${what} for an amount`, { amount }, [400, 'validation_failed', FUNDING_AMOUNT]),
  ),
  fund('a currency that there is not', { currency: 'DOGE' }, [
    400,
    'validation_failed',
    'Please choose BTC, PI or USDT.',
  ]),
  fund('the wallet’s own currency', { currency: 'USD' }, [
    400,
    'validation_failed',
    'Please choose BTC, PI or USDT.',
  ]),
  fund('a name of every object for a currency', { currency: 'constructor' }, [400, 'validation_failed']),
  fund('no evidence', { evidenceId: undefined }, [400, 'validation_failed', EVIDENCE]),
  fund('evidence that there is not', { evidenceId: 'A'.repeat(35) }, [422, 'evidence_missing', EVIDENCE]),
  fund('evidence of another request', {}, [409, 'evidence_in_use', EVIDENCE_IN_USE]),
  fund('a path for evidence', { evidenceId: '../../identity.sqlite' }, [422, 'evidence_missing', EVIDENCE]),
  {
    what: 'a fund request with another customer’s evidence',
    route: 'requestFunding',
    by: 'ann',
    ask: async ({ bob }) => ({
      body: { amount: '10', currency: 'BTC', evidenceId: await upload(bob) },
      headers: keyed(),
    }),
    refusal: [422, 'evidence_missing', EVIDENCE],
  },
];

const decide = (
  what: string,
  route: 'confirmFunding' | 'rejectFunding',
  of: (world: World) => { userId: string; requestId: string },
  refusal: Case['refusal'],
): Case => ({
  what: `${route} of ${what}`,
  route,
  by: 'admin',
  ask: (world) => ({ params: of(world), body: {}, headers: keyed() }),
  refusal,
});
const CONFIRMED: Case['refusal'] = [409, 'request_already_confirmed', 'Transaction already confirmed'];
const CLOSED: Case['refusal'] = [409, 'request_closed', 'Transaction Closed'];
const unknownRequest = 'A'.repeat(34);
const decisions: readonly Case[] = (['confirmFunding', 'rejectFunding'] as const).flatMap((route) => [
  decide(
    'a request that is confirmed',
    route,
    ({ ann, confirmed }) => ({ userId: ann.userId, requestId: confirmed }),
    route === 'confirmFunding' ? CONFIRMED : CLOSED,
  ),
  decide(
    'a request that is rejected',
    route,
    ({ ann, rejected }) => ({ userId: ann.userId, requestId: rejected }),
    CLOSED,
  ),
  decide('an unknown request', route, ({ ann }) => ({ userId: ann.userId, requestId: unknownRequest }), [
    404,
    'request_not_found',
  ]),
  decide(
    'another customer’s request',
    route,
    ({ bob, pending }) => ({ userId: bob.userId, requestId: pending }),
    [404, 'request_not_found'],
  ),
  decide('an unknown customer’s', route, ({ pending }) => ({ userId: randomUUID(), requestId: pending }), [
    404,
    'account_not_found',
    'User does not exist',
  ]),
  decide('one’s own', route, ({ lode, pending }) => ({ userId: lode.admin.userId, requestId: pending }), [
    403,
    'own_request',
  ]),
  decide('a malformed id', route, ({ ann }) => ({ userId: ann.userId, requestId: 'short' }), [
    400,
    'validation_failed',
  ]),
  decide('a malformed customer', route, ({ pending }) => ({ userId: '../admin', requestId: pending }), [
    400,
    'validation_failed',
  ]),
  {
    what: `${route} with a reason that is no text`,
    route,
    by: 'admin',
    ask: ({ ann, pending }) => ({
      params: { userId: ann.userId, requestId: pending },
      body: { reason: 7 },
      headers: keyed(),
    }),
    refusal: [400, 'validation_failed'],
  },
]);

const adjust = (
  what: string,
  body: object,
  refusal: Case['refusal'],
  userId?: (world: World) => string,
): Case => ({
  what: `an adjustment with ${what}`,
  route: 'adjustWallet',
  by: 'admin',
  ask: (world) => ({
    params: { userId: userId?.(world) ?? world.ann.userId },
    body: { amounts: { BTC: '1' }, reason: 'a test', ...body },
    headers: keyed(),
  }),
  refusal,
});
const adjustments: readonly Case[] = [
  adjust('nothing', { amounts: {} }, [422, 'amount_invalid']),
  adjust('zeros', { amounts: { BTC: '0', PI: '0.00' } }, [422, 'amount_invalid']),
  adjust('a number', { amounts: { BTC: 1 } }, [400, 'validation_failed', 'amounts.BTC must be a text.']),
  adjust('an exponent', { amounts: { BTC: '1e2' } }, [422, 'amount_invalid', AMOUNT]),
  adjust('a currency that there is not', { amounts: { DOGE: '1' } }, [
    400,
    'validation_failed',
    'amounts must not have DOGE.',
  ]),
  adjust('more than there is', { amounts: { PI: '-1' } }, [
    409,
    'insufficient_balance',
    'Insufficient PI wallet balance!',
  ]),
  adjust('one currency that can and one that can’t', { amounts: { BTC: '5', USDT: '-5' } }, [
    409,
    'insufficient_balance',
    'Insufficient USDT wallet balance!',
  ]),
  adjust('2^63 cents', { amounts: { BTC: '92233720368547758.08' } }, [422, 'amount_invalid', AMOUNT]),
  adjust('more than a balance can hold', { amounts: { BTC: '92233720368547758.07' } }, [
    422,
    'amount_invalid',
    AMOUNT,
  ]),
  adjust('no reason', { reason: undefined }, [400, 'validation_failed', 'Please give a reason.']),
  adjust('a blank reason', { reason: '  ' }, [400, 'validation_failed', 'Please give a reason.']),
  adjust('a reason too long', { reason: 'x'.repeat(501) }, [
    400,
    'validation_failed',
    'Please enter at most 500 characters.',
  ]),
  adjust('one’s own wallet', {}, [403, 'own_request'], ({ lode }) => lode.admin.userId),
  adjust('nobody’s wallet', {}, [404, 'account_not_found', 'User not found'], () => randomUUID()),
];

const uploadOf = (what: string, ask: () => Ask, refusal: Case['refusal']): Case => ({
  what: `an upload of ${what}`,
  route: 'uploadEvidence',
  by: 'ann',
  ask,
  refusal,
});
const file = (bytes: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
const pdf = file(PDF);
const multipart = { 'Content-Type': 'multipart/form-data; boundary=x' };
const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n';
const uploads: readonly Case[] = [
  uploadOf('a form without a file', () => ({ raw: '--x--\r\n', headers: multipart }), [
    422,
    'file_missing',
    EVIDENCE,
  ]),
  uploadOf('an empty file', () => ({ form: formOf(file(Buffer.alloc(0))) }), [422, 'file_empty', EVIDENCE]),
  uploadOf('a text with the name of a PDF', () => ({ form: formOf(file(Buffer.from('I am a PDF'))) }), [
    415,
    'file_type',
    EVIDENCE,
  ]),
  uploadOf(
    'an SVG',
    () => ({ form: formOf(file(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))) }),
    [415, 'file_type', EVIDENCE],
  ),
  uploadOf('20 MB', () => ({ form: formOf(file(Buffer.concat([PDF], 20_000_000))) }), [
    413,
    'file_too_large',
  ]),
  uploadOf('two files', () => ({ form: formOf(pdf, file(Buffer.concat([PDF], 5_000_000))) }), [
    400,
    'validation_failed',
  ]),
  uploadOf('a field instead of a file', () => ({ form: fieldOnly() }), [422, 'file_missing', EVIDENCE]),
  uploadOf('a form that is cut off', () => ({ raw: `${part}%PDF-1.4`, headers: multipart }), [
    400,
    'upload_canceled',
  ]),
  uploadOf(
    'a form without a boundary',
    () => ({ raw: part, headers: { 'Content-Type': 'multipart/form-data' } }),
    [400, 'validation_failed'],
  ),
  uploadOf('a form that is none', () => ({ raw: 'hello', headers: multipart }), [400, 'validation_failed']),
  uploadOf('JSON', () => ({ body: { file: 'JVBERi0=' } }), [415, 'media_type']),
  uploadOf('the bare file', () => ({ raw: pdf, headers: { 'Content-Type': 'application/pdf' } }), [
    415,
    'media_type',
  ]),
];

function fieldOnly(): FormData {
  const form = new FormData();
  form.append('file', 'text');
  return form;
}

const page = (
  what: string,
  query: (world: World) => Record<string, string> | Promise<Record<string, string>>,
): Case => ({
  what: `a list with ${what}`,
  route: 'fundRequests',
  by: 'admin',
  ask: async (world) => ({ query: await query(world) }),
  refusal: [400, 'validation_failed'],
});
const cursorOf = (cursor: object) => Buffer.from(JSON.stringify(cursor)).toString('base64url');
const all = JSON.stringify(['all', {}]);
const pages: readonly Case[] = [
  page('a cursor that is none', () => ({ cursor: 'abc' })),
  page('a cursor with other characters', () => ({ cursor: '<script>' })),
  page('an endless cursor', () => ({ cursor: 'A'.repeat(600) })),
  page('a cursor of another filter', async ({ lode }) => {
    const { next } = await lode.admin.api.get('fundRequests', { query: { limit: '1' } });
    return { cursor: next ?? '', status: 'Pending' };
  }),
  page('a cursor made up with one key', () => ({
    cursor: cursorOf({ way: 'next', keys: ['a'], first: 1, list: all }),
  })),
  page('a cursor made up with three keys', () => ({
    cursor: cursorOf({ way: 'next', keys: ['a', 'b', 'c'], first: 1, list: all }),
  })),
  page('a cursor made up with a number', () => ({
    cursor: cursorOf({ way: 'next', keys: [1, 2], first: 1, list: all }),
  })),
  ...['0', '-1', '101', '1.5', 'ten', ''].map((limit) => page(`the limit ${limit}`, () => ({ limit }))),
  page('a status that there is not', () => ({ status: 'Lost' })),
  page('a currency that there is not', () => ({ currency: 'USD' })),
  {
    what: 'a why before no revision',
    route: 'why',
    by: 'ann',
    ask: ({ ann }) => ({ params: { userId: ann.userId, currency: 'USD' }, query: { before: '-1' } }),
    refusal: [400, 'validation_failed'],
  },
  {
    what: 'a why of a currency that there is not',
    route: 'why',
    by: 'ann',
    ask: ({ ann }) => ({ params: { userId: ann.userId, currency: 'EUR' } }),
    refusal: [400, 'validation_failed'],
  },
  ...['-1', 'abc', '01', '1.0', '9'.repeat(21), ' '].map((position): Case => ({
    what: `a query with the Lode-Position “${position}”`,
    route: 'prices',
    by: 'visitor',
    ask: () => ({ headers: { 'Lode-Position': position } }),
    refusal: [400, 'validation_failed'],
  })),
];

const signInBody = (what: string, ask: Ask, refusal: Case['refusal']): Case => ({
  what: `signing in with ${what}`,
  route: 'signIn',
  by: 'visitor',
  ask: () => ask,
  refusal,
});
const bodies: readonly Case[] = [
  signInBody('malformed JSON', { raw: '{"email":', headers: json }, [400, 'malformed_json']),
  signInBody('an empty body', { raw: '', headers: json }, [
    400,
    'validation_failed',
    'The request must be a JSON object.',
  ]),
  signInBody('10 MB', { raw: `{"email":"${'x'.repeat(10_000_000)}"}`, headers: json }, [
    413,
    'body_too_large',
  ]),
  signInBody('a prototype', { raw: '{"__proto__":{"email":"a"}}', headers: json }, [
    400,
    'validation_failed',
    'The request must not have __proto__.',
  ]),
  signInBody('a constructor', { raw: '{"constructor":{"prototype":{}}}', headers: json }, [
    400,
    'validation_failed',
    'The request must not have constructor.',
  ]),
  signInBody('a text', { raw: '{}', headers: { 'Content-Type': 'text/plain' } }, [415, 'media_type']),
  signInBody(
    'a form of any other site',
    { raw: 'email=a&password=b', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
    [415, 'media_type'],
  ),
  signInBody('a form with files', { form: fieldOnly() }, [415, 'media_type']),
  signInBody('XML', { raw: '<a/>', headers: { 'Content-Type': 'application/xml' } }, [415, 'media_type']),
  signInBody('a list', { body: [] }, [400, 'validation_failed']),
  signInBody('null', { raw: 'null', headers: json }, [400, 'validation_failed']),
  signInBody('nothing', {}, [400, 'validation_failed']),
];

const registration = (what: string, change: object, refusal: Case['refusal']): Case => ({
  what: `registering with ${what}`,
  route: 'register',
  by: 'visitor',
  ask: () => ({ body: { ...newPerson('Carl'), ...change } }),
  refusal,
});
const INCOMPLETE: Case['refusal'] = [400, 'validation_failed', 'Incomplete information'];
const registrations: readonly Case[] = [
  registration('a name too long', { firstname: 'a'.repeat(101) }, [
    400,
    'validation_failed',
    'Please enter at most 100 characters.',
  ]),
  registration('a name that turns round what follows it', { firstname: 'C\u202earl' }, [
    400,
    'validation_failed',
    'Please leave out characters that can’t be seen.',
  ]),
  ...['firstname', 'lastname', 'email', 'phone', 'password'].flatMap((field) => [
    registration(`no ${field}`, { [field]: undefined }, INCOMPLETE),
    registration(`an empty ${field}`, { [field]: '' }, INCOMPLETE),
    registration(`a number for ${field}`, { [field]: 7 }, INCOMPLETE),
  ]),
  registration('another password to confirm', { confirmPassword: 'another' }, [
    400,
    'validation_failed',
    'Passwords do not match',
  ]),
  registration('five characters', { password: '12345' }, [400, 'validation_failed']),
  registration('no e-mail address', { email: 'carl' }, [400, 'validation_failed']),
  registration('an invitation that there is not', { invitation: 'li_'.padEnd(46, 'A') }, [
    403,
    'invitation_invalid',
  ]),
  registration('an empty invitation', { invitation: '' }, [403, 'invitation_invalid']),
  {
    what: 'registering an e-mail that exists',
    route: 'register',
    by: 'visitor',
    ask: ({ ann }) => ({ body: { ...newPerson('Ann'), email: ann.email.toUpperCase() } }),
    refusal: [409, 'email_exists', 'User already exists'],
  },
];

const key = (
  what: string,
  headers: (world: World) => Record<string, string>,
  refusal: Case['refusal'],
): Case => ({
  what: `a command with ${what}`,
  route: 'requestFunding',
  by: 'ann',
  ask: (world) => ({
    body: { amount: '11', currency: 'PI', evidenceId: world.evidenceId },
    headers: headers(world),
  }),
  refusal,
});
const MISSING: Case['refusal'] = [400, 'idempotency_key_missing'];
const MALFORMED: Case['refusal'] = [
  400,
  'validation_failed',
  'An Idempotency-Key has 1 to 255 visible characters.',
];
const keys: readonly Case[] = [
  key('no Idempotency-Key', () => ({}), MISSING),
  key('an empty Idempotency-Key', () => keyed(''), MISSING),
  key('an Idempotency-Key of 256 characters', () => keyed('k'.repeat(256)), MALFORMED),
  key('blanks in its Idempotency-Key', () => keyed('a b'), MALFORMED),
  key('other letters in its Idempotency-Key', () => keyed('ü'), MALFORMED),
  key('the Idempotency-Key of another request', () => keyed(USED), [422, 'idempotency_key_reused']),
];
const USED = 'a key that was used'.replaceAll(' ', '-');

const cases = [
  ...funding,
  ...decisions,
  ...adjustments,
  ...uploads,
  ...pages,
  ...bodies,
  ...registrations,
  ...keys,
];

describe('bad input', () => {
  let world: World;
  let lode: Lode;

  beforeAll(async () => {
    lode = await startLode();
    const [ann, bob] = [await join(lode.visitor, 'Ann'), await join(lode.visitor, 'Bob')];
    const evidenceId = await upload(ann);
    const body = { amount: '5', currency: 'PI', evidenceId };
    const { requestId: pending } = await ann.api.get('requestFunding', { body, headers: keyed(USED) });
    const { requestId: confirmed } = await requestFunding(ann, '20');
    const { requestId: rejected } = await requestFunding(ann, '30');
    await confirmFunding(lode.admin, ann, confirmed);
    const params = { userId: ann.userId, requestId: rejected };
    const { position } = await lode.admin.api.get('rejectFunding', { params, body: {}, headers: keyed() });
    await lode.admin.api.get('totals', { headers: { 'Lode-Position': position } });
    world = { lode, ann, bob, evidenceId, pending, confirmed, rejected };
  });
  afterAll(() => lode.stop());

  test.each(cases)('$what', async ({ route, by, ask, refusal: [status, code, detail] }) => {
    const api = { visitor: lode.visitor, ann: world.ann.api, admin: lode.admin.api }[by];
    const request = await ask(world);
    const before = await lastEvent(lode.admin);
    const answer = await api.call(route, request);
    expect([answer.status, problemIn(answer).code, problemIn(answer).status]).toEqual([status, code, status]);
    if (detail !== undefined) expect(problemIn(answer).detail).toBe(detail);
    expect(await lastEvent(lode.admin)).toBe(before);
  });

  test.each([
    ['is no request at all', 'HELLO\r\n\r\n', 400],
    [
      'has a length that is none',
      'POST /api/auth/sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: ten\r\n\r\n',
      400,
    ],
    [
      'has an endless head',
      `GET /api/prices HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
      413,
    ],
    ['names no host', 'GET /api/prices HTTP/1.1\r\n\r\n', 400],
    ['names two hosts', 'GET /api/prices HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
    ['names a host twice', 'GET /api/prices HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n', 400],
    ['names no host for what there is not', 'GET /nothing HTTP/1.1\r\n\r\n', 400],
    ['names no host for a form', 'POST /api/files HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello', 400],
    [
      'has two lengths',
      'POST /api/auth/sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
    ],
  ])('what %s is answered with a problem', async (_, text, status) => {
    const [head = '', body = ''] = (await sent(text)).split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(head.toLowerCase()).toContain('content-type: application/problem+json; charset=utf-8');
    expect(head.toLowerCase()).toContain('x-content-type-options: nosniff');
    expect(problem.parse(JSON.parse(body)).status).toBe(status);
  });

  test('a request of HTTP/1.0 need not name a host', async () => {
    const [head = '', body = ''] = (await sent('GET /api/prices HTTP/1.0\r\n\r\n')).split('\r\n\r\n');
    expect(head).toContain('HTTP/1.1 200 ');
    expect(JSON.parse(body)).toEqual(await lode.visitor.get('prices'));
  });

  test('a host without a name is a host', async () => {
    const text = 'GET /api/prices HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n';
    expect(await sent(text)).toContain('HTTP/1.1 200 ');
  });

  async function sent(text: string): Promise<string> {
    const socket = connect(Number(new URL(lode.visitor.address).port), '127.0.0.1');
    let got = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (got += chunk));
    socket.write(text);
    await once(socket, 'close');
    return got;
  }

  test.each([
    ['an id longer than any', `/api/accounts/${'a'.repeat(90)}`, 400],
    ['a broken escape', '/api/accounts/%zz', 400],
    ['an address that there is not', '/api/nothing', 404],
    ['a file of the server', '/api/docs/assets/../package.json', 404],
    ['an escaped file of the server', '/api/docs/assets/%2e%2e%2fpackage.json', 404],
  ])('%s is answered with a problem', async (_, path, status) => {
    const response = await fetch(lode.visitor.address + path, {
      headers: { Authorization: `Bearer ${lode.admin.api.token ?? ''}` },
    });
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect([response.status, problem.parse(await response.json()).status]).toEqual([status, status]);
  });

  test.each(['PUT', 'DELETE', 'PATCH'])('%s is answered with a problem', async (method) => {
    const response = await fetch(`${lode.visitor.address}/api/prices`, { method });
    expect(problem.parse(await response.json())).toMatchObject({ status: 405, code: 'method_not_allowed' });
  });

  test.each(['Bearer', 'bearer', 'BEARER'])('a token comes by the scheme %s', async (scheme) => {
    const { api, userId } = world.ann;
    const response = await fetch(`${lode.visitor.address}/api/me`, {
      headers: { Authorization: `${scheme} ${api.token ?? ''}` },
    });
    expect(await response.json()).toMatchObject({ userId });
  });

  test('a key sent twice in one head is no key', async () => {
    const { ann, evidenceId } = world;
    const headers = new Headers({ ...keyed('one'), ...json, Authorization: `Bearer ${ann.api.token ?? ''}` });
    headers.append('Idempotency-Key', 'two');
    const body = JSON.stringify({ amount: '11', currency: 'PI', evidenceId });
    const response = await fetch(`${lode.visitor.address}/api/fund-requests`, {
      method: 'POST',
      headers,
      body,
    });
    expect(problem.parse(await response.json()).code).toBe('validation_failed');
  });

  test('a command sent again with its key is answered as the first time and done once', async () => {
    const { ann } = world;
    const body = { amount: '12', currency: 'PI', evidenceId: await upload(ann) };
    const ask = { body, headers: keyed() };
    const first = await ann.api.call('requestFunding', ask);
    const after = await lastEvent(lode.admin);
    const second = await ann.api.call('requestFunding', ask);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(repeatable(second)).toBe(repeatable(first));
    expect([first, second].map((answer) => answer.headers.get('idempotency-replayed'))).toEqual([
      null,
      'true',
    ]);
    expect(await lastEvent(lode.admin)).toBe(after);
  });

  test('a command sent eight times at once with one key is done once', async () => {
    const { ann } = world;
    const before = await lastEvent(lode.admin);
    const body = { amount: '13', currency: 'PI', evidenceId: await upload(ann) };
    const ask = { body, headers: keyed() };
    const answers = await Promise.all(Array.from({ length: 8 }, () => ann.api.call('requestFunding', ask)));
    expect(new Set(answers.map((answer) => `${answer.status} ${repeatable(answer)}`)).size).toBe(1);
    expect(answers.filter((answer) => answer.headers.get('idempotency-replayed') === null)).toHaveLength(1);
    expect(await writtenSince(lode.admin, before)).toBe(1);
  });

  test('a key is its owner’s: another customer’s same key is another command', async () => {
    const { ann, bob } = world;
    const headers = keyed();
    const ask = async (person: Person) => ({
      body: { amount: '14', currency: 'PI', evidenceId: await upload(person) },
      headers,
    });
    const [one, two] = [
      await ann.api.get('requestFunding', await ask(ann)),
      await bob.api.get('requestFunding', await ask(bob)),
    ];
    expect(one.requestId).not.toBe(two.requestId);
  });

  test('evidence serves one request that is open or confirmed, of eight sent at once too', async () => {
    const { ann, bob, lode } = world;
    const body = { amount: '16', currency: 'PI', evidenceId: await upload(ann) };
    const ask = ({ api }: Person) => api.call('requestFunding', { body, headers: keyed() });
    const decide = async (route: 'confirmFunding' | 'rejectFunding', { json }: Answer) => {
      const { requestId } = json as Given<'requestFunding'>;
      await lode.admin.api.get(route, {
        params: { userId: ann.userId, requestId },
        body: {},
        headers: keyed(),
      });
    };
    const before = await lastEvent(lode.admin);
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(ann)));
    const [first, ...others] = answers.toSorted((one, other) => one.status - other.status);
    expect(first?.status).toBe(201);
    for (const other of others)
      expect(problemIn(other)).toMatchObject({
        status: 409,
        code: 'evidence_in_use',
        detail: EVIDENCE_IN_USE,
      });
    expect(await writtenSince(lode.admin, before)).toBe(1);

    await decide('rejectFunding', first!);
    expect(problemIn(await ask(bob)).code).toBe('evidence_missing');
    const second = await ask(ann);
    expect(second.status).toBe(201);
    await decide('confirmFunding', second);
    expect(problemIn(await ask(ann)).code).toBe('evidence_in_use');
    expect(problemIn(await ask(bob)).code).toBe('evidence_missing');
    expect(await writtenSince(lode.admin, before)).toBe(4);
  });

  test('one request confirmed and rejected eight times at once is decided once', async () => {
    const { ann, lode } = world;
    const { requestId } = await requestFunding(ann, '15');
    const before = await lastEvent(lode.admin);
    const params = { userId: ann.userId, requestId };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        lode.admin.api.call(n % 2 === 0 ? 'confirmFunding' : 'rejectFunding', {
          params,
          body: {},
          headers: keyed(),
        }),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
    expect(await writtenSince(lode.admin, before)).toBe(1);
  });
});
