import { createUploads, purposeRules, type FileMetadata, type FilePurpose, type Uploads } from '#files';
import { LodeError, type Actor } from '#kernel';
import { accountStream } from '#ledger';
import type { ApplicationParts } from '../parts.js';
import { sentBy } from '../command.js';
import { refuseWhileHeld } from '../platform/held.js';

/**
 * Keeps a file for the command that will name it. `content` is read while it comes, and is undefined when nothing was
 * sent. Refuses with `file_missing`, with `token_invalid` (the account was closed meanwhile) and as `Uploads.take` does;
 * then nothing is kept.
 */
export class UploadFile extends sentBy('user', 'admin')<FileMetadata> {
  constructor(
    override readonly context: { readonly actor: Actor },
    readonly purpose: FilePurpose,
    readonly content: AsyncIterable<Uint8Array> | undefined,
  ) {
    super();
  }
}

export class UploadFileHandler {
  private readonly uploads: Uploads;

  constructor(private readonly parts: Pick<ApplicationParts, 'aggregates' | 'files' | 'hold' | 'storage'>) {
    this.uploads = createUploads(parts.files);
  }

  async execute({ context, purpose, content }: UploadFile): Promise<FileMetadata> {
    const { aggregates, files, hold, storage } = this.parts;
    refuseWhileHeld(hold);
    const { id: ownerId } = context.actor;
    if (content === undefined) throw new LodeError('file_missing', purposeRules[purpose].refusal);
    // Before anything is received.
    await storage.check();
    const file = await this.uploads.take(content, { ownerId, purpose });
    storage.add(file.bytes);
    const { state } = await aggregates.accounts.load(accountStream(ownerId));
    if (state.kind === 'open' && state.status === 'closed') {
      // Its owner was forgotten while it came, and the erasure may have looked for files before it was there.
      await files.delete(file.fileId);
      throw new LodeError('token_invalid', 'This account is closed.');
    }
    return file;
  }
}
