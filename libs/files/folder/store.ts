import { constants } from 'node:fs';
import { mkdir, open, opendir, readdir, readFile, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import {
  checkCopy,
  checkQuota,
  isSameFile,
  fileLimits,
  fileNotFound,
  fromSource,
  isFileId,
  newFileId,
  purposeRules,
  receive,
  type FileMetadata,
  type FileOwner,
  type FilePurpose,
  type FileStore,
  type Received,
  type Swept,
} from '#files';
import { LRUCache } from 'lru-cache';
import { sync } from '#disk';
import {
  hasCode,
  invariant,
  refuseAnothers,
  systemClock,
  systemRandom,
  type Clock,
  type Random,
} from '#kernel';
import { CATALOG, openCatalog, type Catalog } from './catalog.js';
import { damaged, guarded } from './errors.js';

/** What is unfinished for longer than this was left by a program that ended. Milliseconds. */
export const UNFINISHED_STALE_MS = 60 * 60_000;
const UNFINISHED = 'unfinished';
/** The file that says whose the folder is; no file that is stored has such a name. */
const PLATFORM = 'platform';
/** Files that are taken into a new catalog at a time. */
const CATALOG_BATCH = 500;
/** Files whose facts are kept in memory. */
const KNOWN_MAX = 50_000;
const CREATE_NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

export type FolderFilesOptions = {
  /** The folder; made when it isn't there. */
  readonly folder: string;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Whether nobody else has it open: then nobody is at what is unfinished, of whatever age. */
  readonly isAlone?: boolean;
  /** Told when the catalog of the files was damaged: it is made anew from the folder. */
  readonly onRemade?: () => void;
};

type FolderContext = Required<Omit<FolderFilesOptions, 'onRemade' | 'isAlone'>> & {
  readonly catalog: Catalog;
  /** Files that are just being stored, each with when that ends. */
  readonly storing: Map<string, Promise<void>>;
};

/**
 * Files in a folder: `<id>` is the content and `<id>.json` what is known of it. A file exists when its `.json` does. It
 * is written under `unfinished/` and moved out content first; deleting moves the `.json` back in first. So a crash at
 * any step leaves a trace in `unfinished/` from which opening cleans up, without listing what may be millions of files.
 * A catalog beside them says whose they are: a file is in it before it exists, and leaves it after it is gone.
 */
export async function openFolderFiles(options: FolderFilesOptions): Promise<FileStore> {
  const {
    folder,
    clock = systemClock,
    random = systemRandom,
    isAlone = false,
    onRemade = () => {},
  } = options;
  const catalog = await guarded(async () => {
    await mkdir(join(folder, UNFINISHED), { recursive: true, mode: FOLDER_MODE });
    return openCatalog(join(folder, CATALOG), onRemade);
  });
  const parts = { folder, clock, random, catalog, storing: new Map<string, Promise<void>>() };
  try {
    await guarded(() => sweep(parts, isAlone ? -Infinity : UNFINISHED_STALE_MS));
    if (!catalog.isWhole()) await guarded(() => takeStock(parts));
  } catch (error) {
    catalog.close();
    throw error;
  }

  // A file never changes, and only this process deletes: what was read once stays true until it is deleted here.
  const known = new LRUCache<string, FileMetadata>({ max: KNOWN_MAX });

  return {
    put: (content, owner) => {
      const source = fromSource(content);
      return guarded(() => put(parts, source.chunks, owner), source.failedWith);
    },
    copy: (content, file) => {
      const source = fromSource(content);
      return guarded(() => copy(parts, source.chunks, file), source.failedWith);
    },
    usage: (owner) => guarded(() => Promise.resolve(catalog.usage(owner))),
    list: (page) => {
      const { limit } = page;
      invariant(limit > 0 && limit <= fileLimits.page, `${limit} is no page's limit`);
      return guarded(() => Promise.resolve(catalog.list(page)));
    },
    stat: async (fileId) => {
      const metadata = known.get(fileId) ?? (await guarded(() => readFacts(parts, fileId)));
      known.set(fileId, metadata);
      return metadata;
    },
    open: (fileId, range) =>
      guarded(async () => {
        const metadata = await readFacts(parts, fileId);
        const handle = await openContent(parts, metadata);
        const part = range === undefined ? {} : { start: range.first, end: range.last };
        return { metadata, stream: handle.createReadStream(part) };
      }),
    delete: async (fileId) => {
      known.delete(fileId);
      const wasThere = await guarded(() => remove(parts, fileId));
      known.delete(fileId);
      return wasThere;
    },
    sweep: () => guarded(() => sweep(parts, UNFINISHED_STALE_MS)),
    platform: () => guarded(() => platformOf(parts)),
    claim: (platformId) => guarded(() => claim(parts, platformId)),
    close: () => {
      catalog.close();
      return Promise.resolve();
    },
  };
}

function platformOf({ folder }: Pick<FolderContext, 'folder'>): Promise<string | undefined> {
  return readFile(join(folder, PLATFORM), 'utf8').catch((error: unknown): undefined => {
    if (!hasCode(error, 'ENOENT')) throw error;
  });
}

/** Takes the folder for a platform by a file in it. */
async function claim(parts: Pick<FolderContext, 'folder'>, platformId: string): Promise<void> {
  const { folder } = parts;
  const place = join(folder, PLATFORM);
  const owner = await platformOf(parts);
  refuseAnothers(`The folder of files ${folder}`, owner, platformId);
  if (owner !== undefined) return;
  const draft = join(folder, UNFINISHED, PLATFORM);
  await rm(draft, { force: true });
  await writeDurably(draft, platformId);
  await rename(draft, place);
  await sync(folder);
}

/** What is known of a file; refuses with `file_not_found`, and with `storage_failed` when that can't be read. */
export async function readFacts(
  { folder }: Pick<FolderContext, 'folder'>,
  fileId: string,
): Promise<FileMetadata> {
  if (!isFileId(fileId)) throw fileNotFound();
  try {
    const text = await readFile(join(folder, `${fileId}.json`), 'utf8');
    return { purpose: 'evidence', ...(JSON.parse(text) as Omit<FileMetadata, 'purpose'>) };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) throw fileNotFound();
    if (error instanceof SyntaxError) throw damaged(fileId);
    throw error;
  }
}

