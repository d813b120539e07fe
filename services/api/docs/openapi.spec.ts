import { describe, expect, test } from '@jest/globals';
import { inputOf, routes, type Route, type RouteName } from '#contracts';
import { examples } from './examples.js';
import { openApiDocument } from './openapi.js';
import { operationIdOf, tags } from './operations.js';

const all = Object.entries(routes) as [RouteName, Route][];
const document = openApiDocument('1.2.3');
const text = JSON.stringify(document);

type Node = Readonly<Record<string, unknown>>;

/** What an address in the document leads to. */
const at = (address: string) =>
  address
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((node, name) => (node as Node | undefined)?.[name], document);

const operations = Object.values(document['paths'] as Record<string, Record<string, Node>>).flatMap(
  (methods) => Object.values(methods),
);

describe('the OpenAPI document', () => {
  test('refers to nothing that it does not have', () => {
    const addresses = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, address = '']) => address);
    expect(addresses.length).toBeGreaterThan(500);
    expect(addresses.filter((address) => at(address) === undefined)).toEqual([]);
  });

  test('has every body and every answer of JSON among its named schemas', () => {
    for (const { requestBody, responses, operationId } of operations) {
      const given =
        (responses as Record<string, { content?: Record<string, { schema: Node }> }>)['200'] ?? {};
      const taken = (requestBody as { content?: Record<string, { schema: Node }> } | undefined) ?? {};
      for (const { content } of [given, taken]) {
        const { schema } = content?.['application/json'] ?? {};
        if (schema !== undefined) expect([operationId, Object.keys(schema)]).toEqual([operationId, ['$ref']]);
      }
    }
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
