import type { FastifyRequest } from 'fastify';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The UUID in `X-Correlation-Id` that a request's commands are to have in common; undefined where it has none. */
export function correlationSent({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const header = headers['x-correlation-id'];
  return typeof header === 'string' && UUID.test(header) ? header : undefined;
}
