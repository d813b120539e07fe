import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Bus } from '#application';
import { isPage, sitePageAt } from '#contracts';
import { LodeError, plainFailure } from '#kernel';
import { matchesTag } from '../http/negotiate.js';
import type { ApiSettings } from '../settings.js';
import { pdfFrameIn, siteAssetsIn } from './assets.js';
import { servePdfFrame } from './pdf-frame.js';
import { createSite, type Site, type SiteText } from './site.js';

/** Files under here have their content's hash in their name and never change. */
const ASSETS = 'assets';
/** Where the scripts are that decode scans within PDFs. */
const PDF_DECODERS = `/${ASSETS}/pdfjs-`;
const NONCE_BYTES = 16;
const NOT_MODIFIED = 304;
/** Headers of what is no page. */
const MACHINE = { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' };

/** What the front end's document says where the server puts the response's nonce. */
const NONCE_PLACEHOLDER = '__CSP_NONCE__';

/** Addresses that are never a page: an unknown one of these is a problem document. */
const NOT_PAGES = /^\/(?:api|files|image|health|metrics)(?:\/|$)/;

type Allowed = {
  /** Other styles than the page's own. */
  readonly styles?: string;
  /** Who may show the page within theirs. */
  readonly framedBy?: "'none'" | '*';
  /** What it may show within itself. */
  readonly frames?: "'none'" | "'self'";
};

/** Headers of every page: nothing from elsewhere, no inline script, no framing, but for what is allowed. */
function pageHeaders(allowed: Allowed = {}): Record<string, string> {
  const { styles = '', framedBy = "'none'", frames = "'none'" } = allowed;
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${styles}`,
    "img-src 'self' blob: data:",
    "media-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    `frame-src ${frames}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${framedBy}`,
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-cache',
    'Referrer-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    ...(framedBy === '*' ? {} : { 'X-Frame-Options': 'DENY' }),
  };
}

/**
 * Serves the built front end from `folder`: its files as they are, the site's pages as `site` has them, every other page
 * the app. Somebody who goes to an address that is no page gets the app too, which says so; whatever else asks for one a
 * problem document.
 */
export async function servePages(
  fastify: FastifyInstance,
  {
    folder,
    publicUrl,
    linkWay,
    bus,
  }: { readonly folder: string; readonly bus: Bus } & Pick<ApiSettings, 'publicUrl' | 'linkWay'>,
): Promise<void> {
  const app = existsSync(join(folder, 'app.html')) ? readFileSync(join(folder, 'app.html'), 'utf8') : '';
  const pdfFrame = pdfFrameIn(folder);
  await serveFiles(fastify, folder, [pdfFrame?.script ?? [], pdfFrame?.imports ?? []].flat());
  if (pdfFrame !== undefined) servePdfFrame(fastify, pdfFrame, newNonce);
  const assets = siteAssetsIn(folder);
  const site = assets === undefined ? undefined : createSite(bus, { publicUrl, linkWay, assets });
  if (site !== undefined) serveForMachines(fastify, site);
  fastify.get('/*', async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const asked = sitePageAt(path);
    // The app has no such pages: at their addresses it asks the server again, which would go on for ever.
    if (asked !== undefined && site === undefined)
      throw plainFailure('unavailable', 'The pages of the site were not built.');
    const page = asked === undefined ? undefined : await site?.page(asked.page, asked.name);
    if (page !== undefined) {
      const framedBy = asked?.page === 'widget' ? '*' : "'none'";
      void reply.headers(pageHeaders({ framedBy }));
      if (asked?.page === 'status') void reply.header('Cache-Control', 'no-store');
      return sendText(request, reply, page);
    }
    const isThere = asked === undefined && isPage(path);
    if (app === '' || NOT_PAGES.test(path) || !(isThere || isNavigation(request))) {
      throw new LodeError('route_not_found', 'There is nothing at this address.');
    }
    const nonce = newNonce();
    return reply
      .status(isThere ? 200 : 404)
      .headers(pageHeaders({ styles: ` 'nonce-${nonce}'`, frames: "'self'" }))
      .send(app.replaceAll(NONCE_PLACEHOLDER, nonce));
  });
}

/** What an answer's own scripts or styles are told by, and nothing else's. */
const newNonce = () => randomBytes(NONCE_BYTES).toString('base64');

/** The built files, but for the pages. Scripts of `withoutOrigin` are run by documents that have none, which browsers ask about. */
async function serveFiles(
  fastify: FastifyInstance,
  folder: string,
  withoutOrigin: readonly string[],
): Promise<void> {
  const isOpen = (path: string) =>
    path.includes(PDF_DECODERS) || withoutOrigin.some((script) => path.includes(script));
  await fastify.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    preCompressed: true,
    globIgnore: ['**/*.html', '**/*.html.*'],
    setHeaders: (response, path) => {
      response.header('X-Content-Type-Options', 'nosniff');
      if (isOpen(path)) response.header('Access-Control-Allow-Origin', '*');
      response.header(
        'Cache-Control',
        path.includes(`/${ASSETS}/`) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      );
    },
  });
}

/** What is said to those who read sites by machine. */
function serveForMachines(fastify: FastifyInstance, site: Site): void {
  fastify.get('/robots.txt', (request, reply) =>
    sendText(
      request,
      reply.headers({ ...MACHINE, 'Content-Type': 'text/plain; charset=utf-8' }),
      site.robots(),
    ),
  );
  fastify.get('/sitemap.xml', async (request, reply) =>
    sendText(
      request,
      reply.headers({ ...MACHINE, 'Content-Type': 'application/xml; charset=utf-8' }),
      await site.sitemap(),
    ),
  );
}

/** Sends a text, or that whoever asks has it already. */
function sendText(request: FastifyRequest, reply: FastifyReply, { text, etag }: SiteText): FastifyReply {
  reply.header('ETag', etag);
  if (!matchesTag(request.headers['if-none-match'], etag)) return reply.send(text);
  return reply.status(NOT_MODIFIED).removeHeader('Content-Type').send();
}

/** Whether somebody goes to an address, rather than a page or a program asking for a part of something. */
function isNavigation({ headers }: FastifyRequest): boolean {
  const mode = headers['sec-fetch-mode'];
  return mode === undefined ? (headers.accept ?? '').includes('text/html') : mode === 'navigate';
}
