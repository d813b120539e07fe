import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

export type Digest = { readonly sha256: string; readonly bytes: number };

const OWNER_ONLY = 0o600;
const CREATE_NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/** SHA-256 and size of a file. */
export async function digestOf(file: string): Promise<Digest> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.byteLength;
  }
  return { sha256: hash.digest('hex'), bytes };
}

/** Copies a file to where none is, durably; answers with what was copied. */
export async function copyDurably(from: string, to: string): Promise<Digest> {
  const hash = createHash('sha256');
  let bytes = 0;
  await writeNew(to, async (file) => {
    for await (const chunk of createReadStream(from) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += chunk.byteLength;
      await file.writeFile(chunk);
    }
  });
  return { sha256: hash.digest('hex'), bytes };
}

/** Makes a file that was not there, for its owner alone, and answers after it is durable. */
export async function writeNew(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, CREATE_NEW, OWNER_ONLY);
  try {
    await write(file);
    await file.sync();
  } finally {
    await file.close();
  }
}
