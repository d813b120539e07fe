import { fileNotFound, type ByteRange, type FileMetadata, type FilePurpose, type FileStore } from '#files';
import type { Session } from '#identity';
import type { AccountDocument } from '#projections';
import type { Ports } from '../ports.js';
import { Query } from '../message.js';

/** What is no file's id. */
const NO_FILE = '';

/** A file, and the way to its content as it was stored: whoever opens it reads it to its end or destroys it. */
export type OpenedFile = {
  readonly file: FileMetadata;
  /** The content, or some bytes of it. */
  readonly open: (range?: ByteRange) => Promise<Awaited<ReturnType<FileStore['open']>>['stream']>;
};

/**
 * A file for its owner or an admin; with `purpose`, only one that was uploaded for it. For anyone else the answer is
 * `file_not_found`, as if the file did not exist.
 */
export class OpenFile extends Query<OpenedFile> {
  constructor(
    readonly fileId: string,
    readonly reader: Pick<Session, 'userId' | 'role'>,
    readonly purpose?: FilePurpose,
  ) {
    super();
  }
}

export class OpenFileHandler {
  constructor(private readonly parts: Pick<Ports, 'files'>) {}

  execute({ fileId, reader, purpose }: OpenFile): Promise<OpenedFile> {
    return openIf(
      this.parts.files,
      fileId,
      (file) =>
        (purpose === undefined || file.purpose === purpose) &&
        (reader.role === 'admin' || file.ownerId === reader.userId),
    );
  }
}

/** A file that everyone may see because of what it is for. Refuses with `file_not_found`. */
export class OpenPublicFile extends Query<OpenedFile> {
  constructor(
    readonly fileId: string,
    readonly purpose: 'product-image' | 'product-recommended' | 'site-media',
  ) {
    super();
  }
}

export class OpenPublicFileHandler {
  constructor(private readonly parts: Pick<Ports, 'files'>) {}

  execute({ fileId, purpose }: OpenPublicFile): Promise<OpenedFile> {
    return openIf(this.parts.files, fileId, (file) => file.purpose === purpose);
  }
}

/** The image that a person's profile shows. Refuses with `file_not_found`. */
export class OpenProfileImage extends Query<OpenedFile> {
  constructor(readonly userId: string) {
    super();
  }
}

export class OpenProfileImageHandler {
  constructor(private readonly parts: Pick<Ports, 'files' | 'readStore'>) {}

  async execute({ userId }: OpenProfileImage): Promise<OpenedFile> {
    const { files, readStore } = this.parts;
    const account = await readStore.get<AccountDocument>('accounts', userId);
    return openIf(files, account?.image?.fileId ?? NO_FILE, () => true);
  }
}

async function openIf(
  files: Pick<FileStore, 'stat' | 'open'>,
  fileId: string,
  mayBeRead: (file: FileMetadata) => boolean,
): Promise<OpenedFile> {
  const file = await files.stat(fileId);
  if (!mayBeRead(file)) throw fileNotFound();
  return { file, open: async (range) => (await files.open(fileId, range)).stream };
}
