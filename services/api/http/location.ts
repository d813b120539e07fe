import type { FastifyInstance } from 'fastify';
import { routeOf, type LodeRequest } from './route.js';

const CREATED = 201;

/** Tells where it is that a request has made, as the contract's table has it. */
export function tellLocations(fastify: Pick<FastifyInstance, 'addHook'>): void {
  fastify.addHook('preSerialization', (request: LodeRequest, reply, payload: unknown, done) => {
    const location = reply.statusCode === CREATED ? routeOf(request)?.location : undefined;
    if (location !== undefined && hasMembers(payload))
      void reply.header(
        'Location',
        filled(location, (name) =>
          name in payload ? payload[name] : name === 'userId' && request.caller?.userId,
        ),
      );
    done(null, payload);
  });
}

function hasMembers(payload: unknown): payload is Readonly<Record<string, unknown>> {
  return typeof payload === 'object' && payload !== null;
}

/** An address with its parameters filled in; one that is a parameter alone is the address that the value is. */
function filled(location: string, valueOf: (name: string) => unknown): string {
  const textOf = (name: string) => {
    const value = valueOf(name);
    return typeof value === 'string' ? value : '';
  };
  if (location.startsWith(':')) return textOf(location.slice(1));
  const segments = location.split('/');
  return segments
    .map((segment) => (segment.startsWith(':') ? encodeURIComponent(textOf(segment.slice(1))) : segment))
    .join('/');
}
