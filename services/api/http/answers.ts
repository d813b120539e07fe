import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { matchesTag, preferredCoding } from './negotiate.js';
import { routedTo, routeOf } from './route.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The answers hold tokens: they are never compressed. */
    secret?: true;
  }
}

/** Smaller answers are sent as they are, in bytes. */
const COMPRESSED_MIN = 1_024;
/** Beyond it each byte that is saved costs much more time. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const TEXTS =
  /^(?:text\/(?!event-stream)|application\/(?:[\w.+-]*[+/])?(?:json|x-ndjson|javascript)\b|image\/svg)/;
const NOT_MODIFIED = 304;
const OK = 200;

/** In the order in which they are chosen where a client takes several alike. Both work beside the event loop. */
const codings = {
  br: { whole: promisify(brotliCompress), stream: () => createBrotliCompress(BROTLI), options: BROTLI },
  gzip: { whole: promisify(gzip), stream: () => createGzip(), options: {} },
} as const;
const offers = ['br', 'gzip'] as const satisfies readonly (keyof typeof codings)[];

/**
 * Gives answers of JSON to queries a tag, and answers 304 to whoever has that already; compresses texts of 1 KiB and more,
 * whole or while they are made, for whoever takes that. Never what holds a token, nor what others have compressed.
 */
export function finishAnswers(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload === 'string' && isTagged(request, reply)) {
      const etag = tagOf(payload);
      void reply.header('ETag', etag);
      if (matchesTag(request.headers['if-none-match'], etag)) {
        void reply.status(NOT_MODIFIED).removeHeader('Content-Length').removeHeader('Content-Type');
        done(null, null);
        return;
      }
    }
    if (lengthOf(reply, payload) < COMPRESSED_MIN || !isCompressible(request, reply)) done(null, payload);
    else compress(request, reply, payload).then((sent) => done(null, sent), done);
  });
}

/** Pages have a nonce, which is no other answer's. */
function isTagged(request: FastifyRequest, reply: FastifyReply): boolean {
  if (reply.statusCode !== OK || !['GET', 'HEAD'].includes(request.method)) return false;
  const { secret, uncounted } = routeOf(request) ?? {};
  return secret !== true && uncounted !== true && /json/.test(String(reply.getHeader('content-type')));
}

/** Weak, because the same content can come in several codings. */
function tagOf(content: string): string {
  return `W/"${createHash('sha256').update(content).digest('base64url')}"`;
}

function isCompressible(request: FastifyRequest, reply: FastifyReply): boolean {
  if (routeOf(request)?.secret === true || routedTo(request).config.secret === true) return false;
  if (reply.hasHeader('content-encoding') || reply.hasHeader('content-range')) return false;
  return TEXTS.test(String(reply.getHeader('content-type')));
}

/** In bytes. Of a list that is made while it is sent nobody knows it. */
function lengthOf(reply: FastifyReply, payload: unknown): number {
  if (isWhole(payload)) return Buffer.byteLength(payload);
  return Number(reply.getHeader('content-length') ?? Infinity);
}

function isWhole(payload: unknown): payload is string | Buffer {
  return typeof payload === 'string' || Buffer.isBuffer(payload);
}

async function compress(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  vary(reply, 'Accept-Encoding');
  const coding = preferredCoding(request.headers['accept-encoding']?.toString(), offers);
  if (coding === undefined || request.method === 'HEAD') return payload;
  const { whole, stream, options } = codings[coding];
  if (isWhole(payload)) {
    void reply.header('Content-Encoding', coding).removeHeader('Content-Length');
    return whole(payload, options);
  }
  if (!(payload instanceof Readable)) return payload;
  void reply.header('Content-Encoding', coding).removeHeader('Content-Length');
  // Either's end is the other's: a list that breaks off cuts the connection, a client that goes ends the list.
  return pipeline(payload, stream(), () => undefined);
}

/** Says that the answer depends on a header of the request. */
export function vary(reply: FastifyReply, name: string): void {
  const said = String(reply.getHeader('vary') ?? '');
  if (said.toLowerCase().split(', ').includes(name.toLowerCase())) return;
  void reply.header('Vary', said === '' ? name : `${said}, ${name}`);
}
