import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeEventStore } from '#event-store/contract';
import { openSqliteEventStore } from '#event-store/sqlite';

describeEventStore('SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lode-log-'));
  const open = () => openSqliteEventStore({ file: join(folder, 'events.sqlite') });
  return {
    open,
    reopen: async (store) => {
      await store.close();
      return open();
    },
    partitions: 1,
    cleanUp: () => rm(folder, { recursive: true }),
  };
});
