import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { inputOf, routes, type Route } from './index.js';

/** The places in a JSON schema whose objects may have any member. */
function openPlaces(schema: unknown, path = '$'): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const isOpen =
    'type' in schema &&
    schema.type === 'object' &&
    !('propertyNames' in schema) &&
    !('additionalProperties' in schema && schema.additionalProperties === false);
  const inside = Object.entries(schema).flatMap(([name, member]) => openPlaces(member, `${path}.${name}`));
  return isOpen ? [path, ...inside] : inside;
}

const parts = Object.entries<Route>(routes).flatMap(([name, route]) =>
  (['body', 'query'] as const).map((part) => ({ name, part, route })),
);

describe('what a route takes', () => {
  test.each(parts)('the $part of $name has no object that may have any member', ({ route, part }) => {
    expect(openPlaces(z.toJSONSchema(inputOf(route, part), { io: 'input' }))).toEqual([]);
  });

  test('is what it declares, with its words', () => {
    const { body } = routes.sendMessage;
    expect(inputOf(routes.sendMessage, 'body').meta()).toEqual(body.meta());
    const members = { message: 'Hello' };
    expect(inputOf(routes.sendMessage, 'body').parse(members)).toEqual(members);
    expect(inputOf(routes.suspend, 'body').parse(undefined)).toEqual({});
    expect(inputOf(routes.events, 'query').parse({})).toEqual({ limit: 10, order: 'newest' });
  });

  test('of a route that takes nothing is nothing', () => {
    const signOut: Route = routes.signOut;
    expect(inputOf(signOut, 'body').safeParse(undefined).success).toBe(true);
    expect(inputOf(signOut, 'body').safeParse({}).success).toBe(true);
    expect(inputOf(signOut, 'query').safeParse({ everywhere: 'yes' }).success).toBe(false);
  });
});
