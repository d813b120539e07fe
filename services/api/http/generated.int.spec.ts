import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { routes, type Route, type RouteName } from '#contracts';
import {
  answerOf,
  confirmFunding,
  credit,
  formOf,
  join,
  lastEvent,
  PASSWORD,
  PDF,
  PIN,
  problemIn,
  requestFunding,
  requestTransfer,
  requestWithdrawal,
  saveWalletAddress,
  setPin,
  startLode,
  upload,
  type Lode,
  type Person,
} from '../../lode/testing/index.js';
import { operationIdOf } from '../docs/operations.js';

/** Requests that are drawn; `npm run test:all` draws more (`LODE_GENERATED`). */
const RUNS = Number(process.env['LODE_GENERATED'] ?? 500);

/** The live stream does not end, and the others end the sessions that this test asks with; they have tests of their own. */
const apart: readonly string[] = [
  'live',
  'closeAccount',
  'signOut',
  'signOutEverywhere',
  'endSessionsOf',
  'suspend',
];

/** A password, a second factor and a pin that were wrong stand in the audit of the person's access. */
const writtenDown: readonly string[] = [
  'invalid_credentials',
  'second_factor_wrong',
  'passkey_refused',
  'pin_wrong',
  'pin_locked',
];

type Schema = { readonly [key: string]: unknown };
const parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  schema: z.looseObject({}),
});
const operation = z.object({
  operationId: z.string(),
  'x-access': z.enum(['visitor', 'anyone', 'signed-in', 'user', 'admin', 'owner', 'self']),
  parameters: z.array(parameter),
  requestBody: z
    .object({ content: z.record(z.string(), z.object({ schema: z.looseObject({}) })) })
    .optional(),
  responses: z.record(z.string(), z.unknown()),
});
const documentShape = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });
const pathsShape = z.record(z.string(), z.record(z.string(), operation));
type Operation = z.infer<typeof operation> & { readonly path: string; readonly method: string };

const callers = ['visitor', 'forger', 'ann', 'bob', 'admin'] as const;
type CallerName = (typeof callers)[number];
/** One who may call a route, who is sent more often than the others. */
const mayCall: Readonly<Record<Operation['x-access'], CallerName>> = {
  visitor: 'visitor',
  anyone: 'visitor',
  'signed-in': 'ann',
  user: 'ann',
  admin: 'admin',
  owner: 'admin',
  self: 'ann',
};

/** The names of routes by what the document calls them. */
const nameOf: ReadonlyMap<string, string> = new Map(
  (Object.keys(routes) as RouteName[]).map((name) => [operationIdOf(name), name]),
);

/** A part of the document with what it refers to in its place. */
function whole(part: unknown, document: unknown): unknown {
  if (Array.isArray(part)) return part.map((one) => whole(one, document));
  if (typeof part !== 'object' || part === null) return part;
  const { $ref: address, ...rest } = part as Schema;
  const members = Object.entries(rest).map(([name, member]) => [name, whole(member, document)]);
  if (typeof address !== 'string') return Object.fromEntries(members);
  const found = address
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((at, name) => (at as Schema)[name], document);
  return { ...(whole(found, document) as Schema), ...Object.fromEntries(members) };
}

/** What the document says of what can be sent. */
function sendable(paths: z.infer<typeof documentShape>['paths']) {
  return Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, one]) => {
          const { responses, ...rest } = one as Schema;
          return [
            method,
            {
              ...rest,
              responses: Object.fromEntries(Object.keys(responses as Schema).map((status) => [status, {}])),
            },
          ];
        }),
      ),
    ]),
  );
}

/** What is sent: built from the document, whole or broken in one place or many. */
type Sent = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body:
    | { readonly json: unknown }
    | { readonly raw: string; readonly type: string }
    | { readonly file: Buffer }
    | undefined;
};

/** Real ids and words, so that a request gets further than the first check. */
type Known = Readonly<
  Record<
    'userId' | 'requestId' | 'fileId' | 'evidenceId' | 'email' | 'password' | 'accountNumber' | 'pin',
    readonly string[]
  >
>;

/** Items of a list that are sent at most. */
const ITEMS = 5;

