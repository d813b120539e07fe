import { fdatasyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { NewEvent } from './event.js';

/** An append as a journal holds it. */
export type Entry = {
  readonly stream: string;
  readonly events: readonly NewEvent[];
};

/** A file in which every append is before it is answered. */
export type Journal = {
  /** What the file held when it was opened. */
  readonly held: readonly Entry[];
  /** Takes an append, which is in the file after the next `sync`. */
  add(entry: Entry): void;
  sync(): void;
};

type Line = {
  readonly stream: string;
  readonly events: readonly (Omit<NewEvent, 'data' | 'metadata'> & Record<'data' | 'metadata', string>)[];
};

/** Opens the journal in a file, which is made when there is none. What a kill left unfinished at its end goes. */
export function openJournal(file: string): Journal {
  const descriptor = openSync(file, 'a+');
  const text = readFileSync(file, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  ftruncateSync(descriptor, Buffer.byteLength(whole));
  let unwritten: string[] = [];
  return {
    held: whole.split('\n').slice(0, -1).map(entryIn),
    add(entry) {
      unwritten.push(`${lineOf(entry)}\n`);
    },
    sync() {
      if (unwritten.length === 0) return;
      const bytes = Buffer.from(unwritten.join(''));
      unwritten = [];
      for (let from = 0; from < bytes.length;) from += writeSync(descriptor, bytes, from);
      fdatasyncSync(descriptor);
    },
  };
}

/** What keeps nothing, for a log in memory. */
export const noJournal: Journal = {
  held: [],
  add: () => undefined,
  sync: () => undefined,
};

function lineOf({ stream, events }: Entry): string {
  const line: Line = {
    stream,
    events: events.map(({ data, metadata, ...rest }) => ({
      ...rest,
      data: Buffer.from(data).toString('base64'),
      metadata: Buffer.from(metadata).toString('base64'),
    })),
  };
  return JSON.stringify(line);
}

function entryIn(text: string): Entry {
  const { stream, events } = JSON.parse(text) as Line;
  return {
    stream,
    events: events.map(({ data, metadata, ...rest }) => ({
      ...rest,
      data: Buffer.from(data, 'base64'),
      metadata: Buffer.from(metadata, 'base64'),
    })),
  };
}
