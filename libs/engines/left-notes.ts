import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sync } from '#disk';
import { hasCode } from '#kernel';
import { writeNew } from './durable-files.js';
import { explainFailure } from './failures.js';

/** Notes that are read at a time. */
const NOTES_MAX = 100;
/** Characters of what one says. */
const TEXT_MAX = 40;
const NOTE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.json$/;

/** Something that a command is about to give out, which the program that has the data folder writes to the log. */
export type LeftNote = {
  /** A UUID: the same note is written once. */
  readonly id: string;
  /** ISO instant. */
  readonly at: string;
  readonly command: string;
};

/** What commands have left in a data folder for its program. */
export type LeftNotes = {
  /** Leaves one; it is on the disk once this resolves. Refuses as files are refused. */
  readonly leave: (note: LeftNote) => Promise<void>;
  /** Whether it waits still, or the program could not write it. */
  readonly stateOf: (id: string) => 'left' | 'refused' | 'written';
  /** Some that were left, the oldest first. */
  readonly some: () => readonly LeftNote[];
  /** Says that it could not be written, so that nobody waits for it; it stays. */
  readonly refuse: (id: string) => void;
  /** Takes one away; one that is gone is fine. */
  readonly remove: (id: string) => void;
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
        await writeNew(draft, (file) => file.writeFile(JSON.stringify(note)));
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
      const ids = existsSync(folder) ? readdirSync(folder).flatMap((name) => NOTE.exec(name)?.[1] ?? []) : [];
      const notes = ids.slice(0, NOTES_MAX).map((id) => noteIn(id, readFileSync(fileOf(id), 'utf8')));
      return notes.sort((a, b) => a.at.localeCompare(b.at));
    },
    refuse: (id) => writeFileSync(refusalOf(id), ''),
    remove: (id) => {
      rmSync(refusalOf(id), { force: true });
      rmSync(fileOf(id), { force: true });
    },
  };
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
