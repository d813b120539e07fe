import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describeCheckedLeases } from '#leases/contract';
import { createSqliteLeases } from '#leases/sqlite';

describeCheckedLeases('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lode-leases-'));
  const opened: DatabaseSync[] = [];
  let now = 1_000;
  return {
    open: async (holder) => {
      const database = new DatabaseSync(join(folder, 'leases.sqlite'), { timeout: 1_000 });
      opened.push(database);
      return createSqliteLeases(database, holder, () => now);
    },
    pass: (ms) => {
      now += ms;
    },
    cleanUp: async () => {
      for (const database of opened) database.close();
      rmSync(folder, { recursive: true });
    },
  };
});
