import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { randomAlphanumeric, type Random } from '#kernel';

/** Where the id of a request stands, in it and in the answer. */
export const REQUEST_ID = 'X-Request-Id';
/** What is taken for a request's id: nothing that could be mistaken in a log for something else. */
const ID = /^[\w.:/+=-]{1,128}$/;
/** Letters and digits of an id of our own. */
const LENGTH = 22;

/** Gives each request an id: the one that it came with, when that is one, or else a new one. */
export function requestIds(random: Random): (request: Pick<IncomingMessage, 'headers'>) => string {
  return ({ headers }) => {
    const given = headers['x-request-id'];
    return typeof given === 'string' && ID.test(given) ? given : randomAlphanumeric(random, LENGTH);
  };
}

/** Says the id of its request in every answer. */
export function tellRequestIds(fastify: Pick<FastifyInstance, 'addHook'>): void {
  fastify.addHook('onRequest', ({ id }, reply, done) => {
    void reply.header(REQUEST_ID, id);
    done();
  });
}