/** Puts the files that were there before the catalog into it, once. */
async function takeStock({ folder, catalog }: FolderContext): Promise<void> {
  let found: FileMetadata[] = [];
  for await (const { name } of await opendir(folder)) {
    if (!name.endsWith('.json')) continue;
    // What can't be read is told to whoever asks for it; it must not keep the program from starting.
    const metadata = await readFacts({ folder }, name.slice(0, -'.json'.length)).catch(() => undefined);
    if (metadata !== undefined) found.push(metadata);
    if (found.length < CATALOG_BATCH) continue;
    catalog.add(found);
    found = [];
  }
  catalog.add(found);
  catalog.markWhole();
}

async function openContent({ folder }: FolderContext, metadata: FileMetadata): Promise<FileHandle> {
  const handle = await open(join(folder, metadata.fileId), 'r').catch((error: unknown) => {
    // Its `.json` was there a moment ago: it was deleted meanwhile, or the content is lost.
    throw hasCode(error, 'ENOENT') ? fileNotFound() : error;
  });
  const { size } = await handle.stat();
  if (size === metadata.bytes) return handle;
  await handle.close();
  throw damaged(metadata.fileId);
}

function put(
  parts: FolderContext,
  chunks: AsyncIterable<Uint8Array>,
  { ownerId, purpose }: FileOwner,
): Promise<FileMetadata> {
  const { clock, random, catalog } = parts;
  const owner = { ownerId, purpose };
  return keep(parts, chunks, { fileId: newFileId(random), purpose }, (fileId, written) => {
    // Nothing may be awaited before it is in the catalog: of two uploads that come at once, the second must see the first.
    checkQuota(catalog.usage(owner), written.bytes, purposeRules[purpose].quota);
    return { fileId, ...owner, ...written, createdAt: new Date(clock()).toISOString() };
  });
}

