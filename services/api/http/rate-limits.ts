import fastifyRateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { networkOf } from '#application';
import { LodeError } from '#kernel';
import { isFromHere } from './here.js';

const WINDOW_SECONDS = 60;
const REFUSED = 429;
/** What the plugin says, which only those who are refused are told in its words. */
const [LIMIT, LEFT, RESET] = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const;

/**
 * Of one network in a minute, of each route that others watch Lode by: many programs that ask each second, and no flood.
 * What is asked from this machine is not counted.
 */
const WATCHES_PER_MINUTE = 600;
export const ofWatchers = {
  max: WATCHES_PER_MINUTE,
  timeWindow: WINDOW_SECONDS * 1_000,
  allowList: isFromHere,
};

/**
 * Bounds the requests of one network in a minute. Each answer to one that counts says how many are left, in the fields of
 * draft-ietf-httpapi-ratelimit-headers.
 */
export async function limitRequests(fastify: FastifyInstance, perMinute: number): Promise<void> {
  await fastify.register(fastifyRateLimit, {
    max: perMinute,
    keyGenerator: (request) => networkOf(request.ip),
    timeWindow: WINDOW_SECONDS * 1_000,
    errorResponseBuilder: (_, { ttl }) =>
      new LodeError('rate_limited', 'Too many requests. Wait a little and try again.', {
        retryAfterSeconds: ttl / 1_000,
      }),
  });
  fastify.addHook('onSend', (_, reply, payload, done) => {
    tellLimits(reply);
    done(null, payload);
  });
}

/** Says what is left in the fields of the draft instead of the plugin's; who is refused is told in both. */
export function tellLimits(reply: FastifyReply): void {
  const [limit, left, reset] = [LIMIT, LEFT, RESET].map((name) => reply.getHeader(name));
  if (limit === undefined) return;
  void reply
    .header('RateLimit-Policy', `"network";q=${String(limit)};w=${WINDOW_SECONDS}`)
    .header('RateLimit', `"network";r=${String(left)};t=${String(reset)}`);
  if (reply.statusCode !== REFUSED) for (const name of [LIMIT, LEFT, RESET]) reply.removeHeader(name);
}
