import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** What the clients send beside a body's type: their version, and what they know of the application and its language. */
const HEADERS = [
  'Content-Type',
  'X-Client-Version',
  'X-Firebase-AppCheck',
  'X-Firebase-Client',
  'X-Firebase-gmpid',
  'X-Firebase-Locale',
].join(', ');
/** How long a browser need not ask again, in seconds. */
const ASK_AGAIN_SECONDS = 600;

/**
 * Lets pages of these origins call what is served here. Nothing here goes by a cookie, so that a page gains nothing but
 * what its own script knows: credentials are not allowed along. To every other page the browser says no.
 */
export function allowOrigins(served: FastifyInstance, origins: readonly string[]): void {
  served.addHook('onRequest', (request, reply, done) => {
    tellOrigin(request, reply, origins);
    done();
  });
}

/** Says in an answer whether the page that asks may read it. */
export function tellOrigin(
  { headers: { origin } }: FastifyRequest,
  reply: FastifyReply,
  origins: readonly string[],
): void {
  if (origins.length === 0) return;
  void reply.header('Vary', 'Origin');
  if (origin !== undefined && origins.includes(origin))
    void reply.header('Access-Control-Allow-Origin', origin);
}

/** Answers a browser that asks, before a page's request, whether it may send it. */
export async function answerPreflight(_: FastifyRequest, reply: FastifyReply): Promise<void> {
  await reply
    .status(204)
    .headers({
      'Access-Control-Allow-Methods': 'GET, POST',
      'Access-Control-Allow-Headers': HEADERS,
      'Access-Control-Max-Age': ASK_AGAIN_SECONDS,
    })
    .send();
}