/** Any value that a JSON schema of the document describes, as far as these schemas go; in lists, of what is known. */
function valueOf(schema: Schema, known: Partial<Known> = {}): fc.Arbitrary<unknown> {
  const {
    type,
    pattern,
    minimum,
    maximum,
    minLength,
    maxLength,
    properties,
    required,
    anyOf,
    propertyNames,
  } = schema;
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  if (Array.isArray(anyOf)) return fc.oneof(...(anyOf as Schema[]).map((one) => valueOf(one, known)));
  if (type === 'integer' || type === 'number') {
    return fc.integer({ min: Number(minimum ?? 0), max: Math.min(Number(maximum ?? 1_000), 1_000_000) });
  }
  if (type === 'string') {
    // Texts that a look-ahead describes can't be made; others than those are sent.
    if (typeof pattern === 'string' && !/\(\?<?[=!]/.test(pattern))
      return fc.stringMatching(new RegExp(pattern), { maxLength: Math.min(Number(maxLength ?? 300), 300) });
    return fc.oneof(
      fc.string({ minLength: Number(minLength ?? 0), maxLength: Math.min(Number(maxLength ?? 40), 40) }),
      fc.constantFrom('1', '0.01', '-1', '100.00'),
    );
  }
  if (typeof properties === 'object' && properties !== null) {
    const members = Object.entries(properties).map(([name, member]) => {
      const real = known[name as keyof Known] ?? [];
      const any = valueOf(member as Schema, known);
      return [name, real.length === 0 ? any : fc.oneof(any, fc.constantFrom(...real))] as const;
    });
    return fc.record(Object.fromEntries(members), {
      requiredKeys: Array.isArray(required) ? (required as string[]) : [],
    });
  }
  if (typeof propertyNames === 'object' && propertyNames !== null) {
    const values = valueOf(schema['additionalProperties'] as Schema);
    return fc.dictionary(valueOf(propertyNames as Schema) as fc.Arbitrary<string>, values, { maxKeys: 3 });
  }
  if (type === 'array') {
    const items = valueOf(schema['items'] as Schema, known);
    return fc.array(items, { minLength: Number(schema['minItems'] ?? 0), maxLength: ITEMS });
  }
  return fc.jsonValue();
}

/** Every UTF-16 code unit, so also halves of characters, which JSON can carry. */
const units = fc.nat(0xffff).map((unit) => String.fromCharCode(unit));
const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: units }),
  fc.constantFrom('', ' ', '\u0000'),
);
const anyJson = fc.oneof(fc.jsonValue(), anyText, fc.constantFrom(null, [], {}, -1, 1e308, 'constructor'));
/** What a header can carry and a text in a path that is a segment of its own. */
const headerText = fc.string({
  unit: fc
    .oneof(fc.integer({ min: 0x21, max: 0x7e }), fc.integer({ min: 0xa0, max: 0xff }))
    .map((code) => String.fromCharCode(code)),
  maxLength: 300,
});
const segment = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 200 })
  .filter((text) => !/^(?:\.|%2e)+$/i.test(text));

/** Mostly what is right, now and then what is known, now and then anything. */
function mixed<T>(right: fc.Arbitrary<T>, known: readonly T[], any: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 10, arbitrary: right },
    ...(known.length === 0 ? [] : [{ weight: 20, arbitrary: fc.constantFrom(...known) }]),
    { weight: 1, arbitrary: any },
  );
}

function requestOf({ path, method, parameters, requestBody }: Operation, known: Known): fc.Arbitrary<Sent> {
  const knownOf = (name: string) => (name in known ? known[name as keyof Known] : []);
  const of = (place: 'path' | 'query' | 'header', any: fc.Arbitrary<string>) =>
    parameters
      .filter((one) => one.in === place)
      .map(({ name, schema }): readonly [string, fc.Arbitrary<string>] => {
        const isPosition = name === 'Lode-Position';
        const right = isPosition ? fc.constantFrom('0', '1', '2') : valueOf(schema).map(String);
        return [
          name,
          mixed(
            place === 'header' ? right.filter(isHeader) : right,
            knownOf(name),
            isPosition ? fc.constant('x') : any,
          ),
        ];
      });
  type Entries = readonly (readonly [string, fc.Arbitrary<string>])[];
  const record = (entries: Entries) => fc.record(Object.fromEntries(entries));
  const some = (entries: Entries) => fc.subarray([...entries]).chain(record);
  return fc
    .record({
      params: record(of('path', segment)),
      query: some(of('query', anyText)),
      headers: fc.oneof(
        { weight: 6, arbitrary: record(of('header', headerText)) },
        { weight: 1, arbitrary: some(of('header', headerText)) },
      ),
      body: method === 'get' ? fc.constant(undefined) : bodyOf(requestBody?.content ?? {}, known),
    })
    .map(({ params, query, headers, body }) => {
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent((params[name] ?? '').toWellFormed()),
      );
      const search = new URLSearchParams(query).toString();
      return { path: search === '' ? filled : `${filled}?${search}`, headers, body };
    });
}

function isHeader(text: string): boolean {
  return /^[\x21-\x7e]{1,255}$/.test(text);
}

function bodyOf(
  content: Readonly<Record<string, { readonly schema: Schema }>>,
  known: Known,
): fc.Arbitrary<Sent['body']> {
  const broken = fc.oneof(
    fc.record({ json: anyJson }),
    fc.record({
      raw: anyText,
      type: fc.constantFrom('application/json', 'text/plain', 'multipart/form-data; boundary=x', 'a/b'),
    }),
    fc.constant(undefined),
  );
  const schema = content['application/json']?.schema;
  if ('multipart/form-data' in content) {
    const bytes = fc.uint8Array({ maxLength: 200 }).map((rest) => Buffer.concat([PDF, rest]));
    const file = fc.oneof(
      bytes,
      fc.uint8Array({ maxLength: 200 }).map((any) => Buffer.from(any)),
    );
    return fc.oneof({ weight: 5, arbitrary: fc.record({ file }) }, { weight: 1, arbitrary: broken });
  }
  if (schema === undefined)
    return fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: broken });
  const whole = valueOf(schema, known).chain((value) => {
    const entries = Object.entries(value as Record<string, unknown>).map(
      ([name, right]): [string, fc.Arbitrary<unknown>] => {
        const real = name in known ? known[name as keyof Known] : [];
        return [
          name,
          fc.oneof(
            { weight: 12, arbitrary: mixed(fc.constant(right), real, anyJson) },
            { weight: 1, arbitrary: anyJson },
          ),
        ];
      },
    );
    return fc.record({ json: fc.record(Object.fromEntries(entries)) });
  });
  return fc.oneof({ weight: 6, arbitrary: whole }, { weight: 1, arbitrary: broken });
}

