import { rewrapStore, type Rewrapped } from '#identity';
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
  const { changed, left, why } = await withExclusiveEngines(call, async (engines) => {
    const stores = await engines.openStoresToRewrap();
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
    ok: left === 0,
    facts: { key: first.id, changed, left, why: [...why] },
    lines: left === 0 ? linesOf(first.id, changed, old) : linesOfLeft(first.id, { changed, left, why }),
  };
}

function linesOf(key: string, changed: number, old: readonly string[]): readonly string[] {
  return [
    `Everything is wrapped with the key ${key} now; ${counted(changed, 'record')} changed.`,
    ...(old.length === 0
      ? []
      : [`Lode needs ${old.join(', ')} no more. Backups made before do: keep old keys as long as those.`]),
  ];
}

function linesOfLeft(key: string, { changed, left, why }: Rewrapped): readonly string[] {
  const more = left - why.length;
  return [
    `${counted(changed, 'record')} changed, and all is wrapped with the key ${key} now but ${counted(left, 'record')}: keep every key in the file. Mend them, or restore them from a backup, and give the command again.`,
    ...why.map((one) => `WRONG: ${one}`),
    ...(more === 0 ? [] : [`WRONG: ${counted(more, 'more record')} could not be wrapped.`]),
  ];
}
