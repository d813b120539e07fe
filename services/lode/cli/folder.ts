import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { inOneSentence, lockFolder, type Places, placesIn } from '#engines';
import { isLodeError, LodeError } from '#kernel';
import { openLogReader, type LogReader } from '#event-store/sqlite';
import type { LogToCheck } from '#verify';
import type { Call } from './command.js';

/**
 * The places of a data folder that has a log. Refuses a folder without one with `unavailable`, and throws what the
 * operating system says of one that may not be looked into.
 */
export function existing(folder: string): Places {
  const places = placesIn(folder);
  if (statSync(places.log, { throwIfNoEntry: false }) !== undefined) return places;
  throw new LodeError('unavailable', `There is no log in ${folder}: name the data folder with --data.`);
}

/** Does some work while nobody else can have the folder. Refuses, saying what to do instead, while Lode runs on it. */
export async function alone<T>({ command, settings }: Call, work: () => Promise<T>): Promise<T> {
  const { release } = lock(settings.dataFolder, command.whileRunning);
  try {
    return await work();
  } finally {
    release();
  }
}

function lock(
  folder: string,
  whileRunning: Call['command']['whileRunning'],
): { readonly release: () => void } {
  try {
    return lockFolder(folder);
  } catch (error) {
    if (!isLodeError(error) || error.code !== 'unavailable' || whileRunning === 'works') throw error;
    throw new LodeError(
      'unavailable',
      `Lode is running on ${folder}: stop it first. ${whileRunning.instead}`,
      {},
      { cause: error },
    );
  }
}

/** Whether a Lode has the folder now. */
export function isRunning(folder: string): boolean {
  try {
    lockFolder(folder).release();
    return false;
  } catch (error) {
    if (isLodeError(error) && error.code === 'unavailable') return true;
    throw error;
  }
}

/** A reader of the log as those who wait for promises take it. */
export function asLog(
  reader: LogReader,
): LogToCheck & { readonly head: () => Promise<ReturnType<LogReader['head']>> } {
  return {
    readAll: async (after, limit) => reader.readAll(after, limit),
    readStream: async (stream, read) => reader.readStream(stream, read),
    head: async () => reader.head(),
  };
}

/** Reads the log of a folder beside whoever writes it. */
export async function readingLog<T>(file: string, work: (reader: LogReader) => Promise<T>): Promise<T> {
  const reader = openLogReader(file);
  try {
    return await work(reader);
  } finally {
    reader.close();
  }
}

/** Complaints kept of one file. */
const COMPLAINTS_MAX = 10;

/** What SQLite finds wrong with the structure of a database: its pages, its indexes, its types. */
export function complaintsOf(file: string): readonly string[] {
  return complaintsBy(`integrity_check(${COMPLAINTS_MAX})`, file);
}

/** The first thing wrong with the pages of a database, found in a fraction of that time; its indexes are not compared. */
export function firstComplaint(file: string): string | undefined {
  return complaintsBy('quick_check(1)', file)[0];
}

function complaintsBy(check: string, file: string): readonly string[] {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file, { readOnly: true });
    const rows = db.prepare(`PRAGMA ${check}`).all();
    return rows.map((row) => String(Object.values(row)[0])).filter((text) => text !== 'ok');
  } catch (error) {
    if (db === undefined) throw inOneSentence(error, file);
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    db?.close();
  }
}
