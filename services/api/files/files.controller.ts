import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { filePath, type FileAnswer } from '#contracts';
import { createUploads, fileNotFound, type FileMetadata, type FilePurpose, type Uploads } from '#files';
import type { Session } from '#identity';
import { LodeError } from '#kernel';
import { accountStream } from '#ledger';
import type { Document } from '#read-store';
import { LEDGER, type Ledger } from '../commands/ledger.js';
import { ENGINES, type Engines } from '../engines.js';
import { Caller, ParamsOf, Route } from '../http/route.js';
import { receiveForm } from './form.js';
import { sendFile } from './send.js';

/** A name is its file's id and the ending of what all images are encoded in. */
const ENDING = '.webp';

/** What is no file's id. */
const NO_FILE = '';

/** What of a person's document says which image is the current one. */
type WithImage = Document & { readonly image?: { readonly fileId: string } | null };

/** Where a new file can be fetched; a person's image is there once the profile names it. */
const urlOf: Readonly<Record<FilePurpose, (file: FileMetadata) => string>> = {
  evidence: ({ fileId }) => filePath.evidence(fileId),
  'product-image': ({ fileId }) => filePath.product(fileId),
  'product-recommended': ({ fileId }) => filePath.recommended(fileId),
  'profile-image': ({ ownerId }) => filePath.profileImage(ownerId),
};

/** Files: uploaded before the command that names them; read by their owner and by admins, images of products by everyone. */
@Controller()
export class FilesController {
  private readonly uploads: Uploads;

  constructor(
    @Inject(ENGINES) private readonly engines: Engines,
    @Inject(LEDGER) private readonly ledger: Ledger,
  ) {
    this.uploads = createUploads(engines.files);
  }

  @Route('uploadEvidence')
  uploadEvidence(@Req() request: FastifyRequest, @Caller() caller: Session): Promise<FileAnswer> {
    return this.take(request, caller, 'evidence');
  }

  @Route('uploadProductImage')
  uploadProductImage(@Req() request: FastifyRequest, @Caller() caller: Session): Promise<FileAnswer> {
    return this.take(request, caller, 'product-image');
  }

  @Route('uploadRecommendedImage')
  uploadRecommendedImage(@Req() request: FastifyRequest, @Caller() caller: Session): Promise<FileAnswer> {
    return this.take(request, caller, 'product-recommended');
  }

  @Route('uploadProfileImage')
  uploadProfileImage(@Req() request: FastifyRequest, @Caller() caller: Session): Promise<FileAnswer> {
    return this.take(request, caller, 'profile-image');
  }

  @Route('file')
  async file(
    @ParamsOf('file') { fileId }: ParamsOf<'file'>,
    @Caller() caller: Session,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const file = await this.engines.files.stat(fileId);
    if (!mayRead(caller, file)) throw fileNotFound();
    await sendFile(reply, this.engines.files, file, 'private');
  }

  @Route('evidenceFile')
  async evidenceFile(
    @ParamsOf('evidenceFile') { fileId }: ParamsOf<'evidenceFile'>,
    @Caller() caller: Session,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const file = await this.engines.files.stat(fileId);
    if (file.purpose !== 'evidence' || !mayRead(caller, file)) throw fileNotFound();
    await sendFile(reply, this.engines.files, file, 'private');
  }

  @Route('productImage')
  productImage(
    @ParamsOf('productImage') { name }: ParamsOf<'productImage'>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.sendPublic(reply, name, 'product-image');
  }

  @Route('recommendedImage')
  recommendedImage(
    @ParamsOf('recommendedImage') { name }: ParamsOf<'recommendedImage'>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.sendPublic(reply, name, 'product-recommended');
  }

  @Route('profileImage')
  async profileImage(
    @ParamsOf('profileImage') { userId }: ParamsOf<'profileImage'>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const account = await this.engines.readStore.get<WithImage>('accounts', userId);
    const file = await this.engines.files.stat(account?.image?.fileId ?? NO_FILE);
    await sendFile(reply, this.engines.files, file, 'private');
  }

  private async take(
    request: FastifyRequest,
    { userId }: Session,
    purpose: FilePurpose,
  ): Promise<FileAnswer> {
    const file = await receiveForm(request, this.engines.files, purpose, (content) =>
      this.uploads.take(content, { ownerId: userId, purpose }),
    );
    const { fileId, mediaType, bytes, sha256 } = file;
    const { state } = await this.ledger.accounts.load(accountStream(userId));
    if (state.kind === 'open' && state.status === 'closed') {
      // Its owner was forgotten while it came, and the erasure may have looked for files before it was there.
      await this.engines.files.delete(fileId);
      throw new LodeError('token_invalid', 'This account is closed.');
    }
    const url = urlOf[purpose](file);
    return { fileId, mediaType, bytes, sha256, url, message: 'Data submitted successfully!' };
  }

  private async sendPublic(reply: FastifyReply, name: string, purpose: FilePurpose): Promise<void> {
    const file = await this.engines.files.stat(name.slice(0, -ENDING.length));
    if (file.purpose !== purpose) throw fileNotFound();
    await sendFile(reply, this.engines.files, file, 'public');
  }
}

/** To anybody else a file is one that there is not. */
function mayRead(caller: Session, { ownerId }: FileMetadata): boolean {
  return caller.role === 'admin' || ownerId === caller.userId;
}
