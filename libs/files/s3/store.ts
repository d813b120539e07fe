import {
  catalogueLimits,
  createRoom,
  fileLimits,
  checkCopy,
  fileNotFound,
  isSameFile,
  isFileId,
  newFileId,
  type CatalogueEntry,
  type FileCatalogue,
  type FileContent,
  type FileMetadata,
  type FileOwner,
  type FileStore,
  type Room,
  type Swept,
} from '#files';
import { invariant, LodeError, plainFailure, refuseAnothers, sha256, type Clock, type Random } from '#kernel';
import type { S3Limits } from './limits.js';
import type { Objects } from './objects.js';
import { hold, type Held } from './spool.js';

/** The object that says whose the bucket is; no file that is stored has such a name. */
const PLATFORM = 'platform';
/** Pages of entries that one sweep looks at. */
const SWEEP_PAGES = 100;

export type S3StoreParts = {
  readonly catalogue: FileCatalogue;
  readonly objects: Objects;
  readonly clock: Clock;
  readonly random: Random;
  /** The folder of uploads that are not whole. */
  readonly spool: string;
  readonly limits: Pick<S3Limits, 'spooled' | 'spooledOfOnePerson' | 'sweepMs' | 'sweepFailures' | 'staleMs'>;
};

type Context = S3StoreParts & {
  /** Files that this program is just storing, each with when that ends. */
  readonly storing: Map<string, Promise<void>>;
  /** For what comes in chunks, and is on the disk until it is stored. */
  readonly room: Room;
};

/**
 * Files whose contents are in a bucket. A file exists when the catalogue says that it is stored: it is reserved before its
 * content is written, and forgotten after its content is gone, so that whatever a crash leaves has an entry by which the
 * sweep finds it.
 */
export function createS3Store(parts: S3StoreParts): FileStore {
  const { catalogue, objects, limits } = parts;
  const room = createRoom({
    shared: limits.spooled,
    ofOnePerson: limits.spooledOfOnePerson,
    all: limits.spooled,
  });
  const context: Context = { ...parts, storing: new Map(), room };
  const sweep = createSweep(context);
  return {
    put: (content, owner) => {
      const putIt = () => put(context, content, owner);
      return content instanceof Uint8Array ? putIt() : room(owner.ownerId, putIt);
    },
    copy: (content, file) => copy(context, content, file),
    open: async (fileId, range) => {
      const metadata = await stat(catalogue, fileId);
      const stream = await objects.get(metadata, range);
      if (stream !== undefined) return { metadata, stream };
      // Either it was deleted meanwhile, or the content is lost.
      await stat(catalogue, fileId);
      throw new LodeError('storage_failed', `The content of the stored file ${fileId} is missing.`);
    },
    stat: (fileId) => stat(catalogue, fileId),
    usage: (owner) => catalogue.usage(owner),
    list: async (page) => {
      invariant(page.limit > 0 && page.limit <= fileLimits.page, `${page.limit} is no page's limit`);
      return catalogue.list(page);
    },
    delete: (fileId) => remove(context, fileId),
    sweep,
    platform: () => catalogue.platform(),
    claim: (platformId) => claim(context, platformId),
    close: async () => objects.close(),
  };
}

/** Takes catalogue and bucket for a platform, the bucket by an object in it. */
async function claim({ catalogue, objects }: Context, platformId: string): Promise<void> {
  await catalogue.claim(platformId);
  if ((await objects.read(PLATFORM)) === undefined) {
    const body = Buffer.from(platformId);
    const facts = { bytes: body.length, sha256: sha256(body), mediaType: 'text/plain' };
    await objects.put({ fileId: PLATFORM, ...facts }, () => body);
  }
  refuseAnothers('The bucket of files', await objects.read(PLATFORM), platformId);
}

async function stat(catalogue: FileCatalogue, fileId: string): Promise<FileMetadata> {
  const entry = isFileId(fileId) ? await catalogue.get(fileId) : undefined;
  if (entry?.state !== 'stored') throw fileNotFound();
  return entry.file;
}

