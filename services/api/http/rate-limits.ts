import fastifyRateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '#application';
import { LodeError } from '#kernel';
import { isFromHere } from './here.js';

const WINDOW_SECONDS = 60;

/**
 * Of one network in a minute, of each route that others watch Lode by: many programs that ask each second, and no flood.
 * What is asked from this machine is not counted.
 */
const WATCHES_PER_MINUTE = 600;
export const ofWatchers = {
  max: WATCHES_PER_MINUTE,
  timeWindow: WINDOW_SECONDS * 1_000,
  allowList: isFromHere,
  addHeadersOnExceeding: {
    'x-ratelimit-limit': false,
    'x-ratelimit-remaining': false,
    'x-ratelimit-reset': false,
  },
};

/**
 * Bounds the requests of one network in a minute, but for routes with a bound of their own. Each answer to one that counts
 * says how many are left, in the fields of draft-ietf-httpapi-ratelimit-headers; who is refused is told in those of before too.
 */
export async function limitRequests(fastify: FastifyInstance, perMinute: number): Promise<void> {
  await fastify.register(fastifyRateLimit, {
    global: false,
    max: perMinute,
    keyGenerator: (request) => networkOf(request.ip),
    timeWindow: WINDOW_SECONDS * 1_000,
    errorResponseBuilder: (_, { ttl }) => tooMany(ttl),
  });
  const count = fastify.createRateLimit();
  const policy = `"network";q=${perMinute};w=${WINDOW_SECONDS}`;

  // The plugin's own hook says it in its own words, which would have to be taken out of each answer again.
  const limit = async (request: FastifyRequest, reply: FastifyReply) => {
    const counted = await count(request);
    if (counted.isAllowed) return;
    const { max, remaining, ttl, ttlInSeconds, isExceeded } = counted;
    void reply
      .header('RateLimit-Policy', policy)
      .header('RateLimit', `"network";r=${remaining};t=${ttlInSeconds}`);
    if (!isExceeded) return;
    void reply
      .header('X-RateLimit-Limit', max)
      .header('X-RateLimit-Remaining', remaining)
      .header('X-RateLimit-Reset', ttlInSeconds);
    throw tooMany(ttl);
  };
  fastify.addHook('onRoute', (route) => {
    if (route.config?.rateLimit === undefined) route.onRequest = [...[route.onRequest ?? []].flat(), limit];
  });
}

function tooMany(ttlMs: number): LodeError {
  return new LodeError('rate_limited', 'Too many requests. Wait a little and try again.', {
    retryAfterSeconds: ttlMs / 1_000,
  });
}
