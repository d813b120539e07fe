import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Places } from '#engines';
import { openPersonKeys } from '#identity/sqlite';
import { openPersonalData, walletModels } from '#projections';
import {
  openSqliteReadStore,
  openSqliteReadStoreSnapshot,
  type SqliteReadStoreSnapshot,
} from '#read-store/sqlite';
import {
  compareReadModels,
  ledgerKinds,
  verifyLog,
  type LogReport,
  type Milestone,
  type ModelReport,
} from '#verify';
import { undoing } from './clean-up.js';
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
  try {
    let folder: string | undefined;
    return await undoing(
      () => {
        if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
      },
      () => {
        // What is folded there is personal data in the clear.
        folder = mkdtempSync(join(tmpdir(), 'lode-verify-'));
        return compareIn(folder, places, live, progress);
      },
    );
  } finally {
    await live.close();
  }
}

async function compareIn(
  folder: string,
  places: Places,
  live: SqliteReadStoreSnapshot,
  progress: Progress,
): Promise<readonly ModelReport[]> {
  const keys = openPersonKeys({ file: places.identity });
  try {
    const scratch = openSqliteReadStore({ file: join(folder, 'read-models.sqlite') });
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
      await scratch.close();
    }
  } finally {
    keys.close();
  }
}
