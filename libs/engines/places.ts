import { join } from 'node:path';

/** Where everything is in a data folder. */
export function placesIn(folder: string) {
  return {
    log: join(folder, 'events.sqlite'),
    identity: join(folder, 'identity.sqlite'),
    /** How far log and identities had come: beside the identities, whose adapter writes it. */
    head: join(folder, 'head'),
    files: join(folder, 'files'),
    readModels: join(folder, 'read-models.sqlite'),
    processes: join(folder, 'processes.sqlite'),
    /** Whose the files in a bucket are, where no server keeps that. */
    catalogue: join(folder, 'files.sqlite'),
    /** Uploads that are not in a bucket yet. */
    unfinished: join(folder, 'unfinished'),
    /** What this program is called among others on the same servers. */
    program: join(folder, 'program'),
    /** What the program that has the folder is set to; there while it runs, and after one that was killed. */
    settings: join(folder, 'settings.json'),
    /** How far the look at everything is, and what it came to. */
    scrub: join(folder, 'scrub.json'),
    /** What was ordered of the program beside its work, and what it came to. */
    chores: join(folder, 'chores.json'),
    /** What commands gave out and its program has to write down. */
    notes: join(folder, 'notes'),
    /** There while a restore is under way; a folder that has it is not whole. */
    restoring: join(folder, 'restoring'),
  } as const;
}

export type Places = ReturnType<typeof placesIn>;