async function put(context: Context, content: FileContent, owner: FileOwner): Promise<FileMetadata> {
  const { spool, clock, random, storing } = context;
  const { ownerId, purpose } = owner;
  const fileId = newFileId(random);
  const held = await hold(content, { purpose, folder: spool, name: `lode-upload-${fileId}` });
  const ended = Promise.withResolvers<void>();
  storing.set(fileId, ended.promise);
  try {
    const createdAt = new Date(clock()).toISOString();
    const file = { fileId, ownerId, purpose, ...held.facts, createdAt };
    return await keep(context, file, { held, isCopy: false });
  } finally {
    storing.delete(fileId);
    ended.resolve();
    await held.release();
  }
}

async function copy(context: Context, content: FileContent, file: FileMetadata): Promise<void> {
  const { catalogue, objects, clock } = context;
  const { fileId, purpose } = file;
  const entry = await catalogue.get(fileId);
  if (entry !== undefined && isSameFile(entry.file, file) && entry.state === 'stored') return;
  if (entry !== undefined) {
    await catalogue.markDeleting(fileId, clock());
    await objects.delete(fileId);
    await catalogue.remove(fileId);
  }
  const held = await hold(content, { purpose, folder: context.spool, name: `lode-copy-${fileId}` });
  try {
    checkCopy(held.facts, file);
    await keep(context, file, { held, isCopy: true });
  } finally {
    await held.release();
  }
}

async function keep(
  { catalogue, objects, clock }: Context,
  file: FileMetadata,
  { held, isCopy }: { readonly held: Held; readonly isCopy: boolean },
): Promise<FileMetadata> {
  const { fileId } = file;
  await catalogue.reserve(file, clock(), { isCopy });
  try {
    await objects.put(file, held.body);
    if (await catalogue.markStored(fileId, clock())) return file;
  } catch (error) {
    // The content may still arrive, so that the entry stays: the sweep removes both. Until then it counts for nobody; when
    // this fails too it does, and is swept just the same.
    await catalogue.markDeleting(fileId, clock()).catch(() => undefined);
    throw error;
  }
  await objects.delete(fileId);
  throw plainFailure('unavailable', 'Storing the file took too long. Please try again.');
}

async function remove({ catalogue, objects, clock, storing }: Context, fileId: string): Promise<boolean> {
  if (!isFileId(fileId)) return false;
  await storing.get(fileId);
  const before = await catalogue.markDeleting(fileId, clock());
  // Another program is storing it, and will find that it may not; what then is left the sweep removes.
  if (before === 'pending') return true;
  if (before === undefined || before === 'abandoned') return false;
  await objects.delete(fileId);
  await catalogue.remove(fileId);
  return before === 'stored';
}

/**
 * Finishes puts and deletions that stood still for `staleMs`. A content that can't be deleted is left to a later sweep,
 * unless the store as a whole is away or refuses: then the sweep fails.
 */
function createSweep({ catalogue, objects, clock, limits }: Context): () => Promise<Swept> {
  /** Where the sweep before stopped; undefined when it came to the end. */
  let after: CatalogueEntry | undefined;

  async function isFinished({ file: { fileId }, state, since }: CatalogueEntry): Promise<boolean> {
    // From then on it can't become stored.
    if (state === 'pending' && !(await catalogue.abandon(fileId, since))) return false;
    await objects.delete(fileId, limits.sweepMs);
    await catalogue.remove(fileId);
    return true;
  }

  return async () => {
    const before = clock() - limits.staleMs;
    let [finished, failed] = [0, 0];
    for (let page = 0; page < SWEEP_PAGES; page += 1) {
      const entries = await catalogue.stale(before, after);
      for (const entry of entries) {
        try {
          if (await isFinished(entry)) finished += 1;
        } catch {
          await objects.check();
          failed += 1;
        }
        after = entry;
        if (failed >= limits.sweepFailures) return { finished, failed };
      }
      if (entries.length < catalogueLimits.stale) {
        after = undefined;
        break;
      }
    }
    return { finished, failed };
  };
}
