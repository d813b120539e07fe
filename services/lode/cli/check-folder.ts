import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPersonKeys } from '#identity/sqlite';
import { openPersonalData, walletModels } from '#projections';
import { openSqliteReadStore, openSqliteReadStoreSnapshot } from '#read-store/sqlite';
import {
  compareReadModels,
  ledgerKinds,
  verifyLog,
  type LogReport,
  type Milestone,
  type ModelReport,
} from '#verify';
import type { Places } from '../data-folder.js';
import type { Progress } from './command.js';
import { asLog, complaintsOf, readingLog } from './folder.js';

/** What is wrong with the structure of each database; empty for one that is whole. */
export type FileReport = { readonly file: string; readonly complaints: readonly string[] };

/** Looks at the structure of the databases that can't be made again. */
export function checkFiles(places: Pick<Places, 'log' | 'identity'>): readonly FileReport[] {
  return [places.log, places.identity]
    .filter((file) => existsSync(file))
    .map((file) => ({ file, complaints: complaintsOf(file) }));
}

/** Walks the log of a file as far as it goes now. */
export function checkLog(file: string, progress: Progress, since?: Milestone): Promise<LogReport> {
  return readingLog(file, async (reader) => {
    const upTo = reader.head();
    return verifyLog({
      log: asLog(reader),
      kinds: ledgerKinds,
      upTo,
      gapless: true,
      progress: (events) => progress('Checking the log', events, Number(upTo)),
      ...(since === undefined ? {} : { since }),
    });
  });
}

/** Folds the log again and compares; empty when there are no read models. */
export async function checkReadModels(places: Places, progress: Progress): Promise<readonly ModelReport[]> {
  const live = openSqliteReadStoreSnapshot({ file: places.readModels });
  if (live === undefined) return [];
  const folder = mkdtempSync(join(tmpdir(), 'lode-verify-'));
  const scratch = openSqliteReadStore({ file: join(folder, 'read-models.sqlite') });
  const keys = openPersonKeys({ file: places.identity });
  try {
    return await readingLog(places.log, (reader) =>
      compareReadModels({
        log: asLog(reader),
        live,
        scratch,
        models: walletModels,
        open: openPersonalData(keys.decrypt),
        progress: (events) => progress('Folding the log again', events, Number(reader.head())),
      }),
    );
  } finally {
    keys.close();
    await scratch.close();
    await live.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
