import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { Ran } from './command.js';

const DOCS = new URL('../../../../docs/', import.meta.url);

/** The text of a page of documentation; `path` is below `docs/`. */
export function pageOf(path: string): string {
  return readFileSync(new URL(path, DOCS), 'utf8');
}

/** The shell commands of a page, one block after the other. */
export function commandsIn(page: string): string {
  const blocks = [...page.matchAll(/^( *)```sh\n(.*?)^\1```$/gms)];
  if (blocks.length === 0) throw new Error('the page has no shell commands');
  return blocks.map(([, , block = '']) => block).join('\n');
}

/** Runs commands in a shell that stops at the first one that fails; `env` is all that it knows beside the path. */
export async function runInShell(
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const shell = spawn('bash', ['-e', '-u', '-o', 'pipefail', '-c', script], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([
    text(shell.stdout),
    text(shell.stderr),
    once(shell, 'close') as Promise<[number | null]>,
  ]);
  return { code, out, err };
}
