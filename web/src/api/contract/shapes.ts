import type { z } from 'zod';
import type { CodeOf, Route } from '#contracts';
import type { Failure } from '../problems';

declare const declared: unique symbol;

/** How a route is called. What the contract says of it besides is in its type and nowhere at run time. */
export type RouteTo<Of extends Route> = {
  readonly method: Of['method'];
  readonly path: Of['path'];
  readonly command?: Route['command'];
  readonly upload?: Route['upload'];
  readonly [declared]?: Of;
};

/** A route that answers with JSON. */
export type JsonRoute = Route & { readonly answer: z.ZodType };

/** The members that a schema takes. One that is made out of any text, such as a number, is given as what it becomes. */
type Taken<In, Out> = {
  readonly [Name in keyof In as Name extends 'format' ? never : Name]: unknown extends In[Name]
    ? Out[Name & keyof Out]
    : In[Name];
};

/** What a caller gives for one part of a request. A list is always asked for as JSON, so its `format` is left out. */
type Part<Of extends Route, Name extends 'params' | 'query' | 'body'> =
  Of extends Readonly<Record<Name, infer Schema extends z.ZodType>>
    ? Taken<NonNullable<z.input<Schema>>, NonNullable<z.output<Schema>>>
    : unknown;

/** What a path is made of, where anything is. */
export type PathArgs<Of extends Route> = keyof Part<Of, 'params'> extends never
  ? []
  : [params: Part<Of, 'params'>];

type Parts<Of extends Route> = Part<Of, 'params'> &
  Part<Of, 'query'> &
  Part<Of, 'body'> &
  (Of extends { readonly upload: string } ? { readonly file: File } : unknown) &
  (Of extends { readonly command: true } | { readonly repeatable: true }
    ? { readonly idempotencyKey: string }
    : unknown);

/**
 * What a caller gives to call a route: what its path, its query and its body are made of, in one object, and the key of what
 * is done once. Nothing at all where none of it is needed.
 */
export type ArgsOf<Of extends Route> = keyof Parts<Of> extends never
  ? void
  : Partial<Parts<Of>> extends Parts<Of>
    ? Parts<Of> | void
    : Parts<Of>;

/** What a route answers with. */
export type AnswerOf<Of extends JsonRoute> = z.output<Of['answer']>;

/** What a screen may be told when a call of a route failed. */
export type FailureOf<To> = To extends RouteTo<infer Of> ? Failure<CodeOf<Of>> : never;
