import { describe, expect, test } from '@jest/globals';
import { inputOf, routes, type Route, type RouteName } from '#contracts';
import { examples } from './examples.js';
import { openApiDocument } from './openapi.js';
import { operationIdOf, tags } from './operations.js';

const all = Object.entries(routes) as [RouteName, Route][];
const document = openApiDocument('1.2.3');
const text = JSON.stringify(document);

type Node = Readonly<Record<string, unknown>>;
/** A response, or the body of a request. */
type Answer = {
  readonly content?: Readonly<Record<string, { readonly schema: Node }>>;
  readonly headers?: Node;
};

/** What an address in the document leads to. */
const at = (address: string) =>
  address
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((node, name) => (node as Node | undefined)?.[name], document);

const operations = Object.values(document['paths'] as Record<string, Record<string, Node>>).flatMap(
  (methods) => Object.values(methods),
);

const operationOf = (name: RouteName): Node =>
  operations.find(({ operationId }) => operationId === operationIdOf(name)) ?? {};

/** What answers of a status have for whoever goes on from them. */
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  206: ['Content-Range'],
  304: ['ETag'],
  401: ['WWW-Authenticate'],
  415: ['Accept-Encoding'],
  416: ['Content-Range'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

describe('the OpenAPI document', () => {
  test('refers to nothing that it does not have', () => {
    const addresses = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, address = '']) => address);
    expect(addresses.length).toBeGreaterThan(500);
    expect(addresses.filter((address) => at(address) === undefined)).toEqual([]);
  });

  test('has every body and every answer of JSON, of whatever status, among its named schemas', () => {
    for (const { requestBody, responses, operationId } of operations) {
      const taken = (requestBody as Answer | undefined) ?? {};
      const given = Object.entries(responses as Record<string, Answer>);
      expect([operationId, given.length > 1]).toEqual([operationId, true]);
      for (const [where, { content = {} }] of [...given, ['body', taken] as const]) {
        for (const [type, { schema }] of Object.entries(content)) {
          if (!/json$/.test(type) || type === 'application/x-ndjson') continue;
          expect([operationId, where, Object.keys(schema)]).toEqual([operationId, where, ['$ref']]);
          expect(schema['$ref']).toMatch(/^#\/components\/schemas\/\w+$/);
        }
      }
    }
  });

  test('says of each answer which headers it has', () => {
    for (const [name, route] of all) {
      const responses = Object.entries(operationOf(name)['responses'] as Record<string, Answer>);
      for (const [status, { headers = {} }] of responses) {
        const expected = [
          'X-Request-Id',
          ...(route.uncounted === true ? [] : ['RateLimit', 'RateLimit-Policy']),
          ...(HEADERS[status] ?? []),
          ...(status === String(route.status) && route.location !== undefined ? ['Location'] : []),
          ...(status === String(route.status) && route.command === true
            ? ['Lode-Position', 'Idempotency-Replayed']
            : []),
        ];
        expect([name, status, Object.keys(headers)]).toEqual([
          name,
          status,
          expect.arrayContaining(expected),
        ]);
        for (const header of Object.keys(headers))
          expect(headers[header]).toEqual({ $ref: `#/components/headers/${header}` });
      }
    }
  });

  test('says that the server is the one that it is from', () => {
    expect(document['servers']).toEqual([{ url: '/', description: expect.any(String) }]);
  });

  test('says what the live stream sends, and how it goes on', () => {
    const { parameters, responses, description } = operationOf('live');
    expect(parameters).toContainEqual({ $ref: '#/components/parameters/LastEventId' });
    const { content = {} } = (responses as Record<string, Answer>)['200'] ?? {};
    expect(content).toEqual({
      'text/event-stream': {
        schema: { type: 'string', contentSchema: { $ref: '#/components/schemas/Change' } },
      },
    });
    for (const event of ['hello', 'change', 'reset', 'Last-Event-ID'])
      expect(description).toContain(`\`${event}\``);
  });

  test('calls each route by a verb, and no two the same', () => {
    const ids = all.map(([name]) => operationIdOf(name));
    expect(new Set(ids).size).toBe(ids.length);
    const queries = all.filter(([, { method }]) => method === 'GET').map(([name]) => operationIdOf(name));
    const verbs = /^(?:get|list|find|read|download|check|stream|explain|trace)[A-Z]/;
    expect(queries.filter((id) => !verbs.test(id))).toEqual([]);
  });

  test('says of each route whether it asks for a token', () => {
    for (const { security, 'x-access': access } of operations) {
      const anonymous =
        access === 'visitor' ? [] : access === 'anyone' ? [{}, { session: [] }] : [{ session: [] }];
      expect(security).toEqual(anonymous);
    }
  });

  test('has a description of each tag that routes have, and no other', () => {
    const used = new Set(all.map(([, { tag }]) => tag));
    expect(tags.map(({ name }) => name).toSorted()).toEqual([...used].toSorted());
  });
});

test.each(all.filter(([, { body }]) => body !== undefined))('the example of %s is taken', (name, route) => {
  const example = (examples as Partial<Record<RouteName, unknown>>)[name];
  expect(inputOf(route, 'body').safeParse(example).error?.issues).toBeUndefined();
});
