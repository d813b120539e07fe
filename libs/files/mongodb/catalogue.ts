import {
  catalogueLimits,
  fileLimits,
  type CatalogueEntry,
  type FileCatalogue,
  type FileMetadata,
  type FileState,
} from '#files';
import { hasCode, invariant, LodeError } from '#kernel';
import {
  change,
  claimFor,
  ownerOf,
  connectMongo,
  read,
  removeAll,
  requireFormat,
  tidy,
  type MongoConnection,
  type MongoOptions,
} from '#mongodb';
import { ENTRIES, entriesIn, entryFrom, entryOf, stood, type Entries } from './entries.js';
import { quotasIn, type Quotas } from './quotas.js';

/** The layout of the documents. */
const FORMAT = 1;
/** What it is called in a sentence. */
const WHAT = 'catalogue of files';

const INDEXES = [
  { name: 'owner', key: { ownerId: 1, _id: 1 } },
  {
    name: 'unsettled',
    key: { unsettled: 1, _id: 1 },
    partialFilterExpression: { unsettled: { $exists: true } },
  },
];

/**
 * Opens the catalogue of files in a MongoDB database, for any number of programs. It needs no transactions, and so can be
 * a single server. An entry counts for its owner from after it was made until before it is deleted, so that whatever was
 * cut off is finished by a sweep, and nobody ever keeps more than the quota. Throws `unavailable` when there is no server,
 * `storage_failed` when a newer Lode wrote there.
 */
export async function openMongoFileCatalogue(options: MongoOptions): Promise<FileCatalogue> {
  const connection = await connectMongo(options);
  const formats = { connection, collection: 'files.format' };
  try {
    await requireFormat(formats, 'files', FORMAT, WHAT);
    await connection.write({ createIndexes: ENTRIES, indexes: INDEXES });
  } catch (error) {
    await connection.close();
    throw heard(error);
  }
  const [entries, quotas] = [entriesIn(connection), quotasIn(connection)];
  return {
    reserve: (file, since, { isCopy } = { isCopy: false }) =>
      hearing(() => reserve(entries, isCopy ? quotas.add : quotas.take, file, since)),

    markStored: (fileId, since) =>
      hearing(async () => {
        const before = await move(entries, fileId, { pending: 'stored' }, since);
        return before?.state === 'pending';
      }),

    abandon: (fileId, since) =>
      hearing(async () => {
        const before = await move(entries, fileId, { pending: 'abandoned' }, since);
        if (before?.state !== 'pending') return false;
        await tidy(() => quotas.giveBack(before.file));
        return true;
      }),

    markDeleting: (fileId, since) =>
      hearing(async () => {
        const before = await move(entries, fileId, { stored: 'deleting', pending: 'abandoned' }, since);
        // What is not given back now is when the entry is deleted.
        if (before?.state === 'stored' || before?.state === 'pending')
          await tidy(() => quotas.giveBack(before.file));
        return before?.state;
      }),

    remove: (fileId) => hearing(() => remove(entries, quotas, fileId)),

    get: async (fileId) => {
      const found = await read(entries, fileId);
      return found && entryOf(fileId, found);
    },

    usage: quotas.kept,

    ...listsIn(connection),

    platform: () => hearing(() => ownerOf(formats)),

    claim: (platformId) => hearing(() => claimFor(platformId, formats, WHAT)),

    close: connection.close,
  };
}

async function reserve(
  entries: Entries,
  count: Quotas['take'],
  file: FileMetadata,
  since: number,
): Promise<void> {
  const { fileId } = file;
  const isNew = await change(entries, fileId, (there) =>
    there === undefined ? { next: stood(file, 'pending', since), result: true } : { result: false },
  );
  if (!isNew) throw new LodeError('conflict', `There is a file ${fileId} already.`);
  try {
    await count(file);
  } catch (error) {
    // Otherwise it may be counted by now or soon, and is found by the sweep.
    if (hasCode(error, 'quota_exceeded'))
      await tidy(() => removeAll(entries, { _id: fileId, state: 'pending', since }));
    throw error;
  }
}

/** Moves an entry where it may go from where it is; says how it was before. */
function move(
  entries: Entries,
  fileId: string,
  moves: { readonly [From in FileState]?: FileState },
  since: number,
): Promise<CatalogueEntry | undefined> {
  return change(entries, fileId, (before) => {
    if (before === undefined) return { result: undefined };
    const [to, result] = [moves[before.state], entryOf(fileId, before)];
    return to === undefined ? { result } : { next: stood(before, to, since), result };
  });
}

async function remove(entries: Entries, quotas: Quotas, fileId: string): Promise<void> {
  const found = await read(entries, fileId);
  if (found?.state !== 'deleting' && found?.state !== 'abandoned') return;
  await quotas.giveBack({ fileId, ...found });
  await removeAll(entries, { _id: fileId, state: { $in: ['deleting', 'abandoned'] } });
}

function listsIn(connection: MongoConnection): Pick<FileCatalogue, 'list' | 'stale'> {
  return {
    list: async ({ after = '', limit, ownerId, storedOnly = false }) => {
      invariant(limit > 0 && limit <= fileLimits.page, `${limit} is no page's limit`);
      const whose = ownerId === undefined ? {} : { ownerId };
      const filter = { ...whose, _id: { $gt: after }, state: storedOnly ? 'stored' : { $ne: 'abandoned' } };
      const found = await connection.find(ENTRIES, filter, { sort: { _id: 1 }, limit });
      return found.map((stored) => entryFrom(stored).file);
    },

    stale: async (before, after) => {
      const { since = -1, file } = after ?? {};
      const filter = {
        unsettled: { $lt: before, $gte: since },
        $or: [{ unsettled: { $gt: since } }, { _id: { $gt: file?.fileId ?? '' } }],
      };
      const wanted = { sort: { unsettled: 1, _id: 1 }, limit: catalogueLimits.stale } as const;
      return (await connection.find(ENTRIES, filter, wanted)).map(entryFrom);
    },
  };
}

/** The port has one word for a server that is away and for one that didn't say: all of it may be asked again. */
async function hearing<Done>(work: () => Promise<Done>): Promise<Done> {
  try {
    return await work();
  } catch (error) {
    throw heard(error);
  }
}

function heard(error: unknown): unknown {
  if (!hasCode(error, 'unknown_outcome')) return error;
  const message = 'MongoDB did not say what it did with the catalogue of files.';
  return new LodeError('unavailable', message, {}, { cause: error });
}
