import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolders } from '../testing/index.js';

const TOOLCHAIN = new URL('../../../../scripts/lib/toolchain.mjs', import.meta.url).href;
const { newFolder, removeFolders } = dataFolders();

/** Resolves once nothing answers at an address any more. */
async function gone(address: string): Promise<void> {
  for (;;) {
    try {
      await (await fetch(`${address}/health/live`)).text();
    } catch {
      return;
    }
  }
}

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'the program ends when npm, which started it, is ended by %s',
  async (signal) => {
    const folder = newFolder();
    try {
      writeFileSync(
        join(folder, 'start.mjs'),
        `import { become } from '${TOOLCHAIN}'; become(process.execPath, 'services/lode/main.js');`,
      );
      writeFileSync(join(folder, 'package.json'), '{"scripts":{"start":"node start.mjs"}}');
      const npm = spawn('npm', ['start'], {
        cwd: folder,
        env: { PATH: process.env['PATH'], HOME: folder, PORT: '0', LODE_DATA: join(folder, 'data') },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const address = await new Promise<string>((resolve, reject) => {
        let printed = '';
        npm.stdout.setEncoding('utf8').on('data', (text: string) => {
          printed += text;
          const [, found] = /Lode is ready at (http:\S+) /.exec(printed) ?? [];
          if (found !== undefined) resolve(found);
        });
        npm.once('exit', () => reject(new Error(printed)));
      });
      npm.kill(signal);
      await expect(gone(address)).resolves.toBeUndefined();
    } finally {
      await removeFolders();
    }
  },
);
