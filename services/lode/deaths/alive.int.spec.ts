import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';

const keepingAlive = new URL('../alive.js', import.meta.url).href;
const kernel = new URL('../../../libs/kernel/index.js', import.meta.url).href;

/** A process that is kept alive too long ends here, with no status. */
const LIMIT_MS = 10_000;

/** How a process ends whose only work is to wait for a run loop's timer. */
function ending(wait: string) {
  const script = `
    import { systemTimers } from '${kernel}';
    import { keepingAlive } from '${keepingAlive}';
    const work = () => new Promise((resolve) => systemTimers.after(20, resolve));
    await ${wait};
    console.log('done');`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    timeout: LIMIT_MS,
  });
  return { status, stdout };
}

test('work that waits keeps the process alive until it is done, and no longer', () => {
  expect(ending('work()')).toEqual({ status: 13, stdout: '' });
  expect(ending('keepingAlive(work)')).toEqual({ status: 0, stdout: 'done\n' });
  expect(ending('keepingAlive(() => Promise.reject(new Error())).catch(() => {})')).toEqual({
    status: 0,
    stdout: 'done\n',
  });
});