let lode: Lode;
let people: Readonly<Record<'ann' | 'bob' | 'admin', Person>>;
let known: Known;
let operations: readonly Operation[];

beforeAll(async () => {
  lode = await startLode();
  const [ann, bob] = [await join(lode.visitor, 'Ann'), await join(lode.visitor, 'Bob')];
  people = { ann, bob, admin: lode.admin };
  const files = [await upload(ann), await upload(bob)];
  const requests: { readonly requestId: string }[] = [
    await requestFunding(ann, '50'),
    await requestFunding(ann, '60'),
    await requestFunding(bob, '70'),
  ];
  await confirmFunding(lode.admin, ann, requests[0]?.requestId ?? '');
  await credit(lode.admin, ann, { BTC: '1000', PI: '1000', USDT: '1000' });
  await saveWalletAddress(ann);
  await setPin(ann);
  requests.push(await requestWithdrawal(ann, '2'), await requestWithdrawal(ann, '3'));
  // To a bank: what follows a transfer to a customer changes the log while others are refused.
  requests.push(await requestTransfer(ann, '9900000001', '2'));
  const { position } = await requestTransfer(ann, '9900000001', '3');
  await lode.admin.api.get('totals', { headers: { 'Lode-Position': position } });
  known = {
    userId: [ann.userId, bob.userId, lode.admin.userId],
    requestId: requests.map((request) => request.requestId),
    fileId: files,
    evidenceId: files,
    email: [ann.email],
    password: [PASSWORD],
    accountNumber: [(await bob.api.get('me')).accountNumber],
    pin: [PIN],
  };
  const response = await fetch(`${lode.visitor.address}/api/openapi.json`);
  const document = documentShape.parse(await response.json());
  const paths = pathsShape.parse(whole(sendable(document.paths), document));
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .map(([method, one]) => ({ ...one, path, method, operationId: nameOf.get(one.operationId) ?? '' }))
      .filter(({ operationId }) => !apart.includes(operationId)),
  );
});
afterAll(() => lode.stop());

test('the document has every route of the contract, as often as it is in it', () => {
  const named = [...operations.map(({ operationId }) => operationId), ...apart];
  expect(named.sort()).toEqual(Object.keys(routes).sort());
});

test('whatever is sent, the answer is one that the document has, and a refusal leaves the log as it was', async () => {
  const one = fc.constantFrom(...operations).chain((op) =>
    fc.record({
      op: fc.constant(op),
      by: fc.oneof(fc.constantFrom(...callers), fc.constant(mayCall[op['x-access']])),
      sent: requestOf(op, known),
    }),
  );
  const property = fc.asyncProperty(one, async ({ op, by, sent }) => {
    const before = await lastEvent(lode.admin);
    const response = await fetch(lode.visitor.address + sent.path, {
      method: op.method.toUpperCase(),
      headers: { ...sent.headers, ...tokenOf(by), ...typeOf(sent.body) },
      ...payloadOf(sent.body),
    });
    const answer = await answerOf(response);
    expect(Object.keys(op.responses)).toContain(String(answer.status));
    expect(answer.status).toBeLessThan(500);
    if (answer.status >= 400) {
      expect(problemIn(answer).status).toBe(answer.status);
      if (!writtenDown.includes(problemIn(answer).code)) expect(await lastEvent(lode.admin)).toBe(before);
      return;
    }
    const route: Route = routes[op.operationId as RouteName];
    const isFile = route.files?.some((type) => answer.headers.get('content-type')?.startsWith(type)) === true;
    if (typeof route.answer !== 'string' && !isFile)
      expect(route.answer.safeParse(answer.json).error).toBeUndefined();
  });
  await fc.assert(property, { numRuns: RUNS });
});

function tokenOf(by: CallerName): Record<string, string> {
  if (by === 'visitor') return {};
  const token = by === 'forger' ? 'la_forged' : (people[by].api.token ?? '');
  return { Authorization: `Bearer ${token}` };
}

function typeOf(body: Sent['body']): Record<string, string> {
  if (body === undefined || 'file' in body) return {};
  return { 'Content-Type': 'json' in body ? 'application/json' : body.type };
}

function payloadOf(body: Sent['body']): { body?: string | FormData } {
  if (body === undefined) return {};
  if ('file' in body) return { body: formOf(new Uint8Array(body.file)) };
  return { body: 'json' in body ? JSON.stringify(body.json) : body.raw };
}
