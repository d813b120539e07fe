import type { CommandContext } from '#commands';
import type { EventStore } from '#event-store';
import { fileLimits, filesNamedIn, purposeRules, type FileStore } from '#files';
import { accountStream } from '#ledger';
import { sentBy } from '../command.js';
import { overwriteModels, type Overwriting } from './overwrite.js';

/** Events of a person read at a time. */
const PAGE = 1_000;

/** Where a person's files are, and what names them. */
export type PersonFiles = {
  readonly eventStore: Pick<EventStore, 'readStream'>;
  readonly files: Pick<FileStore, 'list' | 'delete'>;
};

/**
 * Deletes the files of a person who is forgotten, and overwrites what read models have had; says how many files were still
 * there. May be repeated.
 */
export class DeleteFilesOf extends sentBy('system')<number> {
  constructor(
    override readonly context: CommandContext,
    readonly userId: string,
  ) {
    super();
  }
}

export class DeleteFilesOfHandler {
  constructor(
    private readonly dependencies: PersonFiles &
      Overwriting & { readonly eventStore: Pick<EventStore, 'head'> },
  ) {}

  async execute({ userId }: DeleteFilesOf): Promise<number> {
    const deleted = await deleteFilesOf(this.dependencies, userId);
    const head = await this.dependencies.eventStore.head();
    await overwriteModels(this.dependencies, head, accountStream(userId));
    return deleted;
  }
}

/** Deletes the files that a person's events name, and those that no event names; says how many were still there. */
export async function deleteFilesOf({ eventStore, files }: PersonFiles, userId: string): Promise<number> {
  const named = await filesNamedBy(eventStore, userId);
  // The store may not know whose a damaged file is; the log may not know that there is a file at all.
  const fileIds = new Set([...named, ...(await filesKeptFor(files, userId))]);
  let deleted = 0;
  for (const fileId of fileIds) if (await files.delete(fileId)) deleted += 1;
  return deleted;
}

/** A person's own files. Quotas bound how many there are. */
async function filesKeptFor(files: PersonFiles['files'], ownerId: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const limit = fileLimits.page;
  for (let after = ''; ;) {
    const page = await files.list({ ownerId, after, limit });
    for (const { fileId, purpose } of page) if (purposeRules[purpose].isPersonal) found.add(fileId);
    const last = page.at(-1);
    if (last === undefined || page.length < limit) return found;
    after = last.fileId;
  }
}

/** The files that a person's events name: payment evidence and pictures. Their hashes stay in the events. */
async function filesNamedBy(
  eventStore: PersonFiles['eventStore'],
  userId: string,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let from = 0; ;) {
    const page = await eventStore.readStream(accountStream(userId), { from, limit: PAGE });
    for (const event of page) for (const fileId of filesNamedIn(event).keys()) found.add(fileId);
    if (page.length < PAGE) return found;
    from += page.length;
  }
}
