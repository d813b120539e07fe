import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { errorCodes } from '#kernel';
import { vary } from '../http/answers.js';
import { preferredType } from '../http/negotiate.js';
import { statusOf } from '../http/status.js';
import { meanings } from './meanings.js';
import { openApiDocument } from './openapi.js';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Lode API</title>
<link rel="stylesheet" href="/api/docs/assets/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/api/docs/assets/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script>
</body>
</html>
`;
const START = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#swagger-ui', deepLinking: true });\n`;
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** What each code means, at the place that the `type` of its problems leads to. */
function errorsPage(): string {
  const rows = errorCodes.map(
    (code) =>
      `<dt id="${code}"><code>${code}</code> (${statusOf[code]})</dt>\n<dd>${htmlOf(meanings[code])}</dd>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Error codes of the Lode API</title>
<style>
dt { margin-top: 1em }
:target { background: Mark; color: MarkText }
</style>
</head>
<body>
<h1>Error codes</h1>
<dl>
${rows.join('\n')}
</dl>
</body>
</html>
`;
}

/** A sentence with its Markdown as HTML: names of code, and links, whose words are left. */
function htmlOf(sentence: string): string {
  const text = sentence.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return text.replace(/`([^`]+)`/g, '<code>$1</code>').replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');
}

/** Serves the OpenAPI document, a page to read and try it, and the list of error codes. */
export async function serveDocs(fastify: FastifyInstance, version: string): Promise<void> {
  // Made for who asks first: most programs are never asked.
  let document: string | undefined;
  const ui = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  await fastify.register(fastifyStatic, {
    root: ui,
    prefix: '/api/docs/assets/',
    decorateReply: false,
    allowedPath: (path) => /^\/swagger-ui(?:-bundle\.js|\.css)$/.test(path),
  });
  fastify.get('/api/openapi.json', (_, reply) =>
    reply
      .type('application/json; charset=utf-8')
      .send((document ??= JSON.stringify(openApiDocument(version)))),
  );
  fastify.get('/api/docs', (_, reply) =>
    reply.header('Content-Security-Policy', POLICY).type('text/html; charset=utf-8').send(PAGE),
  );
  fastify.get('/api/docs/start.js', (_, reply) => reply.type('text/javascript; charset=utf-8').send(START));
  fastify.get('/api/docs/errors', (request, reply) => {
    vary(reply, 'Accept');
    if (preferredType(request.headers.accept, ['application/json', 'text/html']) === 'text/html')
      return reply
        .header('Content-Security-Policy', POLICY)
        .type('text/html; charset=utf-8')
        .send(errorsPage());
    return reply
      .type('application/json; charset=utf-8')
      .send(errorCodes.map((code) => ({ code, status: statusOf[code], meaning: meanings[code] })));
  });
}
