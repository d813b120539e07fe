import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { routes, type Route, type RouteName } from '#contracts';
import { errorCodes } from '#kernel';
import {
  createProduct,
  follow,
  formOf,
  join,
  keyed,
  newPerson,
  PDF,
  pathOf,
  PNG,
  requestFunding,
  requestTransfer,
  requestWithdrawal,
  saveWalletAddress,
  credit,
  setPin,
  startLode,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';

/* HTTP as its standards have it, on every route. */

const all = (Object.entries(routes) as [RouteName, Route][]).map(([name, route]) => ({ name, route }));
/** Something of the right form for every part of a path. */
const plausible: Readonly<Record<string, string>> = {
  userId: '00000000-0000-4000-8000-000000000000',
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
  sessionId: 'A',
};
const address = (name: RouteName) => pathOf(name, { params: plausible });

let lode: Lode;
let ann: Person;
beforeAll(async () => {
  lode = await startLode();
  ann = await join(lode.visitor, 'Ann');
  await saveWalletAddress(ann);
  await setPin(ann);
  await credit(lode.admin, ann, { BTC: '100' });
});
afterAll(() => lode.stop());

type Headers = Readonly<Record<string, string>>;

/** Asks for exactly this, with nothing added and nothing unpacked. */
async function ask(method: string, path: string, headers: Headers = {}, body = '') {
  const { hostname, port } = new URL(lode.visitor.address);
  const length = body === '' ? {} : { 'content-length': String(body.length) };
  const asking = request({ hostname, port, method, path, headers: { ...headers, ...length } });
  asking.end(body);
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

const asked = (by: Person, path: string, headers: Headers = {}) =>
  ask('GET', path, { authorization: `Bearer ${by.api.token ?? ''}`, ...headers });
const problemOf = ({ body }: { readonly body: Buffer }) =>
  JSON.parse(String(body)) as { code: string; type: string };

describe('every route', () => {
  /** The methods of each address. */
  const methods = Map.groupBy(all, ({ route }) => route.path);
  const known = [...methods].map(([path, served]) => ({
    path: served[0] === undefined ? path : address(served[0].name),
    allowed: [
      ...new Set([
        'OPTIONS',
        ...served.flatMap(({ route: { method } }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
      ]),
    ].toSorted(),
  }));

  test.each(known)('$path says which methods it has, and takes no other', async ({ path, allowed }) => {
    const told = await ask('OPTIONS', path);
    expect([told.status, told.headers.allow, told.body.length]).toEqual([204, allowed.join(', '), 0]);
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND'].filter(
      (one) => !allowed.includes(one),
    )) {
      const answer = await ask(method, path);
      expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, allowed.join(', ')]);
      expect(problemOf(answer).code).toBe('method_not_allowed');
    }
  });

  test.each(all.filter(({ route }) => !['visitor', 'anyone'].includes(route.access)))(
    '$name says how to be known to it',
    async ({ name, route: { method } }) => {
      const unknown = await ask(method, address(name));
      expect([unknown.status, unknown.headers['www-authenticate']]).toEqual([401, 'Bearer realm="Lode"']);
      const wrong = await ask(method, address(name), { authorization: 'Bearer la_forged' });
      expect([wrong.status, wrong.headers['www-authenticate']]).toEqual([
        401,
        'Bearer realm="Lode", error="invalid_token"',
      ]);
    },
  );

  test.each(all)(
    '$name says the id of a request, what is left of its network, and that no type is guessed at',
    async ({ name, route }) => {
      const { headers } = await ask(route.method, address(name), { 'x-request-id': 'trace-1.2:3' });
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['x-request-id']).toBe('trace-1.2:3');
      const forged = await ask(route.method, address(name), { 'x-request-id': 'two words' });
      expect(forged.headers['x-request-id']).toMatch(/^[A-Za-z0-9]{22}$/);
      expect(headers['ratelimit-policy']).toEqual(
        route.uncounted === true ? undefined : expect.stringMatching(/^"network";q=1000000;w=60$/),
      );
      expect(headers.ratelimit).toEqual(
        route.uncounted === true ? undefined : expect.stringMatching(/^"network";r=\d+;t=\d+$/),
      );
    },
  );

  test.each(all.filter(({ route }) => route.media === undefined))(
    '$name answers nobody who takes none of its types',
    async ({ name, route: { method } }) => {
      const answer = await ask(method, address(name), { accept: 'image/png, */*;q=0' });
      expect([answer.status, problemOf(answer).code]).toEqual([406, 'not_acceptable']);
    },
  );

  test.each(all.filter(({ route }) => route.method !== 'GET'))(
    '$name takes no body that is compressed',
    async ({ name, route: { method } }) => {
      const answer = await ask(method, address(name), { 'content-encoding': 'gzip' }, 'x');
      expect([answer.status, problemOf(answer).code]).toEqual([415, 'content_encoding']);
      expect(answer.headers['accept-encoding']).toBe('identity');
    },
  );

  const membersOf = (answer: unknown): readonly string[] => {
    if (answer instanceof z.ZodUnion) return answer.options.flatMap(membersOf);
    return answer instanceof z.ZodObject ? Object.keys(answer.shape) : [];
  };

  test.each(all.filter(({ route: { answer } }) => typeof answer !== 'string'))(
    '$name is marked as secret when its answer holds what lets somebody in',
    ({ route: { answer, secret } }) => {
      const letsIn = /^(?:(?:access)?token|challenge|secret|recoveryCodes)$/i;
      expect(secret === true).toBe(membersOf(answer).some((member) => letsIn.test(member)));
    },
  );
});

