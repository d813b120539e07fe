import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
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

/** Runs the command line that is built here, wherever a page says `./lode`. */
const LODE = 'lode() { node --disable-warning=ExperimentalWarning "$MAIN" "$@"; }\n';

/** Runs commands of a page in a shell that stops at the first one that fails. */
export async function runInShell(script: string, cwd: string): Promise<Ran> {
  const shell = spawn(
    'bash',
    ['-e', '-u', '-o', 'pipefail', '-c', LODE + script.replaceAll('./lode ', 'lode ')],
    {
      cwd,
      env: { PATH: process.env['PATH'], MAIN: fileURLToPath(new URL('../cli/main.js', import.meta.url)) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const [out, err, [code]] = await Promise.all([
    text(shell.stdout),
    text(shell.stderr),
    once(shell, 'close') as Promise<[number | null]>,
  ]);
  return { code, out, err };
}
