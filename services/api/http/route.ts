import 'reflect-metadata';
import type { z } from 'zod';
import type { Session } from '#application';
import { inputOf, routes, type Route as RouteDeclaration, type RouteName } from '#contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Which route of the contract it is. */
    route?: RouteName;
  }
  interface FastifyRequest {
    routed?: FastifyRequest['routeOptions'];
  }
}

/** Where it stands which route of the contract a method answers, and where each of its parameters comes from. */
const [ROUTE, SOURCES] = ['lode:route', 'lode:sources'];

/** A request under way, for whoever traces it. */
export type OpenRequest = {
  /**
   * The span that a command of this correlation is a part of, which is the request's own; undefined where its trace is left out. What
   * is asked for first decides which trace the request is in.
   */
  readonly spanFor: (correlationId: string) => string | undefined;
  /** Records the span of the request, now that it is answered. */
  readonly end: (answer: { readonly method: string; readonly url: string; readonly status: number }) => void;
};

/** A request after the guard has seen it. */
export type LodeRequest = FastifyRequest & {
  caller?: Session;
  open?: OpenRequest;
  /** What its commands have in common, and the first of them; undefined while there is none. */
  correlationId?: string;
  commandId?: string;
};

/** What a parameter of a controller's method is given. */
export type Source =
  | { readonly kind: 'input'; readonly part: 'body' | 'params' | 'query'; readonly schema: z.ZodType }
  | {
      readonly kind: 'request';
      readonly read: (request: LodeRequest, reply: FastifyReply, route: RouteName) => unknown;
    }
  /** The method sends its answer itself, unless it only adds to it. */
  | { readonly kind: 'reply'; readonly isOnlyAdded: boolean };

/** Makes a method the answer to a route of the contract: its path, its status and who may call it come from there. */
export function Route(name: RouteName): MethodDecorator {
  return (target, method) => Reflect.defineMetadata(ROUTE, name, target, method);
}

/** The methods of a controller that answer routes of the contract, each with where its parameters come from, in their order. */
export function answersOf(
  prototype: object,
): readonly { readonly name: RouteName; readonly method: string; readonly sources: readonly Source[] }[] {
  return Object.getOwnPropertyNames(prototype).flatMap((method) => {
    const name = Reflect.getMetadata(ROUTE, prototype, method) as RouteName | undefined;
    if (name === undefined) return [];
    const sources = sourcesOf(prototype, method);
    const { length } = Reflect.get(prototype, method) as (...given: readonly unknown[]) => unknown;
    if (sources.length !== length || Object.keys(sources).length !== length)
      throw new Error(`it is not said where each parameter of ${method} comes from`);
    return [{ name, method, sources }];
  });
}

function comesFrom(source: Source): ParameterDecorator {
  return (target, method, at) => {
    if (method === undefined) throw new Error('a constructor has no route');
    const sources = sourcesOf(target, method);
    sources[at] = source;
    Reflect.defineMetadata(SOURCES, sources, target, method);
  };
}

/** What is known so far: a place is empty until its parameter's decorator was there. */
function sourcesOf(target: object, method: string | symbol): Source[] {
  return (Reflect.getMetadata(SOURCES, target, method) ?? []) as Source[];
}

/** A decorator of parameters that are read from the request. What it throws is refused before any input is looked at. */
export function readBy(
  read: (request: LodeRequest, reply: FastifyReply, route: RouteName) => unknown,
): () => ParameterDecorator {
  return () => comesFrom({ kind: 'request', read });
}

/** The request itself. */
export const Req = readBy((request) => request);

/** The reply. Its method sends the answer itself, unless the reply is passed through. */
export function Res({ passthrough = false }: { readonly passthrough?: boolean } = {}): ParameterDecorator {
  return comesFrom({ kind: 'reply', isOnlyAdded: passthrough });
}

/** Where the router has led a request. The framework would put that together anew whenever it is asked. */
export function routedTo(
  request: Pick<FastifyRequest, 'routed' | 'routeOptions'>,
): FastifyRequest['routeOptions'] {
  return (request.routed ??= request.routeOptions);
}

/** The route of the contract that answers a request; undefined when none does. */
export function routeOf(request: FastifyRequest): RouteDeclaration | undefined {
  const { route } = routedTo(request).config;
  return route && routes[route];
}

/** The name of a scheme is not told by its case (RFC 9110). */
const BEARER = /^Bearer +(.*)$/i;

/** The access token that a request comes with. */
export function bearerOf({ headers }: FastifyRequest): string | undefined {
  return BEARER.exec(headers.authorization ?? '')?.[1];
}

type Declared<Name extends RouteName> = (typeof routes)[Name];
type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : never;

/** The validated body, path or query of a route. */
export type BodyOf<Name extends RouteName> = Declared<Name> extends { body: infer S } ? Output<S> : never;
export type ParamsOf<Name extends RouteName> = Declared<Name> extends { params: infer S } ? Output<S> : never;
export type QueryOf<Name extends RouteName> = Declared<Name> extends { query: infer S } ? Output<S> : never;

/** The answer that a route of the contract promises. */
export type AnswerOf<Name extends RouteName> = Declared<Name> extends { answer: infer S } ? Output<S> : never;

/** The body of a route, validated by its own schema. */
export function BodyOf(name: RouteName): ParameterDecorator {
  return inputFrom(name, 'body');
}

/** The path parameters of a route, validated by its own schema. */
export function ParamsOf(name: RouteName): ParameterDecorator {
  return inputFrom(name, 'params');
}

/** The query of a route, validated by its own schema. */
export function QueryOf(name: RouteName): ParameterDecorator {
  return inputFrom(name, 'query');
}

function inputFrom(name: RouteName, part: 'body' | 'params' | 'query'): ParameterDecorator {
  const route: RouteDeclaration = routes[name];
  const schema = route[part];
  if (schema === undefined) throw new Error(`route ${name} declares no ${part}`);
  return comesFrom({ kind: 'input', part, schema: part === 'params' ? schema : inputOf(route, part) });
}

/** Whoever is signed in; the guard has made sure that somebody is. */
export const Caller = readBy(({ caller }): Session => {
  if (caller === undefined) throw new Error('a route without a session asked for its caller');
  return caller;
});
