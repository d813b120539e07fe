import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { commandsIn, dataFolder, pageOf, runInShell, usedFolder, type Used } from '../testing/index.js';

/** The pages whose commands are the command line's. */
const pages = ['backup.md', 'erase.md', 'keys.md', 'rebuild.md', 'restore.md', 'upgrade.md'];

let used: Used;
beforeAll(async () => {
  used = await usedFolder();
});
afterAll(() => used.remove());

test.each(pages)('the commands of %s do what it says, one after the other', async (page) => {
  const script = commandsIn(pageOf(`how-to/${page}`))
    .replace('paste-the-id-here', used.ann.userId)
    // Nobody sits at a terminal who could be asked.
    .replace(/lode erase .+$/m, '$& --yes')
    // It ends with 1 where the disk of a busy machine takes long, too.
    .replace(/lode doctor$/gm, '$& || [ $? = 1 ]');
  const place = dataFolder();
  cpSync(used.path, join(place.path, 'data'), { recursive: true });
  const { code, out, err } = await runInShell(script, place.path);
  expect([code, err]).toEqual([0, '']);
  expect(out.replaceAll(/^WRONG: The disk takes only .*$/gm, '')).not.toContain('WRONG');
  await place.remove();
});

test('the page of settings names everything that is in a data folder', () => {
  const page = pageOf('reference/settings.md');
  const names = readdirSync(used.path, { withFileTypes: true })
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name.replace(/-(?:wal|shm)$/, '')))
    .filter((name) => !page.includes(`\`${name}\``));
  expect(names).toEqual([]);
});
