import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunWith } from './command.js';

/** Whoever has only the rights that a file gives: where tests run as root, "nobody". */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** Runs a command as somebody whom a file's rights can keep out. */
export const ordinaryUser: RunWith = isRoot ? { uid: NOBODY } : {};

/** True when such a user can run the built program; when not, says which test was therefore not run. */
export function canBeOrdinary(what: string): boolean {
  const main = fileURLToPath(new URL('../cli/main.js', import.meta.url));
  const { status } = spawnSync(process.execPath, [main, '--help'], { ...ordinaryUser, stdio: 'ignore' });
  if (status === 0) return true;
  console.warn(`not run: ${what} (the program can't be run as another user here)`);
  return false;
}

/** Makes a folder, with all that is in it, such a user's own. */
export function ownedByOrdinary(folder: string): void {
  if (isRoot) for (const path of [folder, ...below(folder)]) chownSync(path, NOBODY, NOBODY);
  for (const path of [folder, ...below(folder)])
    chmodSync(path, statSync(path).isDirectory() ? 0o700 : 0o600);
}

function below(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
}
