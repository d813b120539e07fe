import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isPage } from '#contracts';
import { LodeError } from '#kernel';

/** Files under here have their content's hash in their name and never change. */
const ASSETS = 'assets';
const NONCE_BYTES = 16;

/** What the front end's document says where the server puts the response's nonce. */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';

/** Addresses that are never a page: an unknown one of these is a problem document. */
const NOT_PAGES = /^\/(?:api|files|health|metrics)(?:\/|$)/;

/** Headers of every page: nothing from elsewhere, no inline script, no framing. */
function pageHeaders(nonce: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-cache',
    'Referrer-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  };
}

/**
 * Serves the built front end from `folder`: its files as they are, `/` the site, every other page the app. Somebody who
 * goes to an address that is no page gets the app too, which says so; whatever else asks for one a problem document.
 */
export async function servePages(fastify: FastifyInstance, folder: string): Promise<void> {
  const page = (name: string) =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';
  const site = page('index.html');
  const app = page('app.html');

  const send = (reply: FastifyReply, html: string) => {
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    return reply.headers(pageHeaders(nonce)).send(html.replaceAll(NONCE_PLACEHOLDER, nonce));
  };

  await fastify.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    preCompressed: true,
    globIgnore: ['**/*.html', '**/*.html.*'],
    setHeaders: (response, path) => {
      response.header('X-Content-Type-Options', 'nosniff');
      response.header(
        'Cache-Control',
        path.includes(`/${ASSETS}/`) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      );
    },
  });
  fastify.get('/', (_, reply) => send(reply, site));
  fastify.get('/*', (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const isThere = isPage(path);
    if (app === '' || NOT_PAGES.test(path) || !(isThere || isNavigation(request))) {
      throw new LodeError('route_not_found', 'There is nothing at this address.');
    }
    return send(reply.status(isThere ? 200 : 404), app);
  });
}

/** Whether somebody goes to an address, rather than a page or a program asking for a part of something. */
function isNavigation({ headers }: FastifyRequest): boolean {
  const mode = headers['sec-fetch-mode'];
  return mode === undefined ? (headers.accept ?? '').includes('text/html') : mode === 'navigate';
}
