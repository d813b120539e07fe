import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ShownSetting } from './engines.js';
import { lockFolder } from './lock.js';
import { placesIn } from './places.js';

const OWNER_ONLY = 0o600;

/** Locks a folder; what the program before showed of its settings goes, since it is not this one's. */
export async function takeFolder(folder: string): ReturnType<typeof lockFolder> {
  // Read when the first database is opened: what is written anew is kept there for a moment, and has room where it was.
  process.env['SQLITE_TMPDIR'] ??= folder;
  const lock = await lockFolder(folder);
  hideSettings(folder);
  return lock;
}

/** Shows what this program is set to, to whoever looks beside it. The folder must be locked. */
export function showSettings(folder: string, settings: readonly ShownSetting[]): void {
  try {
    writeFileSync(placesIn(folder).settings, JSON.stringify(settings), { mode: OWNER_ONLY });
  } catch {
    // On a full disk a program runs all the same; whoever looks is told that this is not known.
    hideSettings(folder);
  }
}

/** What the program that has the folder is set to; undefined when that is not known. */
export function shownSettings(folder: string): readonly ShownSetting[] | undefined {
  try {
    const shown: unknown = JSON.parse(readFileSync(placesIn(folder).settings, 'utf8'));
    return Array.isArray(shown) && shown.every(isShown) ? shown : undefined;
  } catch {
    return undefined;
  }
}

export function hideSettings(folder: string): void {
  rmSync(placesIn(folder).settings, { force: true });
}

function isShown(one: unknown): one is ShownSetting {
  if (typeof one !== 'object' || one === null) return false;
  return ['name', 'value', 'source'].every((name) => typeof Reflect.get(one, name) === 'string');
}
