import { existsSync, readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isFull, sync } from '#disk';
import { headIn, headText, type KeptHead, type StoresHead } from '#identity';

const OWNER_ONLY = 0o600;

/**
 * Where the head is kept beside an identity file: in a plain file, because a database's last changes can be lost with its
 * write-ahead log.
 */
export function headFileOf(identityFile: string): string {
  return join(dirname(identityFile), 'head');
}

/** The head beside an identity file. */
export function readHeadFile(identityFile: string): KeptHead {
  const file = headFileOf(identityFile);
  return existsSync(file) ? headIn(readFileSync(file, 'utf8')) : { kind: 'none' };
}

/** Puts a head beside an identity file: there is the old one or the new one, whatever happens. */
export async function writeHeadFile(identityFile: string, head: StoresHead): Promise<void> {
  const file = headFileOf(identityFile);
  const text = headText(head);
  try {
    await write(`${file}.new`, 'w', text);
  } catch (error) {
    // The log may go on for long on a full disk, in room that it has; so does this. A torn one is told by its sum.
    if (!isFull(error) || !existsSync(file)) throw error;
    await write(file, 'r+', text);
    return;
  }
  await rename(`${file}.new`, file);
  await sync(dirname(file));
}

async function write(path: string, flags: string, text: string): Promise<void> {
  const file = await open(path, flags, OWNER_ONLY);
  try {
    await file.write(text, 0);
    await file.truncate(Buffer.byteLength(text));
    await file.sync();
  } finally {
    await file.close();
  }
}
