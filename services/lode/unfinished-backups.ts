import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { MANIFEST } from '#engines';
import { serializeError } from '#kernel';

/** As the program names the folder of a backup: by the time, without what not every disk takes in a name. */
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/;

/** A folder of a backup that is none yet, as it is kept for the program that comes after one that was killed. */
export const unfinished = z.object({ name: z.string().regex(NAME), begunAt: z.iso.datetime() });
export type Unfinished = z.infer<typeof unfinished>;

/** The name of the folder of a backup that begins at an ISO instant. */
export function backupNameOf(begunAt: string): string {
  return begunAt.replaceAll(':', '-');
}

type Parts = {
  /** Where backups go; undefined where nobody said, or no more: then nothing is deleted. */
  readonly backupFolder: string | undefined;
  /** What a program before this one had begun. */
  readonly kept: readonly Unfinished[];
  /** Called when there is another one, or one less. */
  readonly onChange: () => void;
  readonly logger: { readonly error: (facts: object, message: string) => void };
};

/** The folders of backups that are none yet: what was copied may hold keys, so none is left to itself. */
export function createUnfinishedBackups({ backupFolder, kept, onChange, logger }: Parts) {
  const all = new Map(kept.map((one) => [one.name, one]));
  const forget = (name: string) => {
    if (all.delete(name)) onChange();
  };
  const isWhole = (name: string) => existsSync(join(backupFolder ?? '', name, MANIFEST));
  /** Deletes one. Where that can't be, the next program tries again. */
  async function remove(name: string): Promise<void> {
    if (backupFolder === undefined || !all.has(name)) return;
    try {
      await rm(join(backupFolder, name), { recursive: true, force: true });
      forget(name);
    } catch (error) {
      logger.error(serializeError(error), `${name} is no backup and could not be deleted`);
    }
  }
  return {
    all: (): readonly Unfinished[] => [...all.values()],
    add: (one: Unfinished) => {
      all.set(one.name, one);
      onChange();
    },
    /** It is a backup now. */
    forget,
    remove,
    /** Whether it is a backup after all: the program was killed once it was. */
    isWhole,
    /** Deletes those of the program before this one, but for what is whole. */
    clear: () => Promise.all(kept.map(({ name }) => (isWhole(name) ? forget(name) : remove(name)))),
  };
}
