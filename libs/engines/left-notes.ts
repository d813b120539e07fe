import {
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { open, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sync } from '#disk';
import { hasCode } from '#kernel';
import { writeNew } from './durable-files.js';
import { explainFailure } from './failures.js';

/** Notes that are read at a time. */
const NOTES_MAX = 100;
/** Characters of what one says. */
const TEXT_MAX = 40;
/** A note is named by its id, a UUID. */
const FILE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(json|draft|refused)$/;

/** Something that a command is about to give out, which the program that has the data folder writes to the log. */
export type LeftNote = {
  /** A UUID: the same note is written once. */
  readonly id: string;
  /** ISO instant. */
  readonly at: string;
  readonly command: string;
};

/** One that is there and can't be read. */
export type UnreadableNote = { readonly id: string; readonly error: unknown };

/** What commands have left in a data folder for its program. */
export type LeftNotes = {
  /** Leaves one; it is on the disk once this resolves. Refuses as files are refused. */
  readonly leave: (note: LeftNote) => Promise<void>;
  /** Whether it waits still, or the program could not write it. */
  readonly stateOf: (id: string) => 'left' | 'refused' | 'written';
  /** Some that were left, the oldest first; and those that can't be read, which keep no other from being written. */
  readonly some: () => {
    readonly notes: readonly LeftNote[];
    readonly unreadable: readonly UnreadableNote[];
  };
  /** Says that it could not be written, so that nobody waits for it; it stays. */
  readonly refuse: (id: string) => void;
  /** Takes one away; one that is gone is fine. */
  readonly remove: (id: string) => void;
  /** Takes away what killed commands left half done before an instant, in milliseconds; never a note. */
  readonly sweep: (before: number) => void;
};

/** The notes in a folder, which is made for the first. */
export function notesIn(folder: string): LeftNotes {
  const fileOf = (id: string) => join(folder, `${id}.json`);
  const refusalOf = (id: string) => join(folder, `${id}.refused`);
  return {
    leave: async (note) => {
      const draft = join(folder, `${note.id}.draft`);
      try {
        makeFolder(folder);
        const owner = await ownerToGive(dirname(folder));
        if (owner !== undefined) await giveFolder(folder, owner);
        await writeNew(draft, async (file) => {
          await file.writeFile(JSON.stringify(note));
          if (owner !== undefined) await file.chown(owner.uid, owner.gid);
        });
        await rename(draft, fileOf(note.id));
        await sync(folder);
        await sync(dirname(folder));
      } catch (error) {
        throw explainFailure(error, folder);
      }
    },
    stateOf: (id) => {
      if (!existsSync(fileOf(id))) return 'written';
      return existsSync(refusalOf(id)) ? 'refused' : 'left';
    },
    some: () => {
      const found = namesIn(folder).flatMap((name) => {
        const [, id, kind] = FILE.exec(name) ?? [];
        return id === undefined || kind !== 'json' ? [] : foundIn(id, fileOf(id));
      });
      const notes = found.flatMap((one) => ('error' in one ? [] : one));
      return {
        notes: notes.sort((a, b) => a.at.localeCompare(b.at)).slice(0, NOTES_MAX),
        unreadable: found.flatMap((one) => ('error' in one ? one : [])),
      };
    },
    refuse: (id) => writeFileSync(refusalOf(id), ''),
    remove: (id) => {
      rmSync(refusalOf(id), { force: true });
      rmSync(fileOf(id), { force: true });
    },
    sweep: (before) => {
      for (const name of namesIn(folder)) {
        const [, id, kind] = FILE.exec(name) ?? [];
        if (id === undefined || kind === 'json' || (kind === 'refused' && existsSync(fileOf(id)))) continue;
        const file = join(folder, name);
        const at = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
        if (at !== undefined && at < before) rmSync(file, { force: true });
      }
    },
  };
}

const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);

/** Root leaves what the program's user can read and take away. */
async function ownerToGive(
  dataFolder: string,
): Promise<{ readonly uid: number; readonly gid: number } | undefined> {
  return process.getuid?.() === 0 ? stat(dataFolder) : undefined;
}

/** By its handle and never through a link: else whoever has the data folder could have root give them another. */
async function giveFolder(
  folder: string,
  { uid, gid }: { readonly uid: number; readonly gid: number },
): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    await handle.chown(uid, gid);
  } finally {
    await handle.close();
  }
}

/** What a file that was listed holds; nothing when it was taken away since. */
function foundIn(id: string, file: string): readonly (LeftNote | UnreadableNote)[] {
  try {
    return [noteIn(id, readFileSync(file, 'utf8'))];
  } catch (error) {
    return hasCode(error, 'ENOENT') ? [] : [{ id, error }];
  }
}

/** In a data folder that is there: one that is none gets none. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}

/** What a file says; of one that says nothing sensible, that something was given out by the name it has. */
function noteIn(id: string, text: string): LeftNote {
  const [at, command] = ['at', 'command'].map((member) => textIn(text, member));
  const time = Date.parse(at ?? '');
  return { id, at: new Date(Number.isNaN(time) ? 0 : time).toISOString(), command: command ?? '' };
}

/** A text that a JSON object has; undefined when it has none of the name, or is none. */
function textIn(json: string, member: string): string | undefined {
  try {
    const note: unknown = JSON.parse(json);
    if (typeof note !== 'object' || note === null) return undefined;
    const found: unknown = new Map(Object.entries(note)).get(member);
    return typeof found === 'string' ? found.slice(0, TEXT_MAX) : undefined;
  } catch {
    return undefined;
  }
}
