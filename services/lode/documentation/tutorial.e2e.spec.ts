import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  commandsIn,
  dataFolder,
  pageOf,
  printed,
  runInShell,
  startProgram,
  type Listening,
} from '../testing/index.js';

const folder = dataFolder();
const elsewhere = dataFolder();
let program: Listening;

beforeAll(async () => {
  program = await startProgram(folder.path);
});
afterAll(async () => {
  program.child.kill('SIGKILL');
  await program.ended;
  await folder.remove();
  await elsewhere.remove();
});

test('the tutorial’s commands, one after the other, end where it says that they do', async () => {
  const tutorial = pageOf('tutorial/first-funding.md');
  const script = commandsIn(tutorial)
    .replace('http://localhost:3000', program.visitor.address)
    .replace('paste-the-token-here', await printed(program, /invitation=(\S+)/));
  const [, balance, reason] = /^That prints `(.+?)` and `(.+?)`\./m.exec(tutorial) ?? [];

  const { code, out, err } = await runInShell(script, elsewhere.path);
  expect([code, err]).toEqual([0, '']);
  // What the registrations answer stands on the same line before it, because no answer ends one.
  expect(out.endsWith(`}${balance ?? '?'}\n${reason ?? '?'}\n`)).toBe(true);
});
