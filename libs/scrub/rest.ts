import type { FileStore, FileFacts } from '#files';
import type { IdentityStore, RowsPlace } from '#identity';
import { damageIn, idIndex, type ListQuery, type ReadStoreReader } from '#read-store';
import type { Looking } from './look.js';

const DOCUMENTS = 200;
const ROWS = 200;
/** Each may have megabytes. */
const FILES = 1;

/** Looks at every document of a read model that queries read. */
export function lookAtDocuments(models: Pick<ReadStoreReader, 'keys' | 'list'>, name: string): Looking {
  return async (place) => {
    const all = { index: idIndex, equals: {}, direction: 'ascending', limit: DOCUMENTS } as const;
    const query: ListQuery =
      place === undefined ? all : { ...all, after: JSON.parse(place) as readonly string[] };
    // The places come from the index alone, so that a look goes on behind what is damaged.
    const keys = await models.keys(name, query);
    const last = keys.at(-1);
    const next = keys.length < DOCUMENTS || last === undefined ? undefined : JSON.stringify(last);
    try {
      await models.list(name, query);
      return { looked: keys.length, found: [], next };
    } catch (error) {
      const damage = damageIn(error);
      if (damage === undefined) throw error;
      const what = error instanceof Error ? error.message : String(error);
      return { looked: keys.length, found: [{ what, damage }], next };
    }
  };
}

/** Looks at every row of identity. */
export function lookAtIdentity(rows: Pick<IdentityStore, 'checkRows'>): Looking {
  return async (place) => {
    const after = place === undefined ? undefined : (JSON.parse(place) as RowsPlace);
    const { rows: looked, damaged, next } = await rows.checkRows(after, ROWS);
    const found = damaged.map(({ table, id }) => ({
      what: `What identity has of ${id} (${table}) is damaged: restore it from a backup.`,
    }));
    return { looked, found, next: next && JSON.stringify(next) };
  };
}

/** Reads every uploaded file that is in the list of them, and compares it with what that says. */
export function lookAtFiles(
  files: Pick<FileStore, 'list' | 'stat'>,
  complaintAbout: (fileId: string, mustBe: FileFacts) => Promise<string | undefined>,
): Looking {
  return async (place) => {
    const page = await files.list({
      limit: FILES,
      storedOnly: true,
      ...(place === undefined ? {} : { after: place }),
    });
    const found = [];
    for (const file of page) {
      const complaint = await complaintAbout(file.fileId, file);
      // It may have been deleted meanwhile.
      const isThere =
        complaint !== undefined && (await files.stat(file.fileId).catch(() => undefined)) !== undefined;
      if (isThere) found.push({ what: `The stored file ${file.fileId} ${complaint.replace(/\.$/, '')}.` });
    }
    return { looked: page.length, found, next: page.at(-1)?.fileId };
  };
}
