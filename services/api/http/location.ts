import type { FastifyInstance } from 'fastify';
import { routes, type Route } from '#contracts';
import type { LodeRequest } from './route.js';

const CREATED = 201;

const locationAt: ReadonlyMap<string, string> = new Map(
  Object.values<Route>(routes).flatMap(({ method, path, location }) =>
    location === undefined ? [] : [[`${method} ${path}`, location] as const],
  ),
);

/** Tells where it is that a request has made, as the contract's table has it. */
export function tellLocations(fastify: Pick<FastifyInstance, 'addHook'>): void {
  fastify.addHook('preSerialization', (request: LodeRequest, reply, payload: unknown, done) => {
    const { caller, method, routeOptions } = request;
    const location = locationAt.get(`${method} ${routeOptions.url ?? ''}`);
    if (location !== undefined && reply.statusCode === CREATED && typeof payload === 'object')
      void reply.header('Location', filled(location, { userId: caller?.userId, ...payload }));
    done(null, payload);
  });
}

/** An address with its parameters filled in; one that is a parameter alone is the address that the value is. */
function filled(location: string, values: Readonly<Record<string, unknown>>): string {
  const valueOf = (name: string) => (typeof values[name] === 'string' ? values[name] : '');
  if (location.startsWith(':')) return valueOf(location.slice(1));
  return location.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(valueOf(name)));
}
