import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { complaintAboutFile, type FileFacts } from '#files';
import { readFacts } from './store.js';

/** As `complaintAboutFile`, of a file in a folder, beside whoever has the folder. */
export function complaintAbout(
  { folder }: { readonly folder: string },
  fileId: string,
  mustBe?: FileFacts,
): Promise<string | undefined> {
  return complaintAboutFile(
    async () => ({
      metadata: await readFacts({ folder }, fileId),
      stream: createReadStream(join(folder, fileId)),
    }),
    mustBe,
  );
}
