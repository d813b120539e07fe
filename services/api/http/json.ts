import { InvalidInput } from '#application';
import type { FastifyInstance } from 'fastify';

/** A member by which an object could be given another prototype. No route knows it. */
const PROTO = '__proto__';

/** How bodies of JSON are read here: one with a member `__proto__` is refused, or is read without it. */
export function readJson(fastify: FastifyInstance, proto: 'refused' | 'removed'): void {
  const parse = fastify.getDefaultJsonParser(proto === 'refused' ? 'error' : 'remove', 'ignore');
  fastify.removeContentTypeParser('application/json');
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body);
    // Some clients name the type where there is nothing to send.
    if (text === '') {
      done(null, undefined);
      return;
    }
    void parse(request, text, (error, value) => {
      if (error === null) done(null, value);
      else done(isJson(text) ? unknownProto() : error);
    });
  });
}

/** The parser refuses `__proto__` in the same words as what is not JSON. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function unknownProto(): InvalidInput {
  return new InvalidInput([{ path: '', message: `The request must not have ${PROTO}.` }]);
}
