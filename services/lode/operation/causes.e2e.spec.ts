import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { canMount, mountTmpfs } from '#event-store/sqlite/testing';
import { canTrace, describeWhere } from '#kernel/testing';
import {
  credit,
  killAll,
  lode,
  notOn,
  signIn,
  spawnProgram,
  startProgram,
  usedFolder,
  type Listening,
  type Program,
  type Used,
} from '../testing/index.js';

/** Each fault is one of files in the folder. */
const isHere = !notOn(['eventstore', 'mongodb', 's3'], 'what an operator reads of files');

let used: Used;
const programs: Program[] = [];
afterEach(() => killAll(programs));

/** What a start says that does not come to be. */
async function refusal(env: Readonly<Record<string, string>>, descriptors?: number): Promise<string> {
  const program = spawnProgram(env, descriptors === undefined ? {} : { descriptors });
  programs.push(program);
  expect(await program.ended).toEqual({ code: 1, signal: null });
  return program.printed.err;
}

async function start(folder: string): Promise<Listening> {
  const program = await startProgram(folder);
  programs.push(program);
  return program;
}

describeWhere(isHere, 'what keeps a program from starting', 'files are on servers', () => {
  beforeAll(async () => {
    used = await usedFolder();
  });
  afterAll(() => used.remove());

  test('too few descriptors are named, with what to do', async () => {
    expect(await refusal({ LODE_DATA: used.path }, 40)).toBe(
      'This process may have 40 files open at a time, and Lode needs 128 at least: raise the limit (ulimit -n, or LimitNOFILE of the service).\n',
    );
  });

  test('a heap that is too small is named before Node dies of it', async () => {
    const env = { LODE_DATA: used.path, NODE_OPTIONS: '--max-old-space-size=48' };
    expect(await refusal(env)).toMatch(
      /^Node may use \d+ MiB of memory for its heap, and Lode needs 256 .+\n$/,
    );
  });

  (canMount('a disk that is read-only') ? test : test.skip)('a disk that is read-only is named', async () => {
    const disk = mountTmpfs('size=32m');
    const folder = pathJoin(disk.folder, 'data');
    execFileSync('cp', ['-r', used.path, folder]);
    execFileSync('mount', ['-o', 'remount,ro', disk.folder]);
    for (const place of [folder, pathJoin(disk.folder, 'new', 'data')]) {
      expect(await refusal({ LODE_DATA: place })).toBe(
        `The disk that has ${place} is read-only: mount it so that it can be written, or set LODE_DATA.\n`,
      );
    }
    disk.unmount();
  });

  (canMount('a disk that is full') ? test : test.skip)('a disk that is full is named', async () => {
    const disk = mountTmpfs('size=8m');
    const folder = pathJoin(disk.folder, 'data');
    execFileSync('cp', ['-r', used.path, folder]);
    expect(() => writeFileSync(pathJoin(disk.folder, 'ballast'), Buffer.alloc(2 ** 23))).toThrow('ENOSPC');
    expect(await refusal({ LODE_DATA: folder })).toBe(
      `The disk that has ${folder} is full: make room on it.\n`,
    );
    disk.unmount();
  });

  test('a folder of uploaded files that is gone is said, and keeps nobody from starting', async () => {
    const folder = used.copy();
    rmSync(pathJoin(folder, 'files'), { recursive: true });
    const { printed } = await start(folder);
    expect(printed.out).toContain(
      `There was no folder ${pathJoin(folder, 'files')}, but the log names uploaded files: put it back from a backup`,
    );
    expect((await start(used.copy())).printed.out).not.toContain('There was no folder');
  });

  (canTrace() ? test : test.skip).each([1, 3, 8])(
    'a read that fails once (the %ith) is neither damage nor an end',
    async (nth) => {
      for (const name of ['events', 'identity', 'read-models', 'processes']) {
        const folder = used.copy();
        const file = pathJoin(folder, `${name}.sqlite`);
        const fails = ['-P', file, '-e', 'trace=pread64', '-e', `inject=pread64:error=EIO:when=${nth}`];
        const main = new URL('../cli/main.js', import.meta.url).pathname;
        const verify = [process.execPath, '--disable-warning=ExperimentalWarning', main, 'verify'];
        const { status, stdout } = spawnSync(
          'strace',
          ['-f', '-qq', '-o', '/dev/null', ...fails, ...verify, '--data', folder],
          { encoding: 'utf8' },
        );
        expect([name, stdout.split('\n').at(-2), status]).toEqual([name, 'Nothing is wrong.', 0]);
        expect(readdirSync(folder).filter((one) => /discarded|damaged/.test(one))).toEqual([]);
      }
    },
  );

  test('a read model of which any page is damaged ends verify in a sentence', async () => {
    const folder = used.copy();
    const file = pathJoin(folder, 'read-models.sqlite');
    const whole = readFileSync(file);
    const PAGE = 4_096;
    for (let page = 1; page < whole.length / PAGE; page += Math.ceil(whole.length / PAGE / 6)) {
      writeFileSync(file, Buffer.from(whole).fill(0x5a, page * PAGE, page * PAGE + 200));
      const { code, out, err } = await lode(folder, 'verify');
      expect(`${out}${err}`).not.toMatch(/\n +at /);
      expect([0, 1]).toContain(code);
      if (code === 1) expect(out).toMatch(/\nWRONG: .*read model/);
    }
  });
});

describeWhere(isHere, 'a lock whose file was removed', 'files are on servers', () => {
  beforeAll(async () => {
    used = await usedFolder();
  });
  afterAll(() => used.remove());

  const lockIn = (folder: string) => pathJoin(folder, 'lock.sqlite');

  test.each<[string, (lock: string) => void]>([
    ['removed', (lock) => rmSync(lock)],
    [
      'replaced',
      (lock) => {
        rmSync(lock);
        writeFileSync(lock, '');
      },
    ],
  ])('(%s) keeps a second program away all the same', async (_, spoil) => {
    const folder = used.copy();
    const first = await start(folder);
    const admin = await signIn(first.visitor, used.admin);
    spoil(lockIn(folder));
    expect(await refusal({ LODE_DATA: folder })).toBe(
      `Another Lode is running on ${folder}: stop it or set LODE_DATA.\n`,
    );
    await credit(admin, used.ann, { BTC: '1.00' });
    expect(existsSync(lockIn(folder))).toBe(true);
    expect(first.child.exitCode).toBeNull();
  });

  test('ends the program that could not look while a second one started', async () => {
    const folder = used.copy();
    const first = await start(folder);
    first.child.kill('SIGSTOP');
    rmSync(lockIn(folder));
    const second = await start(folder);
    first.child.kill('SIGCONT');
    expect(await first.ended).toEqual({ code: 1, signal: null });
    expect(first.printed.err).toBe(
      `Another program has ${folder}, whose lock.sqlite was removed or replaced: this one writes nothing more.\n`,
    );
    await credit(await signIn(second.visitor, used.admin), used.ann, { BTC: '1.00' });
  });
});
