import { closeSync, existsSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isDamage } from './errors.js';

/** A database and what SQLite keeps beside it. */
const ENDS = ['', '-wal', '-shm'];
const OWNER_ONLY = 0o600;

/** Makes the file of a database before SQLite does it, so that nobody else can ever read it. */
export function makeForOwner(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', OWNER_ONLY));
}

/** Removes a database that nobody has open. Does nothing when there is none. */
export function removeDatabase(file: string): void {
  for (const end of ENDS) rmSync(file + end, { force: true });
}

/** Where a database that could not be used is moved to. */
export function setAsideName(file: string): string {
  return `${file}.discarded`;
}

/** Moves a database that can't be used out of the way, in place of an earlier one. Gives where it is now. */
export function setAside(file: string): string {
  const movedTo = setAsideName(file);
  removeDatabase(movedTo);
  for (const end of ENDS) if (existsSync(file + end)) renameSync(file + end, movedTo + end);
  return movedTo;
}

const damageMark = (file: string) => `${file}.damaged`;

/** Leaves word for the next opening when the database is damaged by what SQLite says. */
export function markIfDamaged(file: string, error: unknown): void {
  if (isDamage(error)) writeFileSync(damageMark(file), '', { mode: OWNER_ONLY });
}

/** True when the database was found to be damaged while it was used. */
export function isMarkedDamaged(file: string): boolean {
  return existsSync(damageMark(file));
}

/** Takes the word back: the database was made anew. */
export function clearDamageMark(file: string): void {
  rmSync(damageMark(file), { force: true });
}
