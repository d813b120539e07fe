import type { FastifyInstance } from 'fastify';
import { LodeError } from '#kernel';

/** Refuses a body that came compressed: it would have to be unpacked before anybody knew how large it is. */
export function refuseEncodings(fastify: Pick<FastifyInstance, 'addHook'>): void {
  fastify.addHook('onRequest', ({ headers }, reply, done) => {
    const coding = headers['content-encoding'];
    if (coding === undefined || coding.trim().toLowerCase() === 'identity') {
      done();
      return;
    }
    // What would be taken (RFC 9110, 15.5.16).
    void reply.header('Accept-Encoding', 'identity');
    done(new LodeError('content_encoding', 'The body must be sent as it is, not compressed.'));
  });
}
