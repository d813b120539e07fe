import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { randomAlphanumeric, systemRandom } from '#kernel';
import { placesIn } from './places.js';

const LENGTH = 20;
const OWNER_ONLY = 0o600;

/** A name that no other program has. */
export function newProgramName(): string {
  return randomAlphanumeric(systemRandom, LENGTH);
}

/**
 * What the program of a data folder is called among the programs that share its servers: made at its first start, so that
 * a later one has the leases of the one before. Of two folders that were copied from each other the leases' epochs tell
 * which program has them. The folder must be locked.
 */
export function programName(folder: string): string {
  const { program } = placesIn(folder);
  const found = existsSync(program) ? readFileSync(program, 'utf8').trim() : '';
  if (found !== '') return found;
  const name = newProgramName();
  const draft = `${program}.draft`;
  writeFileSync(draft, `${name}\n`, { mode: OWNER_ONLY });
  renameSync(draft, program);
  return name;
}