test.each(['/', '/login', '/nothing', '/robots.txt', '/api/nothing', '/api/docs', '/api/accounts/%zz'])(
  '%s has no type to guess at, and the id of its request, for a person or a program',
  async (path) => {
    for (const accept of ['text/html', 'application/json'])
      for (const method of ['GET', 'OPTIONS', 'DELETE']) {
        const { headers } = await ask(method, path, { accept });
        expect([method, headers['x-content-type-options']]).toEqual([method, 'nosniff']);
        expect(headers['x-request-id']).toMatch(/^[A-Za-z0-9]{22}$/);
      }
  },
);

test('the whole server says which methods there are', async () => {
  const { status, headers } = await ask('OPTIONS', '*');
  expect([status, headers.allow]).toEqual([204, 'DELETE, GET, HEAD, OPTIONS, POST, PUT']);
});

test('what is nothing has no methods', async () => {
  for (const method of ['OPTIONS', 'DELETE']) expect((await ask(method, '/api/nothing')).status).toBe(404);
});

describe('lists', () => {
  test.each([
    ['text/csv', 'text/csv; charset=utf-8'],
    ['text/csv;q=0.1, application/json', 'application/json; charset=utf-8'],
    ['application/json;q=0.5, text/*', 'text/csv; charset=utf-8'],
    ['application/x-ndjson, text/csv;q=0.9', 'application/x-ndjson; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
  ])('for %s are %s', async (accept, type) => {
    const { status, headers } = await asked(lode.admin, '/api/events', { accept });
    expect([status, headers['content-type'], headers.vary]).toEqual([200, type, 'Accept, Accept-Encoding']);
  });

  test('are of the format that is asked for, whatever else is taken', async () => {
    const { headers } = await asked(lode.admin, '/api/events?format=csv', { accept: 'application/json' });
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
  });
});

describe('answers that somebody has already', () => {
  test.each(['/api/me', '/api/prices', '/api/openapi.json', '/api/products'])('%s', async (path) => {
    const first = await asked(ann, path);
    const etag = first.headers.etag ?? '';
    expect(etag).toMatch(/^W\/"[\w-]{43}"$/);
    const again = await asked(ann, path, { 'if-none-match': `"other", ${etag}` });
    expect([again.status, again.headers.etag, again.body.length]).toEqual([304, etag, 0]);
    expect((await asked(ann, path, { 'if-none-match': '"other"' })).body.equals(first.body)).toBe(true);
  });

  test('have another tag when they change', async () => {
    const { etag } = (await asked(ann, '/api/me')).headers;
    const { position } = await saveWalletAddress(ann);
    const changed = await asked(ann, '/api/me', { 'lode-position': position, 'if-none-match': etag ?? '' });
    // The same address again is no event: a new one is.
    const body = { walletAddress: 'bc1qanother', proof: { password: ann.password } };
    const saved = await ann.api.get('saveWalletAddress', {
      params: { userId: ann.userId },
      body,
      headers: keyed(),
    });
    const later = await asked(ann, '/api/me', {
      'lode-position': saved.position,
      'if-none-match': etag ?? '',
    });
    expect([changed.status, later.status]).toEqual([304, 200]);
  });

  test('are files too', async () => {
    const { url } = await ann.api.get('uploadEvidence', { form: formOf(new Uint8Array(PDF)) });
    const first = await asked(ann, url);
    const again = await asked(ann, url, { 'if-none-match': first.headers.etag ?? '' });
    expect([again.status, again.headers.etag, again.body.length]).toEqual([304, first.headers.etag, 0]);
  });

  test('are never refusals, nor what a command answers', async () => {
    expect((await asked(ann, '/api/events')).headers.etag).toBeUndefined();
    const answer = await ann.api.call('setTransferPin', { body: { pin: '4711', password: ann.password } });
    expect(answer.headers.get('etag')).toBeNull();
  });
});

describe('compressed', () => {
  const unpacked = { br: brotliDecompressSync, gzip: gunzipSync };
  const paths = ['/api/openapi.json', '/api/events?limit=50', '/api/events?format=csv', '/api/docs/errors'];
  test.each(paths.flatMap((path) => [[path, 'br'] as const, [path, 'gzip'] as const]))(
    '%s with %s is what it is without',
    async (path, coding) => {
      const plain = await asked(lode.admin, path);
      const small = await asked(lode.admin, path, { 'accept-encoding': coding });
      expect([plain.headers['content-encoding'], small.headers['content-encoding']]).toEqual([
        undefined,
        coding,
      ]);
      expect(unpacked[coding](small.body).equals(plain.body)).toBe(true);
      expect(small.body.length).toBeLessThan(plain.body.length / 2);
      for (const { headers } of [plain, small]) expect(headers.vary).toMatch(/Accept-Encoding/);
      expect(small.headers.etag).toBe(plain.headers.etag);
    },
  );

  test('is nothing that is small, an image, or not wanted so', async () => {
    const { url } = await lode.admin.api.get('uploadProductImage', { form: formOf(PNG) });
    const all = { 'accept-encoding': 'br, gzip' };
    for (const path of ['/api/prices', url])
      expect((await asked(ann, path, all)).headers['content-encoding']).toBeUndefined();
    const refused = await asked(ann, '/api/openapi.json', { 'accept-encoding': 'br;q=0, gzip;q=0' });
    expect(refused.headers['content-encoding']).toBeUndefined();
  });
});

describe('never compressed', () => {
  const all = { 'accept-encoding': 'br, gzip' };

  test('are answers with tokens: signing in, refreshing, inviting', async () => {
    const json = { 'content-type': 'application/json' };
    const body = JSON.stringify({ email: ann.email, password: ann.password });
    const signedIn = await ask('POST', '/api/auth/sign-in', { ...all, ...json }, body);
    const [cookie = ''] = signedIn.headers['set-cookie'] ?? [];
    const refreshed = await ask('POST', '/api/auth/refresh', { ...all, cookie: cookie.split(';')[0] ?? '' });
    const authorization = `Bearer ${lode.admin.api.token ?? ''}`;
    const invited = await ask('POST', '/api/invitations', { ...all, authorization });
    const answers = [signedIn, refreshed, invited];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 201]);
    for (const { headers, body: sent } of answers) {
      expect([headers['content-encoding'], headers.etag]).toEqual([undefined, undefined]);
      expect(String(sent)).toMatch(/"(?:accessToken|token)":"/);
    }
  });

  test('is the live stream', async () => {
    const stream = await follow(ann.api, { 'Accept-Encoding': 'br, gzip' });
    const [hello] = await stream.until((frames) => frames.length > 0);
    stream.close();
    expect([stream.headers.get('content-encoding'), hello?.event]).toEqual([null, 'hello']);
  });
});

