import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { ErrorCode } from '#kernel';
import { codesOf, routes, type Route } from './index.js';

const all: readonly (readonly [string, Route])[] = Object.entries(routes);

/** The members of a schema, where it has any. */
function membersOf(schema: z.ZodType | undefined): readonly string[] {
  if (schema instanceof z.ZodDefault) return membersOf(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

describe.each(all)('route %s', (name, route) => {
  test('describes every part of its path, and no other', () => {
    const named = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
    expect(membersOf(route.params)).toEqual(named);
  });

  test('gives each of its inputs a name of its own, so that a caller can give them in one object', () => {
    const names = [route.params, route.query, route.body].flatMap(membersOf);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    expect(names).not.toContain('idempotencyKey');
  });

  test('takes a query or a body, whichever its method has', () => {
    expect(route.method === 'GET' ? route.body : route.query).toBeUndefined();
    if (route.method === 'DELETE') expect(route.body).toBeUndefined();
  });

  test('changes nothing where it is there to look', () => {
    // Whoever may look at all proves again who they are.
    if (route.may === 'read' && name !== 'stepUp') expect(route.method).toBe('GET');
  });
});

describe('the codes of a route', () => {
  const described = {
    method: 'GET',
    path: '/plain',
    summary: '',
    tag: 'Operations',
    status: 200,
    answer: 'text/plain',
    errors: ['event_not_found', 'unavailable'],
  } as const;
  const uncounted = { ...described, uncounted: true } as const;
  const counted: Route = { ...described, access: 'visitor' };
  const plain: Route = { ...uncounted, access: 'visitor' };

  test('are its own and those that every route has, each once', () => {
    expect(codesOf(plain)).toEqual([
      'event_not_found',
      'unavailable',
      'internal',
      'validation_failed',
      'not_acceptable',
    ]);
  });

  test.each<[string, Route, ErrorCode]>([
    ['being counted', counted, 'rate_limited'],
    ['asking for a token', { ...uncounted, access: 'signed-in' }, 'token_expired'],
    [
      'asking for more than a token',
      { ...uncounted, access: 'owner', may: 'read', stepUp: 'never' },
      'not_permitted',
    ],
    ['changing something', { ...uncounted, method: 'DELETE', access: 'visitor' }, 'storage_full'],
    ['being a command', { ...plain, command: true }, 'idempotency_key_reused'],
    ['taking a key', { ...plain, repeatable: true }, 'idempotency_key_reused'],
  ])('grow by %s', (_what, route, code) => {
    expect(codesOf(plain)).not.toContain(code);
    expect(codesOf(route)).toContain(code);
  });
});
