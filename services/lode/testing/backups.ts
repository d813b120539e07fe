import { expect } from '@jest/globals';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tell } from './command.js';

/** Backs a data folder up into a folder that does not exist yet, and gives that. */
export async function backUp(from: string, to: string): Promise<string> {
  expect(await tell(from, 'backup', to)).toMatchObject({ code: 0, json: { ok: true, damaged: [] } });
  return to;
}

/** The ids of the uploaded files in a data folder. */
export function uploadedIn(folder: string): readonly string[] {
  return readdirSync(join(folder, 'files'))
    .filter((name) => /^\w{35}$/.test(name))
    .sort();
}

/** Changes one bit in the middle of a file. */
export function flipBit(file: string): void {
  const bytes = readFileSync(file);
  const offset = Math.floor(bytes.length / 2);
  bytes.writeUInt8(bytes.readUInt8(offset) ^ 1, offset);
  writeFileSync(file, bytes);
}
