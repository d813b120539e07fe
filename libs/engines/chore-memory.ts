import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { placesIn } from './places.js';

const OWNER_ONLY = 0o600;

/** What is kept in a data folder of what was ordered of its program, and of what it left while it was at it. Whoever keeps it knows what it says. */
export type ChoreMemory = {
  /** Undefined where nothing is kept that can be read. */
  readonly load: () => unknown;
  readonly keep: (facts: object) => void;
};

export function choreMemoryIn(folder: string): ChoreMemory {
  const file = placesIn(folder).chores;
  return {
    load: () => {
      try {
        return JSON.parse(readFileSync(file, 'utf8')) as unknown;
      } catch {
        return undefined;
      }
    },
    keep: (facts) => {
      try {
        writeFileSync(`${file}.new`, JSON.stringify(facts), { mode: OWNER_ONLY });
        renameSync(`${file}.new`, file);
      } catch {
        // On a full disk it is forgotten at the next start.
      }
    },
  };
}
