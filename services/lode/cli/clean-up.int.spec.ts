import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withCleanup } from './clean-up.js';

/** Makes two folders, one within the work of the other, and then works until it is ended. */
const PROGRAM = `
  import { mkdirSync, rmdirSync } from 'node:fs';
  import { setInterval } from 'node:timers';
  const { withCleanup } = await import(process.argv[1]);
  const [outer, inner] = [process.argv[2], process.argv[2] + '/inner'];
  const endless = () => new Promise(() => setInterval(() => undefined, 1_000));
  await withCleanup(() => rmdirSync(outer), () => {
    mkdirSync(outer);
    return withCleanup(() => rmdirSync(inner), () => {
      mkdirSync(inner);
      console.log('made');
      return endless();
    });
  });
`;

describe('what is to be undone', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lode-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('is undone on %s, newest first', async (signal) => {
    const made = join(folder, 'outer');
    const home = new URL('./clean-up.js', import.meta.url).href;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM, home, made], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    expect(existsSync(join(made, 'inner'))).toBe(true);
    child.kill(signal);
    const [code, ended] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    expect([code, ended, existsSync(made)]).toEqual([null, signal, false]);
  });

  test('is undone once, after the work and after its failure, and signals are left as they were', async () => {
    const before = process.listenerCount('SIGINT');
    const undone: string[] = [];
    const work = withCleanup(
      () => undone.push('work'),
      async () => {
        expect(process.listenerCount('SIGINT')).toBe(before + 1);
        return 'done';
      },
    );
    expect(await work).toBe('done');
    const failing = withCleanup(
      () => undone.push('failure'),
      () => Promise.reject(new Error('no')),
    );
    await expect(failing).rejects.toThrow('no');
    expect([undone, process.listenerCount('SIGINT')]).toEqual([['work', 'failure'], before]);
  });
});
