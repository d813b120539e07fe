import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import '@fastify/multipart';
import type { Session } from '#identity';
import { LodeError } from '#kernel';
import { ENGINES, type Engines } from '../engines.js';
import { Caller, ParamsOf, Route, type AnswerOf } from '../http/route.js';

/** Payment evidence: uploaded before the request that names it, read by its owner and by admins. */
@Controller()
export class FilesController {
  constructor(@Inject(ENGINES) private readonly engines: Engines) {}

  @Route('uploadEvidence')
  async upload(@Req() request: FastifyRequest, @Caller() { userId }: Session): Promise<AnswerOf<'uploadEvidence'>> {
    const file = await request.file();
    if (file === undefined) throw new LodeError('file_missing', 'Please enter a valid upload payment evidence.');
    const { fileId, mediaType, bytes, sha256 } = await this.engines.files.put(file.file, { ownerId: userId });
    return { fileId, mediaType, bytes, sha256, message: 'Data submitted successfully!' };
  }

  @Route('file')
  async file(
    @ParamsOf('file') { fileId }: ParamsOf<'file'>,
    @Caller() caller: Session,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { ownerId, mediaType, bytes, sha256 } = await this.engines.files.stat(fileId);
    if (caller.role !== 'admin' && ownerId !== caller.userId) throw new LodeError('file_not_found', 'There is no such file.');
    const { stream } = await this.engines.files.open(fileId);
    const disposition = mediaType === 'application/pdf' ? 'attachment' : 'inline';
    await reply
      .header('Content-Type', mediaType)
      .header('Content-Length', String(bytes))
      .header('Content-Disposition', `${disposition}; filename="${fileId}.${mediaType.split('/')[1] ?? 'bin'}"`)
      .header('Content-Security-Policy', "default-src 'none'; sandbox")
      .header('ETag', `"${sha256}"`)
      .send(stream);
  }
}
