import type { FastifyRequest } from 'fastify';
import type { Client } from '#application';

/** Where a request comes from and with what. */
export function clientOf(request: FastifyRequest): Client {
  return { address: request.ip, agent: request.headers['user-agent'] ?? '' };
}
