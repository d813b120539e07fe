import { StreamableFile, type Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { routes, type Route, type RouteName } from '#contracts';
import { validated } from './input.js';
import { ProblemFilter } from './problem.filter.js';
import { ofWatchers } from './rate-limits.js';
import { RouteGuard } from './route.guard.js';
import { answersOf, type LodeRequest, type Source } from './route.js';

type Method = (...given: readonly unknown[]) => unknown;
type Serving = {
  readonly app: NestFastifyApplication;
  readonly guard: RouteGuard;
  readonly problems: ProblemFilter;
};

/**
 * Serves the routes of the contract by the methods of controllers, straight on the HTTP server: Nest makes the controllers,
 * and what its router would do for each request besides, nobody here has asked for. Before the application is started.
 */
export function serveRoutes(app: NestFastifyApplication, controllers: readonly Type<object>[]): void {
  const problems = app.get(ProblemFilter);
  const serving = { app, guard: app.get(RouteGuard), problems };
  const fastify = app.getHttpAdapter().getInstance();
  for (const controller of controllers) {
    const instance = app.get<object>(controller);
    for (const { name, method, sources } of answersOf(controller.prototype as object)) {
      const { method: verb, path, uncounted }: Route = routes[name];
      const answer = (Reflect.get(instance, method) as Method).bind(instance);
      fastify.route<{ Params: Readonly<Record<string, string>> }>({
        method: verb,
        url: path,
        config: { route: name, ...(uncounted === true ? { rateLimit: ofWatchers } : {}) },
        errorHandler: (error, request, reply) => problems.answer(error, request, reply),
        handler: handlerOf(name, answer, sources, serving),
      });
    }
  }
}

/** Lets a request in, answers it, and sends what comes of it. Nothing is waited for that is there already. */
function handlerOf(
  name: RouteName,
  answer: Method,
  sources: readonly Source[],
  { app, guard, problems }: Serving,
) {
  const { status, path }: Route = routes[name];
  const isSentByItself = sources.some((source) => source.kind === 'reply' && !source.isOnlyAdded);
  const argumentsOf = argumentsFrom(name, sources);
  const send = (reply: FastifyReply, payload: unknown): void => {
    if (isSentByItself) return;
    if (payload instanceof StreamableFile) void app.getHttpAdapter().reply(reply, payload);
    else void reply.send(payload);
  };
  const answered = (request: LodeRequest, reply: FastifyReply): void | Promise<void> => {
    void reply.status(status);
    const payload = answer(...argumentsOf(request, reply));
    if (payload instanceof Promise) return payload.then((known) => send(reply, known));
    send(reply, payload);
    return undefined;
  };
  const hasParameters = path.includes(':');
  return (request: LodeRequest, reply: FastifyReply): void => {
    // An address with nothing in the place of a parameter is another one.
    if (hasParameters && Object.values(request.params as Readonly<Record<string, string>>).includes('')) {
      reply.callNotFound();
      return;
    }
    try {
      const admitted = guard.admit(name, request, reply);
      const done =
        admitted === undefined ? answered(request, reply) : admitted.then(() => answered(request, reply));
      done?.catch((error: unknown) => problems.answer(error, request, reply));
    } catch (error) {
      problems.answer(error, request, reply);
    }
  };
}

/** What a method is given. What comes from the head is looked at before any input, and the body before what the address leads to. */
function argumentsFrom(name: RouteName, sources: readonly Source[]) {
  const from = [...sources.entries()];
  const inputs = (['body', 'query', 'params'] as const).flatMap((part) =>
    from.flatMap(([at, source]) =>
      source.kind === 'input' && source.part === part ? [{ at, ...source }] : [],
    ),
  );
  const others = from.flatMap(([at, source]) => (source.kind === 'input' ? [] : [{ at, source }]));
  return (request: LodeRequest, reply: FastifyReply): readonly unknown[] => {
    const given: unknown[] = new Array(sources.length);
    for (const { at, source } of others)
      given[at] = source.kind === 'reply' ? reply : source.read(request, reply, name);
    for (const { at, part, schema } of inputs) given[at] = validated(schema, request[part]);
    return given;
  };
}
