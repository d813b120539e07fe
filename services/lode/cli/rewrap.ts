import { rewrapStore } from '#identity';
import { systemRandom } from '#kernel';
import type { Call, Outcome } from './command.js';
import { requireLog, withExclusiveEngines } from './folder.js';
import { counted } from './output.js';
import { UsageError } from './parse.js';

/** `lode rewrap`. */
export async function runRewrap(call: Call): Promise<Outcome> {
  const { settings, progress } = call;
  const [first, ...others] = settings.keys;
  if (first === undefined)
    throw new UsageError('LODE_KEY_FILE is not set: name the file of the key to wrap with.', true);
  await requireLog(settings);
  const changed = await withExclusiveEngines(call, async (engines) => {
    const stores = await engines.openStores();
    try {
      const random = systemRandom;
      const how = { random, progress: (done: number) => progress('Wrapping keys', done) };
      return await rewrapStore(stores.identity, settings.keys, how);
    } finally {
      await stores.close();
    }
  });
  const old = others.map(({ id }) => id);
  return {
    ok: true,
    facts: { key: first.id, changed },
    lines: [
      `Everything is wrapped with the key ${first.id} now; ${counted(changed, 'record')} changed.`,
      ...(old.length === 0
        ? []
        : [`Lode needs ${old.join(', ')} no more. Backups made before do: keep old keys as long as those.`]),
    ],
  };
}
