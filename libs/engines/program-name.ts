import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
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
 * a later one has the leases of the one before. It stands beside what tells the folder from every other, so that a copy of
 * the folder gets a name of its own. The folder must be locked.
 */
export function programName(folder: string): string {
  const { program } = placesIn(folder);
  const { dev, ino } = statSync(folder, { bigint: true });
  const place = `${dev}:${ino}`;
  const [found = '', where] = existsSync(program) ? readFileSync(program, 'utf8').split('\n') : [];
  if (found !== '' && where === place) return found;
  const name = newProgramName();
  const draft = `${program}.draft`;
  writeFileSync(draft, `${name}\n${place}\n`, { mode: OWNER_ONLY });
  renameSync(draft, program);
  return name;
}