describe('what was made is found at its location', () => {
  const made: readonly (readonly [
    string,
    () => Promise<Person>,
    () => Promise<{ headers: globalThis.Headers }>,
  ])[] = [
    [
      'an account',
      async () => lode.admin,
      () => lode.admin.api.call('createAccount', { body: newPerson('Cora') }),
    ],
    ['a product', async () => lode.admin, () => madeBy('createProduct')],
    ['evidence', async () => ann, () => ann.api.call('uploadEvidence', { form: formOf(PNG) })],
    ['a fund request', async () => ann, () => madeBy('requestFunding')],
    ['a withdrawal', async () => ann, () => madeBy('requestWithdrawal')],
    ['a transfer', async () => ann, () => madeBy('requestTransfer')],
  ];
  /** The answer to a command of this name, sent as the helpers of the tests send it. */
  async function madeBy(name: RouteName): Promise<{ headers: globalThis.Headers }> {
    let last: { headers: globalThis.Headers } | undefined;
    const recording = (person: Person): Person => ({
      ...person,
      api: {
        ...person.api,
        get: async (asked, more) => {
          if (asked !== name) return person.api.get(asked, more);
          const answer = await person.api.call(asked, more);
          last = answer;
          return answer.json as never;
        },
      },
    });
    if (name === 'createProduct') await createProduct(recording(lode.admin));
    if (name === 'requestFunding') await requestFunding(recording(ann));
    if (name === 'requestWithdrawal') await requestWithdrawal(recording(ann), '1');
    if (name === 'requestTransfer') await requestTransfer(recording(ann), '9900000001', '1');
    if (last === undefined) throw new Error(`${name} was not sent`);
    return last;
  }

  test.each(made)('%s', async (_, by, make) => {
    const { headers } = await make();
    const [location, position] = [headers.get('location') ?? '', headers.get('lode-position')];
    const found = await asked(await by(), location, position === null ? {} : { 'lode-position': position });
    expect([location, found.status]).toEqual([location, 200]);
  });

  test('and each route that makes something says so, but for messages and notes, which nobody reads alone', () => {
    const silent = all.filter(
      ({ route: { status, location } }) => (status === 201) !== (location !== undefined),
    );
    expect(silent.map(({ name }) => name)).toEqual(['addNote', 'sendMessage']);
  });
});

