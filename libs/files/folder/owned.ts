import { existsSync } from 'node:fs';
import { opendir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isFileId, type FileMetadata } from '#files';
import { guarded, hasCode } from './errors.js';

const FACTS = '.json';

/** The ids of all files of a person in a folder. It looks at every file there is, so it is for the rare case. */
export function idsOwnedBy(
  { folder }: { readonly folder: string },
  ownerId: string,
): Promise<readonly string[]> {
  return guarded(async () => {
    const found: string[] = [];
    if (!existsSync(folder)) return found;
    for await (const { name } of await opendir(folder)) {
      const fileId = name.slice(0, -FACTS.length);
      if (!name.endsWith(FACTS) || !isFileId(fileId)) continue;
      if ((await ownerOf(join(folder, name))) === ownerId) found.push(fileId);
    }
    return found;
  });
}

/** Whose file it is; undefined when that can't be read any more. */
async function ownerOf(facts: string): Promise<string | undefined> {
  try {
    return (JSON.parse(await readFile(facts, 'utf8')) as FileMetadata).ownerId;
  } catch (error) {
    if (error instanceof SyntaxError || hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
