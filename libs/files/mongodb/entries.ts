import { filePurposes, mediaTypes, type CatalogueEntry, type FileMetadata, type FileState } from '#files';
import { invariant } from '#kernel';
import { integer, text, type Answer, type Documents, type MongoConnection } from '#mongodb';

export const ENTRIES = 'files.entries';

/** What is kept of a file, under its id. */
export type Stored = Omit<FileMetadata, 'fileId'> & {
  readonly state: FileState;
  readonly since: number;
  /** The same as `since`, of those alone that are not stored: an index has them and no others. */
  readonly unsettled?: number;
};

export type Entries = Documents<Stored>;

const STATES: readonly FileState[] = ['pending', 'stored', 'deleting', 'abandoned'];

export function entriesIn(connection: MongoConnection): Entries {
  return { connection, collection: ENTRIES, from: storedFrom };
}

/** What is kept of a file that stands somewhere from now on. */
export function stood(
  { ownerId, purpose, mediaType, bytes, sha256, createdAt }: Omit<FileMetadata, 'fileId'>,
  state: FileState,
  since: number,
): Stored {
  const file = { ownerId, purpose, mediaType, bytes, sha256, createdAt };
  return { ...file, state, since, ...(state === 'stored' ? {} : { unsettled: since }) };
}

export function entryOf(fileId: string, { state, since, unsettled: _, ...file }: Stored): CatalogueEntry {
  return { file: { fileId, ...file }, state, since };
}

export function entryFrom(stored: Answer): CatalogueEntry {
  return entryOf(text(stored, '_id'), storedFrom(stored));
}

function storedFrom(stored: Answer): Stored {
  const file = {
    ownerId: text(stored, 'ownerId'),
    purpose: oneOf(filePurposes, stored['purpose']),
    mediaType: oneOf(mediaTypes, stored['mediaType']),
    bytes: integer(stored, 'bytes'),
    sha256: text(stored, 'sha256'),
    createdAt: text(stored, 'createdAt'),
  };
  return stood(file, oneOf(STATES, stored['state']), integer(stored, 'since'));
}

function oneOf<T extends string>(known: readonly T[], value: unknown): T {
  const found = known.find((one) => one === value);
  invariant(found !== undefined, `${String(value)} is one of ${known.join(', ')}`);
  return found;
}