async function copy(
  parts: FolderContext,
  chunks: AsyncIterable<Uint8Array>,
  file: FileMetadata,
): Promise<void> {
  const found = await readFacts(parts, file.fileId).catch((error: unknown) => {
    if (hasCode(error, 'file_not_found')) return undefined;
    throw error;
  });
  if (isSameFile(found, file)) return;
  await discard(parts, file.fileId);
  await keep(parts, chunks, file, (_, written) => {
    checkCopy(written, file);
    return file;
  });
}

/** Stores a content as the file that `decide` makes of it, or nothing. */
async function keep(
  parts: FolderContext,
  chunks: AsyncIterable<Uint8Array>,
  { fileId, purpose }: Pick<FileMetadata, 'fileId' | 'purpose'>,
  decide: (fileId: string, written: Received) => FileMetadata,
): Promise<FileMetadata> {
  const { folder, catalog, storing } = parts;
  const ended = Promise.withResolvers<void>();
  storing.set(fileId, ended.promise);
  const draft = join(folder, UNFINISHED, fileId);
  try {
    const metadata = decide(fileId, await writeContent(draft, chunks, purpose));
    catalog.add([metadata]);
    await writeDurably(`${draft}.json`, JSON.stringify(metadata));
    await sync(join(folder, UNFINISHED));
    await rename(draft, join(folder, fileId));
    await rename(`${draft}.json`, join(folder, `${fileId}.json`));
    await sync(folder);
    return metadata;
  } catch (error) {
    // What can't be removed now is not visible and goes when the folder is opened the next time.
    await discard(parts, fileId).catch(() => undefined);
    throw error;
  } finally {
    storing.delete(fileId);
    ended.resolve();
  }
}

async function discard({ folder, catalog }: FolderContext, fileId: string): Promise<void> {
  const draft = join(folder, UNFINISHED, fileId);
  for (const path of [join(folder, `${fileId}.json`), join(folder, fileId), draft, `${draft}.json`])
    await rm(path, { force: true });
  catalog.remove(fileId);
}

async function writeContent(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  purpose: FilePurpose,
): Promise<Received> {
  const handle = await open(path, CREATE_NEW, FILE_MODE);
  try {
    const received = await receive(chunks, purpose, (chunk) => handle.writeFile(chunk));
    await handle.sync();
    return received;
  } finally {
    await handle.close();
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const handle = await open(path, CREATE_NEW, FILE_MODE);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Deletes a file, or finishes a deletion that was cut off; false when there was no file any more. */
async function remove({ folder, catalog, storing }: FolderContext, fileId: string): Promise<boolean> {
  if (!isFileId(fileId)) return false;
  // Taken out of the catalog before it is there, it would be there without being in the catalog.
  await storing.get(fileId);
  const sidecar = join(folder, UNFINISHED, `${fileId}.json`);
  const wasThere = await unlessMissing(rename(join(folder, `${fileId}.json`), sidecar));
  if (wasThere) await sync(folder);
  await rm(join(folder, fileId), { force: true });
  await rm(sidecar, { force: true });
  await sync(folder);
  catalog.remove(fileId);
  return wasThere;
}

/** Removes what programs that ended left unfinished so long ago: uploads that were not done, deletions that were only begun. */
async function sweep({ folder, clock, catalog, storing }: FolderContext, staleMs: number): Promise<Swept> {
  let [finished, failed] = [0, 0];
  const finish = async (name: string): Promise<boolean> => {
    const path = join(folder, UNFINISHED, name);
    const found = await stat(path).catch(() => undefined);
    const fileId = name.replace(/\.json$/, '');
    if (found === undefined || storing.has(fileId)) return false;
    if (clock() - found.mtimeMs < staleMs) return false;
    if (fileId !== name && isFileId(fileId) && !(await exists(join(folder, name)))) {
      await rm(join(folder, fileId), { force: true });
      catalog.remove(fileId);
    }
    await rm(path, { force: true });
    return true;
  };
  for (const name of await readdir(join(folder, UNFINISHED))) {
    try {
      if (await finish(name)) finished += 1;
    } catch {
      failed += 1;
    }
  }
  return { finished, failed };
}

function exists(path: string): Promise<boolean> {
  return unlessMissing(stat(path));
}

/** Whether it went well; false when what it is about is not there. */
function unlessMissing(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    (error: unknown) => {
      if (hasCode(error, 'ENOENT')) return false;
      throw error;
    },
  );
}
