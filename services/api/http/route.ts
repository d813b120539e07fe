import {
  applyDecorators,
  Body,
  createParamDecorator,
  HttpCode,
  Param,
  Query,
  RequestMapping,
  RequestMethod,
  SetMetadata,
  type ExecutionContext,
} from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { z } from 'zod';
import type { Session } from '#application';
import { inputOf, routes, type Route as RouteDeclaration, type RouteName } from '#contracts';
import type { FastifyRequest } from 'fastify';
import { ofWatchers } from './rate-limits.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Which route of the contract it is. */
    route?: RouteName;
  }
  interface FastifyRequest {
    routed?: FastifyRequest['routeOptions'];
  }
}

/** Where the guard finds which route of the contract a handler answers. */
export const ROUTE = 'lode:route';

/** A request after the guard has seen it. */
export type LodeRequest = FastifyRequest & { caller?: Session };

/** Makes a method the answer to a route of the contract: its path, its status and who may call it come from there. */
export function Route(name: RouteName): MethodDecorator {
  const { method, path, status, uncounted }: RouteDeclaration = routes[name];
  return applyDecorators(
    RequestMapping({ method: RequestMethod[method], path }),
    HttpCode(status),
    SetMetadata(ROUTE, name),
    RouteConfig({ route: name, ...(uncounted === true ? { rateLimit: ofWatchers } : {}) }),
  );
}

/** Where the router has led a request. The framework would put that together anew whenever it is asked. */
export function routedTo(request: FastifyRequest): FastifyRequest['routeOptions'] {
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
  return Body({ schema: schemaOf(name, 'body') });
}

/** The path parameters of a route, validated by its own schema. */
export function ParamsOf(name: RouteName): ParameterDecorator {
  return Param({ schema: schemaOf(name, 'params') });
}

/** The query of a route, validated by its own schema. */
export function QueryOf(name: RouteName): ParameterDecorator {
  return Query({ schema: schemaOf(name, 'query') });
}

function schemaOf(name: RouteName, part: 'body' | 'params' | 'query'): z.ZodType {
  const route: RouteDeclaration = routes[name];
  const schema = route[part];
  if (schema === undefined) throw new Error(`route ${name} declares no ${part}`);
  return part === 'params' ? schema : inputOf(route, part);
}

/** Whoever is signed in; the guard has made sure that somebody is. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): Session => {
  const { caller } = context.switchToHttp().getRequest<LodeRequest>();
  if (caller === undefined) throw new Error('a route without a session asked for its caller');
  return caller;
});
