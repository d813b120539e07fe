import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { hasCode } from '#kernel';

/** Runs what reads a file; undefined when the file has gone meanwhile. */
function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** The files below a folder with their sizes and times of change. */
function listing(folder: string): string {
  const entries: readonly Dirent[] =
    ifThere(() => readdirSync(folder, { recursive: true, withFileTypes: true })) ?? [];
  const files = entries.map(({ parentPath, name }) => {
    const file = join(parentPath, name);
    const found = ifThere(() => statSync(file));
    return `${file} ${found?.size} ${found?.mtimeMs}`;
  });
  return files.sort().join('\n');
}

/**
 * Kills a command after it was seen to change files of a folder so often, unless it ends before. Resolves once it has ended,
 * with true when it was killed.
 */
export async function killAfterChanges(child: ChildProcess, folder: string, count: number): Promise<boolean> {
  let hasEnded = false;
  const ended = once(child, 'close').then(() => {
    hasEnded = true;
  });
  let last = listing(folder);
  for (let changes = 0; changes < count && !hasEnded;) {
    await setImmediate();
    const now = listing(folder);
    if (now !== last) changes += 1;
    last = now;
  }
  child.kill('SIGKILL');
  await ended;
  return child.signalCode === 'SIGKILL';
}
