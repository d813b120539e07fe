import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { InvalidInput } from '#application';
import { inputOf, type Route } from '#contracts';

/** What a schema says is wrong. */
type Issues = readonly { readonly message: string; readonly path?: unknown; readonly code?: unknown }[];

/** The refusal of what a schema found wrong. Members that it doesn't know come first: one that is missing may be misspelled. */
function invalid(issues: Issues): InvalidInput {
  const [unknown, others] = [true, false].map((isUnknown) =>
    issues.filter(({ code }) => (code === 'unrecognized_keys') === isUnknown),
  );
  return new InvalidInput(
    [...(unknown ?? []), ...(others ?? [])].map(({ message, path }) => ({ message, path: pathOf(path) })),
  );
}

/** The path of an issue as text; a standard schema's path holds keys and objects with a key. */
function pathOf(path: unknown): string {
  if (!Array.isArray(path)) return '';
  return path
    .map((part: unknown) =>
      typeof part === 'object' && part !== null && 'key' in part ? String(part.key) : String(part),
    )
    .join('.');
}

/** What a schema makes of a part of a request. It removes nothing: the schemas name each member that they don't know. */
export function validated(schema: z.ZodType, given: unknown): unknown {
  const { success, data, error } = schema.safeParse(given);
  if (!success) throw invalid(error.issues);
  return data;
}

/** Refuses the query of a route that takes none, and what a body has that takes none. */
export function refuseUndeclared(
  route: Route,
  { query, body }: Pick<FastifyRequest, 'query' | 'body'>,
): void {
  if (route.query === undefined) validated(undeclared.query, query);
  if (route.body === undefined && route.upload === undefined) validated(undeclared.body, body);
}

const undeclared = { query: inputOf({}, 'query'), body: inputOf({}, 'body') };
