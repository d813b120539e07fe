import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { routes, type Route } from './index.js';

/** What programs make and no person types: the words of a schema without its own are for whoever writes the program. */
const MADE = ['cursor', 'key', 'name', 'position', 'sessionId', 'kind', 'after'];

type Found = { readonly path: string; readonly schema: z.ZodString };

/** The texts in what a route takes. */
function textsIn(schema: z.ZodType | undefined, path: string): readonly Found[] {
  if (schema instanceof z.ZodString) return [{ path, schema }];
  if (schema instanceof z.ZodObject)
    return Object.entries<z.ZodType>(schema.shape).flatMap(([name, one]) => textsIn(one, `${path}.${name}`));
  if (schema instanceof z.ZodArray) return textsIn(schema.element as z.ZodType, path);
  if (schema instanceof z.ZodRecord) return textsIn(schema.valueType as z.ZodType, path);
  if (schema instanceof z.ZodPipe) return textsIn(schema.in as z.ZodType, path);
  if (schema instanceof z.ZodUnion)
    return schema.options.flatMap((option) => textsIn(option as z.ZodType, path));
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return textsIn(schema.unwrap() as z.ZodType, path);
  return [];
}

const texts = Object.entries<Route>(routes).flatMap(([name, { params, query, body }]) =>
  [params, query, body].flatMap((part) => textsIn(part, name)),
);
const typed = texts.filter(({ path }) => !MADE.includes(path.split('.').at(-1) ?? ''));

describe('a text that somebody types', () => {
  test.each(typed)('is refused in words for people: $path', ({ schema }) => {
    const wordless = (schema.def.checks ?? [])
      .map(({ _zod }) => _zod.def)
      .filter(({ check, error }) => check !== 'overwrite' && error === undefined);
    expect(wordless).toEqual([]);
  });

  test('is found wherever it is', () => {
    const paths = typed.map(({ path }) => path);
    for (const path of [
      'accountHolder.accountNumber',
      'adjustWallets.items.amounts',
      'changeContent.content.team.title',
    ])
      expect(paths).toContain(path);
  });
});
