import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { dataFolder, usedFolder, type Used } from './testing/index.js';

const HOW_TO = fileURLToPath(new URL('../../../docs/how-to/', import.meta.url));
const MAIN = fileURLToPath(new URL('./cli/main.js', import.meta.url));
/** The pages whose commands are the command line's. */
const pages = ['backup.md', 'erase.md', 'rebuild.md', 'restore.md', 'upgrade.md'];

let used: Used;
beforeAll(async () => {
  used = await usedFolder();
});
afterAll(() => used.remove());

test.each(pages)('the commands of %s do what it says, one after the other', async (page) => {
  expect(readdirSync(HOW_TO)).toContain(page);
  const blocks = [...readFileSync(join(HOW_TO, page), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)];
  expect(blocks.length).toBeGreaterThan(0);
  const script = blocks.map(([, block = '']) => block).join('\n');
  const place = dataFolder();
  cpSync(used.path, join(place.path, 'data'), { recursive: true });
  // What stands for the program that is built here already.
  const npx = 'npx() { [ "$1" = lode ]; shift; node --disable-warning=ExperimentalWarning "$MAIN" "$@"; }\n';
  const shell = spawn(
    'bash',
    ['-e', '-u', '-o', 'pipefail', '-c', npx + script.replace('paste-the-id-here', used.ann.userId)],
    { cwd: place.path, env: { PATH: process.env['PATH'], MAIN }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const [out, err, [code]] = await Promise.all([
    text(shell.stdout),
    text(shell.stderr),
    once(shell, 'close') as Promise<[number]>,
  ]);
  expect([code, err]).toEqual([0, '']);
  expect(out).not.toContain('WRONG');
  place.remove();
});
