import type { FastifyInstance } from 'fastify';
import { PDF_FRAME_PATH } from '#contracts';
import type { BuiltScript } from '#site';

/** It may run its own script and nothing else: load nothing, reach nothing, go nowhere, and be shown by this site's pages alone. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    // As its frame has it, for whoever opens the address itself.
    'sandbox allow-scripts',
  ].join('; ');
}

/** Serves the document that draws PDFs. It has no origin: a page reaches it, and it a page, by messages alone. */
export function servePdfFrame(
  fastify: FastifyInstance,
  { script }: BuiltScript,
  newNonce: () => string,
): void {
  fastify.get(PDF_FRAME_PATH, (_, reply) => {
    const nonce = newNonce();
    return reply
      .headers({
        'Content-Security-Policy': policy(nonce),
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'no-referrer',
        'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
      })
      .send(
        `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>PDF</title>
<script type="module" crossorigin nonce="${nonce}" src="${script}"></script>
</head>
<body></body>
</html>
`,
      );
  });
}
