import { statSync } from 'node:fs';
import { join } from 'node:path';

/** Events a second from the log that the API's rows left behind into all read models, from nothing. */
export async function rebuildRate(root, folder) {
  const door = (name) => import(join(root, 'dist', 'libs', name, 'index.js'));
  const { openLogReader } = await door('event-store/sqlite');
  const { openPersonKeys } = await door('identity/sqlite');
  const { openSqliteReadStore } = await door('read-store/sqlite');
  const { createProjectionRunner, openPersonalData, walletModels } = await door('projections');
  const log = openLogReader(join(folder, 'api', 'events.sqlite'));
  const keys = openPersonKeys({ file: join(folder, 'api', 'identity.sqlite') });
  const store = openSqliteReadStore({ file: join(folder, 'rebuilt.sqlite') });
  const runner = createProjectionRunner({
    log: { readAll: async (after, limit) => log.readAll(after, limit), head: async () => log.head() },
    store,
    models: walletModels,
    open: openPersonalData((userId, sealed) => keys.decrypt(userId, sealed)),
  });
  const head = log.head();
  const start = performance.now();
  runner.start();
  if (!(await runner.waitFor(head, 600_000))) throw new Error('the rebuild did not reach the head');
  const elapsed = (performance.now() - start) / 1_000;
  await runner.stop();
  await store.close();
  const size = Math.round(statSync(join(folder, 'rebuilt.sqlite')).size / 1_048_576);
  return { perSecond: Number(head) / elapsed, note: `${Number(head).toLocaleString('en')} events in ${elapsed.toFixed(1)} s, ${size} MiB` };
}
