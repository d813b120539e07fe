import { Controller } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  Bus,
  fileNotFound,
  OpenFile,
  OpenProfileImage,
  OpenPublicFile,
  sessionContext,
  UploadFile,
  type FilePurpose,
  type Session,
} from '#application';
import type { FileAnswer } from '#contracts';
import { noteShown } from '../http/notes.js';
import { Caller, ParamsOf, Req, Res, Route, type LodeRequest } from '../http/route.js';
import { receiveForm } from './form.js';
import { sendFile } from './send.js';
import { urlOf } from './urls.js';

/** A name is its file's id and the ending of what all images are encoded in. */
const ENDING = '.webp';

/** The ending of a name, whatever it is of. */
const ANY_ENDING = /\.\w+$/;

/** Files: uploaded before the command that names them; read by their owner and by admins, images of products and what the site shows by everyone. */
@Controller()
export class FilesController {
  constructor(private readonly bus: Bus) {}

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

  @Route('uploadSiteMedia')
  uploadSiteMedia(@Req() request: FastifyRequest, @Caller() caller: Session): Promise<FileAnswer> {
    return this.take(request, caller, 'site-media');
  }

  @Route('file')
  async file(
    @ParamsOf('file') { fileId }: ParamsOf<'file'>,
    @Caller() caller: Session,
    @Req() request: LodeRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.show(request, reply, new OpenFile(fileId, caller));
  }

  @Route('evidenceFile')
  async evidenceFile(
    @ParamsOf('evidenceFile') { fileId }: ParamsOf<'evidenceFile'>,
    @Caller() caller: Session,
    @Req() request: LodeRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.show(request, reply, new OpenFile(fileId, caller, 'evidence'));
  }

  @Route('productImage')
  async productImage(
    @ParamsOf('productImage') { name }: ParamsOf<'productImage'>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const query = new OpenPublicFile(fileIn(name), 'product-image');
    await sendFile(reply, await this.bus.query(query), 'public');
  }

  @Route('recommendedImage')
  async recommendedImage(
    @ParamsOf('recommendedImage') { name }: ParamsOf<'recommendedImage'>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const query = new OpenPublicFile(fileIn(name), 'product-recommended');
    await sendFile(reply, await this.bus.query(query), 'public');
  }

  @Route('siteMedia')
  async siteMedia(
    @ParamsOf('siteMedia') { name }: ParamsOf<'siteMedia'>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const opened = await this.bus.query(new OpenPublicFile(name.replace(ANY_ENDING, ''), 'site-media'));
    // A file has one address.
    if (!urlOf['site-media'](opened.file).endsWith(`/${name}`)) throw fileNotFound();
    await sendFile(reply, opened, 'public');
  }

  @Route('profileImage')
  async profileImage(
    @ParamsOf('profileImage') { userId }: ParamsOf<'profileImage'>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await sendFile(reply, await this.bus.query(new OpenProfileImage(userId)), 'private');
  }

  /** A file of its owner’s, or of somebody else for an admin. */
  private async show(request: LodeRequest, reply: FastifyReply, query: OpenFile): Promise<void> {
    const opened = await this.bus.query(query);
    await noteShown(this.bus, request, [opened.file.ownerId]);
    await sendFile(reply, opened, 'private');
  }

  private async take(request: FastifyRequest, caller: Session, purpose: FilePurpose): Promise<FileAnswer> {
    const file = await receiveForm(request, (content) =>
      this.bus.execute(new UploadFile(sessionContext(caller), purpose, content)),
    );
    const { fileId, mediaType, bytes, sha256 } = file;
    const url = urlOf[purpose](file);
    return { fileId, mediaType, bytes, sha256, url, message: 'Data submitted successfully!' };
  }
}

/** The id of the file that an address names. */
function fileIn(name: string): string {
  return name.slice(0, -ENDING.length);
}
