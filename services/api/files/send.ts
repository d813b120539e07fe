import type { FastifyReply } from 'fastify';
import type { OpenedFile } from '#application';
import { matchesTag } from '../http/negotiate.js';
import { rangeIn } from './range.js';

const PARTIAL = 206;
const NOT_MODIFIED = 304;

/** Who may keep a copy: `public` is everyone, and for ever, because a file never changes. */
const CACHE = { public: 'public, max-age=31536000, immutable', private: 'private, no-store' } as const;

/** Answers with a stored file, or with the bytes of it that the request asks for. Whatever a browser is told about it, it can run nothing and load nothing. */
export async function sendFile(
  reply: FastifyReply,
  { file: { fileId, mediaType, bytes, sha256 }, open }: OpenedFile,
  cache: keyof typeof CACHE,
): Promise<void> {
  const etag = `"${sha256}"`;
  const known = { 'Cache-Control': CACHE[cache], ETag: etag };
  if (matchesTag(reply.request.headers['if-none-match'], etag)) {
    await reply.status(NOT_MODIFIED).headers(known).send();
    return;
  }
  // Of bytes that it doesn't have, the answer says how many there are.
  reply.header('Content-Range', `bytes */${bytes}`);
  const range = rangeIn(reply.request.headers, { bytes, etag });
  reply.removeHeader('Content-Range');
  const content = await open(range);
  const disposition = mediaType === 'application/pdf' ? 'attachment' : 'inline';
  // Not awaited: it would wait until the answer is sent.
  void reply
    .header('Content-Type', mediaType)
    .header('Accept-Ranges', 'bytes')
    .header('Content-Length', String(range === undefined ? bytes : range.last - range.first + 1))
    .header('Content-Disposition', `${disposition}; filename="${fileId}.${mediaType.split('/')[1] ?? 'bin'}"`)
    .header('Content-Security-Policy', "default-src 'none'; sandbox")
    .header('Cross-Origin-Resource-Policy', 'same-origin')
    .headers(known);
  if (range !== undefined)
    reply.code(PARTIAL).header('Content-Range', `bytes ${range.first}-${range.last}/${bytes}`);
  await reply.send(content);
}
