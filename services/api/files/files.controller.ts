import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { MultipartFile } from '@fastify/multipart';
import { fileNotFound, type FileMetadata } from '#files';
import type { Session } from '#identity';
import { isLodeError, LodeError } from '#kernel';
import { ENGINES, type Engines } from '../engines.js';
import { Caller, ParamsOf, Route, type AnswerOf } from '../http/route.js';

/** Payment evidence: uploaded before the request that names it, read by its owner and by admins. */
@Controller()
export class FilesController {
  constructor(@Inject(ENGINES) private readonly engines: Engines) {}

  @Route('uploadEvidence')
  async upload(
    @Req() request: FastifyRequest,
    @Caller() { userId }: Session,
  ): Promise<AnswerOf<'uploadEvidence'>> {
    const { fileId, mediaType, bytes, sha256 } = await this.receive(request.files(), userId).catch(
      (error: unknown) => {
        // Nobody reads the rest, and a connection with a request that is half read can be used by nobody and never ends.
        request.raw.unpipe();
        request.raw.resume();
        if (isLodeError(error) || (error instanceof Error && 'code' in error)) throw error;
        throw new LodeError('validation_failed', 'The form did not arrive whole.', {}, { cause: error });
      },
    );
    return { fileId, mediaType, bytes, sha256, message: 'Data submitted successfully!' };
  }

  /** Stores the one file of a form. A form with more is refused, and then nothing of it is kept. */
  private async receive(parts: AsyncIterableIterator<MultipartFile>, ownerId: string): Promise<FileMetadata> {
    const first = await parts.next();
    if (first.done === true)
      throw new LodeError('file_missing', 'Please enter a valid upload payment evidence.');
    const file = await this.engines.files.put(first.value.file, { ownerId, purpose: 'evidence' });
    const hasMore = await parts.next().then(
      (next) => next.done !== true,
      () => true,
    );
    if (!hasMore) return file;
    await this.engines.files.delete(file.fileId);
    throw new LodeError('validation_failed', 'The form holds more than one file.');
  }

  @Route('file')
  async file(
    @ParamsOf('file') { fileId }: ParamsOf<'file'>,
    @Caller() caller: Session,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { ownerId, mediaType, bytes, sha256 } = await this.engines.files.stat(fileId);
    if (caller.role !== 'admin' && ownerId !== caller.userId) throw fileNotFound();
    const { stream } = await this.engines.files.open(fileId);
    const disposition = mediaType === 'application/pdf' ? 'attachment' : 'inline';
    await reply
      .header('Content-Type', mediaType)
      .header('Content-Length', String(bytes))
      .header(
        'Content-Disposition',
        `${disposition}; filename="${fileId}.${mediaType.split('/')[1] ?? 'bin'}"`,
      )
      .header('Content-Security-Policy', "default-src 'none'; sandbox")
      .header('ETag', `"${sha256}"`)
      .send(stream);
  }
}
