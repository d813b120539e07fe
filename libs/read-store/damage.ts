import { crc32 } from 'node:zlib';
import { isLodeError, LodeError } from '#kernel';
import { buildName, indexedText } from './declarations.js';
import type { Build, Document, ListQuery, ReadStoreReader } from './port.js';

/**
 * The checksum of a build's documents: CRC-32 over the build's name and a document's JSON, in which its id and position
 * are. It finds accidents. Signed, so that SQLite stores it in four bytes.
 */
export function checksumFor(build: string): (json: string) => number {
  const seed = crc32(build);
  return (json) => crc32(json, seed) | 0;
}

/** What was found to be damaged in a read model: documents, by their ids, or an index, when no document is named. */
export type Damage = {
  /** The build's name. */
  readonly build: string;
  readonly ids: readonly string[];
};

/** The refusal of documents that are not what was written: they are made again from the log. */
function damagedDocuments(build: Build, ids: readonly string[]): LodeError {
  const [first] = ids;
  const which = ids.length === 1 ? `The document ${first}` : `${ids.length} documents (${first}, …)`;
  return damaged(`${which} of ${buildName(build)} can't be read`, { build: buildName(build), ids });
}

/** The refusal of an index that leads to another document than the one that was asked for. */
export function damagedIndex(build: Build, index: string): LodeError {
  const what = `The index ${index} of ${buildName(build)} leads to the wrong documents`;
  return damaged(what, { build: buildName(build), ids: [] });
}

/** A document as an engine gave it; `isWhole` when it has no checksum, being older than they are, or the right one. */
export type Stored = { readonly id: unknown; readonly json: unknown; readonly isWhole: boolean };

/** The documents that were stored, in their order. Refuses all of them when one is not what was written. */
export function parsedDocuments(build: Build, stored: readonly Stored[]): readonly Document[] {
  const damaged: string[] = [];
  const documents: Document[] = [];
  for (const { id, json, isWhole } of stored) {
    const document = isWhole ? parse(json) : undefined;
    if (document === undefined || document.id !== id) damaged.push(String(id));
    else documents.push(document);
  }
  if (damaged.length > 0) throw damagedDocuments(build, damaged);
  return documents;
}

function parse(json: unknown): Document | undefined {
  try {
    return JSON.parse(String(json)) as Document;
  } catch {
    return undefined;
  }
}

/** Refuses a page with a document in it that doesn't have what was asked for: it would show a person what is another's. */
export function refuseOthers(build: Build, page: readonly Document[], { equals, index }: ListQuery): void {
  const asked = Object.entries(equals);
  if (page.some((document) => asked.some(([field, value]) => indexedText(document, field) !== value)))
    throw damagedIndex(build, index);
}

function damaged(what: string, { build, ids }: Damage): LodeError {
  const message = `${what}: what is damaged of a read model is made again from the log.`;
  return new LodeError('storage_failed', message, { build, documents: ids });
}

/** What an error says is damaged; undefined when it is another error. */
export function damageIn(error: unknown): Damage | undefined {
  if (!isLodeError(error) || error.code !== 'storage_failed') return undefined;
  const { build, documents } = error.details;
  return typeof build === 'string' && Array.isArray(documents)
    ? { build, ids: documents.map(String) }
    : undefined;
}

/** A reader that tells of each damage that its queries meet; they are refused all the same. */
export function watchDamage(reader: ReadStoreReader, hear: (damage: Damage) => void): ReadStoreReader {
  const telling = async <Found>(query: Promise<Found>): Promise<Found> => {
    try {
      return await query;
    } catch (error) {
      const damage = damageIn(error);
      if (damage !== undefined) hear(damage);
      throw error;
    }
  };
  return {
    ...reader,
    get: (collection, id) => telling(reader.get(collection, id)),
    getMany: (collection, ids) => telling(reader.getMany(collection, ids)),
    list: (collection, query) => telling(reader.list(collection, query)),
  };
}
