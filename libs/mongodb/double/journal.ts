import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { serialize } from 'bson';
import type { Doc } from './values.js';
import { readDocument } from './wire.js';

/**
 * What was written, in order: a file of BSON documents that is only appended to, and synced before a command is
 * answered. Without a file nothing outlives the process.
 */
export type Journal = {
  /** Everything written before, once. */
  readonly read: () => readonly Doc[];
  readonly append: (entry: Doc) => void;
  /** All that was appended is on disk when it returns. */
  readonly sync: () => void;
  /** Where it ends. */
  readonly end: () => number;
  /** Forgets what comes after a place. */
  readonly cutTo: (end: number) => void;
  readonly close: () => void;
};

const SMALLEST_DOCUMENT = 5;

export function openJournal(file: string | undefined): Journal {
  if (file === undefined)
    return { read: () => [], append: none, sync: none, end: () => 0, cutTo: none, close: none };
  const descriptor = openSync(file, 'a+');
  let pending: Uint8Array[] = [];
  let end = 0;
  let isSynced = true;

  const flush = () => {
    for (const bytes of pending) writeSync(descriptor, bytes);
    pending = [];
  };
  return {
    read: () => {
      const bytes = readFileSync(file);
      const entries: Doc[] = [];
      end = 0;
      while (bytes.length - end >= SMALLEST_DOCUMENT && bytes.readInt32LE(end) <= bytes.length - end) {
        entries.push(readDocument(bytes, end));
        end += bytes.readInt32LE(end);
      }
      // The last entry may be there in part: nobody was told of it.
      ftruncateSync(descriptor, end);
      return entries;
    },
    append: (entry) => {
      const bytes = serialize(entry);
      pending.push(bytes);
      end += bytes.length;
      isSynced = false;
    },
    sync: () => {
      if (isSynced) return;
      flush();
      fsyncSync(descriptor);
      isSynced = true;
    },
    end: () => end,
    cutTo: (place) => {
      flush();
      ftruncateSync(descriptor, place);
      fsyncSync(descriptor);
      end = place;
    },
    close: () => {
      flush();
      closeSync(descriptor);
    },
  };
}

function none(): void {
  // There is no file.
}