describe('the type of a problem', () => {
  test('leads a person to what its code means', async () => {
    const { type } = problemOf(await ask('GET', '/api/me'));
    const { pathname, hash } = new URL(type, lode.visitor.address);
    const { headers, body } = await ask('GET', pathname, { accept: 'text/html' });
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(String(body)).toContain(`id="${hash.slice(1)}"`);
    for (const code of errorCodes) expect(String(body)).toMatch(new RegExp(`id="${code}">.+\n<dd>.{10}`));
    expect(String(body)).not.toMatch(/`|\]\(/);
  });

  test('leads a program to the same as JSON', async () => {
    const codes = JSON.parse(String((await ask('GET', '/api/docs/errors')).body)) as {
      code: string;
      meaning: string;
    }[];
    expect(codes.map(({ code }) => code)).toEqual([...errorCodes]);
    expect(codes.every(({ meaning }) => meaning.length > 10)).toBe(true);
  });
});

test('HEAD answers as GET does, without the content', async () => {
  const headers = { authorization: `Bearer ${lode.admin.api.token ?? ''}` };
  for (const path of ['/api/me', '/api/prices', '/health/ready', '/api/openapi.json']) {
    const [got, head] = [await ask('GET', path, headers), await ask('HEAD', path, headers)];
    expect([path, head.status, head.body.length]).toEqual([path, 200, 0]);
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'vary'])
      expect([path, name, head.headers[name]]).toEqual([path, name, got.headers[name]]);
  }
});

describe('the live stream', () => {
  const firsts = async (headers: Headers, count: number) => {
    const stream = await follow(ann.api, headers);
    await stream.until((frames) => frames.length >= count);
    stream.close();
    return stream.frames.slice(0, count).map(({ event, id }) => [event, id !== undefined]);
  };

  test('begins with a place, so that whoever is cut off before the first change goes on from there', async () => {
    const { position } = await requestFunding(ann);
    await ann.api.get('me', { headers: { 'Lode-Position': position } });
    const stream = await follow(ann.api);
    const [hello] = await stream.until((frames) => frames.length > 0);
    stream.close();
    expect(hello?.event).toBe('hello');
    const missed = await requestFunding(ann);
    const later = await follow(ann.api, { 'Last-Event-ID': hello?.id ?? '' });
    await later.until((frames) => frames.some(({ data }) => JSON.stringify(data).includes(missed.requestId)));
    later.close();
    expect(later.frames.map(({ event }) => event)).not.toContain('reset');
    expect(later.frames[0]).toMatchObject({ event: 'hello', id: hello?.id });
  });

  test.each(['nonsense', '-1', '99999999999999999999', '18446744073709551615'])(
    'has whoever comes back from %s fetch everything anew',
    async (place) => {
      const frames = await firsts({ 'Last-Event-ID': place }, 2);
      expect(frames.map(([event]) => event)).toEqual(['hello', 'reset']);
      expect(frames[1]?.[1]).toBe(true);
    },
  );

  test('says the id of its request, and guesses at no type', async () => {
    const { headers, close } = await follow(ann.api, { 'X-Request-Id': 'trace-9' });
    close();
    expect(headers.get('x-request-id')).toBe('trace-9');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('ratelimit')).toMatch(/^"network";r=\d+;t=\d+$/);
  });
});
