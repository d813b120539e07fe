import { routes, type Route } from '#contracts';
import type { FastifyInstance } from 'fastify';

const limits: ReadonlyMap<string, number> = new Map(
  Object.values<Route>(routes).flatMap(({ method, path, bodyBytesMax }) =>
    bodyBytesMax === undefined ? [] : [[`${method} ${path}`, bodyBytesMax] as const],
  ),
);

/** Gives the routes that declare a limit of their own for their body that limit. Before any route is registered. */
export function limitBodies(fastify: Pick<FastifyInstance, 'addHook'>): void {
  fastify.addHook('onRoute', (options) => {
    const limit = limits.get(`${String(options.method)} ${options.url}`);
    if (limit !== undefined) options.bodyLimit = limit;
  });
}
