import { fileLimits, type FileMetadata } from '#files';
import type { Ports } from '../ports.js';
import { Query } from '../message.js';

/** Files of a person, and after which one to go on; null when there are no more. */
type FilesPage = { readonly items: readonly FileMetadata[]; readonly next: string | null };

/** A page of the files that a person uploaded, in the order of their ids, from the one after `after`. */
export class ListFilesOf extends Query<FilesPage> {
  constructor(
    readonly userId: string,
    readonly after: string | undefined,
  ) {
    super();
  }
}

export class ListFilesOfHandler {
  constructor(private readonly parts: Pick<Ports, 'files'>) {}

  async execute({ userId, after = '' }: ListFilesOf): Promise<FilesPage> {
    const limit = fileLimits.page;
    const items = await this.parts.files.list({ ownerId: userId, after, limit, storedOnly: true });
    return { items, next: items.length < limit ? null : (items.at(-1)?.fileId ?? null) };
  }
}
