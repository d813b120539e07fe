import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { dataFolder, printed, startProgram, type Listening } from './testing/index.js';

const TUTORIAL = new URL('../../../docs/tutorial/first-funding.md', import.meta.url);

const folder = dataFolder();
const elsewhere = dataFolder();
let program: Listening;

beforeAll(async () => {
  program = await startProgram(folder.path);
});
afterAll(async () => {
  program.child.kill('SIGKILL');
  await program.ended;
  folder.remove();
  elsewhere.remove();
});

test('the tutorial’s commands, one after the other, end where it says that they do', async () => {
  const tutorial = readFileSync(TUTORIAL, 'utf8');
  const blocks = [...tutorial.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
  expect(blocks.length).toBeGreaterThan(3);
  const script = blocks
    .join('\n')
    .replace('http://localhost:3000', program.visitor.address)
    .replace('paste-the-token-here', await printed(program, /invitation=(\S+)/));
  const [, balance, reason] = /^That prints `(.+?)` and `(.+?)`\./m.exec(tutorial) ?? [];

  const shell = spawn('bash', ['-e', '-u', '-o', 'pipefail', '-c', script], {
    cwd: elsewhere.path,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([
    text(shell.stdout),
    text(shell.stderr),
    once(shell, 'close') as Promise<[number]>,
  ]);
  expect([code, err]).toEqual([0, '']);
  // What the registrations answer stands on the same line before it, because no answer ends one.
  expect(out.endsWith(`}${balance ?? '?'}\n${reason ?? '?'}\n`)).toBe(true);
});
