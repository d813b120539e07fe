import type { FastifyReply } from 'fastify';
import type { OpenedFile } from '#application';

/** Who may keep a copy: `public` is everyone, and for ever, because a file never changes. */
const CACHE = { public: 'public, max-age=31536000, immutable', private: 'private, no-store' } as const;

/** Answers with a stored file. Whatever a browser is told about it, it can run nothing and load nothing. */
export async function sendFile(
  reply: FastifyReply,
  { file: { fileId, mediaType, bytes, sha256 }, content }: OpenedFile,
  cache: keyof typeof CACHE,
): Promise<void> {
  const disposition = mediaType === 'application/pdf' ? 'attachment' : 'inline';
  await reply
    .header('Content-Type', mediaType)
    .header('Content-Length', String(bytes))
    .header('Content-Disposition', `${disposition}; filename="${fileId}.${mediaType.split('/')[1] ?? 'bin'}"`)
    .header('Content-Security-Policy', "default-src 'none'; sandbox")
    .header('Cross-Origin-Resource-Policy', 'same-origin')
    .header('Cache-Control', CACHE[cache])
    .header('ETag', `"${sha256}"`)
    .send(content);
}
