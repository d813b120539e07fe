import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join as pathJoin } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { canMount, mountTmpfs } from '#event-store/sqlite/testing';
import { openEngines } from '#engines';
import {
  AILING_DISK,
  findingsIn,
  lode,
  lodeWith,
  spawnProgram,
  startProgram,
  tell,
  tellWith,
  usedFolder,
  type Finding,
  type Used,
} from '../testing/index.js';

let used: Used;
beforeAll(async () => {
  used = await usedFolder();
});
afterAll(() => used.remove());

/** What the doctor finds in a folder, beside what this machine's disk is like. */
async function foundIn(folder: string): Promise<readonly Finding[]> {
  const { json } = await tell(folder, 'doctor');
  expect(Object.keys(json)).toEqual([
    'command',
    'ok',
    'folder',
    'running',
    'versions',
    'settings',
    'settingsOf',
    'disk',
    'files',
    'log',
    'head',
    'processes',
    'scrub',
    'findings',
  ]);
  return findingsIn(json);
}

/** Overwrites a page of a database with zeros, the last one unless told otherwise. */
function zeroPage(file: string, page?: number): void {
  const bytes = readFileSync(file);
  const size = bytes.readUInt16BE(16);
  const from = (page ?? bytes.length / size - 1) * size;
  writeFileSync(file, bytes.fill(0, from, from + size));
}

function change(file: string, sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}

const GARBAGE = 'This was a database once. '.repeat(1_000);

describe('the doctor names what is damaged', () => {
  const at = (folder: string, name: string) => pathJoin(folder, name);
  test.each<[string, string, (file: string) => void, RegExp]>([
    [
      'a header',
      'identity.sqlite',
      (file) => writeFileSync(file, GARBAGE),
      /is damaged or is not a database/,
    ],
    ['a page', 'identity.sqlite', (file) => zeroPage(file), /is damaged/],
    [
      'a newer layout',
      'identity.sqlite',
      (file) => change(file, 'PRAGMA user_version = 1000'),
      /was written by a newer Lode/,
    ],
    ['an emptied file', 'identity.sqlite', (file) => truncateSync(file, 0), /missing or empty/],
    ['a header', 'events.sqlite', (file) => writeFileSync(file, GARBAGE), /is damaged: restore it/],
    ['a page', 'events.sqlite', (file) => zeroPage(file, 7), /is damaged/],
    [
      'a newer layout',
      'events.sqlite',
      (file) => change(file, 'PRAGMA user_version = 1000'),
      /was written by a newer Lode/,
    ],
    ['a header', 'read-models.sqlite', (file) => writeFileSync(file, GARBAGE), /cannot be read or written/],
    ['a file cut short', 'read-models.sqlite', (file) => truncateSync(file, 20_000), /cannot be read/],
    ['a page', 'read-models.sqlite', (file) => zeroPage(file), /is damaged/],
    [
      'a folder in its place',
      'read-models.sqlite',
      (file) => {
        rmSync(file);
        mkdirSync(file);
      },
      /cannot be (?:opened|read or written)/,
    ],
    [
      'another program’s database',
      'processes.sqlite',
      (file) => {
        rmSync(file);
        change(file, 'CREATE TABLE notes (text TEXT)');
      },
      /not one of Lode's processes/,
    ],
    ['a header', 'processes.sqlite', (file) => writeFileSync(file, GARBAGE), /can't be read: file is not/],
    [
      'a header',
      'files/catalog.sqlite',
      (file) => writeFileSync(file, GARBAGE),
      /can't be used: file is not/,
    ],
    ['files that are gone', 'files', (file) => rmSync(file, { recursive: true }), /There is no folder/],
  ])('%s of %s', async (_, name, spoil, sentence) => {
    const folder = used.copy();
    spoil(at(folder, name));
    const { code, out, err } = await lode(folder, 'doctor');
    expect([code, err]).toEqual([1, '']);
    const wrong = out.split('\n').filter((line) => /^WRONG: /.test(line) && !AILING_DISK.test(line));
    expect(wrong).toEqual([expect.stringMatching(sentence)]);
    // The rest is told as ever, and what was not looked at as well.
    expect(out).toMatch(/^ {2}LODE_DATA /m);
    expect(out).toMatch(/^The disk has /m);
    if (!name.startsWith('events')) expect(out).toMatch(/^The log ends at position \d+\.$/m);
    if (!/^events|^read/.test(name)) expect(out).toMatch(/^ {2}accounts +there/m);
    if (!name.startsWith('processes')) expect(out).toMatch(/^ {2}transfers +/m);
    expect(out).toMatch(/`lode verify` does that\.\n$/);
    expect(existsSync(at(folder, 'read-models.sqlite.damaged'))).toBe(false);
  });

  test('and what is in several places at once', async () => {
    const folder = used.copy();
    for (const name of ['events.sqlite', 'identity.sqlite', 'read-models.sqlite', 'files/catalog.sqlite'])
      writeFileSync(pathJoin(folder, name), GARBAGE);
    expect((await foundIn(folder)).map(({ what }) => what)).toEqual([
      expect.stringContaining('events.sqlite'),
      expect.stringContaining('identity.sqlite'),
      expect.stringContaining('read-models.sqlite'),
      expect.stringContaining('catalog.sqlite'),
    ]);
  });

  test('not a folder that is well', async () => {
    expect(await foundIn(used.copy())).toEqual([]);
  });

  test('an empty folder, which may be the wrong one', async () => {
    const folder = used.copy();
    for (const name of readdirSync(folder)) rmSync(pathJoin(folder, name), { recursive: true });
    expect((await foundIn(folder)).map(({ what }) => what)).toEqual([`There is no log in ${folder}.`]);
  });
});

describe('the settings that the doctor shows', () => {
  type Shown = { readonly name: string; readonly value: string; readonly source: string };
  const shownIn = (json: Readonly<Record<string, unknown>>) =>
    new Map((json['settings'] as readonly Shown[]).map(({ name, value, source }) => [name, [value, source]]));
  /** The program with settings that no shell here has. */
  const start = (folder: string) =>
    startProgram(folder, { LODE_PASSWORD_MIN: '9', LODE_LOG: 'error', LODE_SECURE: 'true' });
  const own = { env: { LODE_LOG: 'debug', LODE_HOST: '0.0.0.0' } };

  test('are those of the program that runs, whatever the shell has', async () => {
    const folder = used.copy();
    const { child, ended } = await start(folder);
    try {
      const { json } = await tellWith(own, folder, 'doctor');
      expect(json).toMatchObject({ running: true, settingsOf: 'program' });
      const shown = shownIn(json);
      expect(shown.get('LODE_PASSWORD_MIN')).toEqual(['9', 'environment']);
      expect(shown.get('LODE_LOG')).toEqual(['error', 'environment']);
      expect(shown.get('LODE_HOST')).toEqual(['127.0.0.1', 'default']);
      expect(JSON.stringify(json['findings'])).not.toContain('0.0.0.0');
      const { out } = await lodeWith(own, folder, 'doctor');
      expect(out).toMatch(/^Lode .+ It is running on .+\nIts settings:\n {2}PORT /);
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
    const { json } = await tellWith(own, folder, 'doctor');
    expect(json).toMatchObject({ running: false, settingsOf: 'shell' });
    expect(shownIn(json).get('LODE_LOG')).toEqual(['debug', 'environment']);
    expect(JSON.stringify(json['findings'])).toContain('Lode listens on 0.0.0.0');
  });

  test('are said to be the shell’s when a program does not say what it is set to', async () => {
    const folder = used.copy();
    const { child, ended } = await start(folder);
    try {
      writeFileSync(pathJoin(folder, 'settings.json'), '[{"name":"LODE_LOG"}]');
      expect(await tell(folder, 'doctor')).toMatchObject({ json: { running: true, settingsOf: 'shell' } });
      const { out } = await lode(folder, 'doctor');
      expect(out).toContain('\nThe settings of this shell; what runs does not say what it is set to');
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
  });

  test('of a program that was killed are not taken for those of what has the folder after it', async () => {
    const folder = used.copy();
    const { child, ended } = await start(folder);
    child.kill('SIGKILL');
    await ended;
    expect(readFileSync(pathJoin(folder, 'settings.json'), 'utf8')).toContain('LODE_PASSWORD_MIN');
    const engines = await openEngines({ dataFolder: folder }, 'alone');
    try {
      expect(await tell(folder, 'doctor')).toMatchObject({ json: { running: true, settingsOf: 'shell' } });
    } finally {
      await engines.close();
    }
  });
});

test('a damaged catalog of uploaded files does not keep Lode from starting', async () => {
  const folder = used.copy();
  writeFileSync(pathJoin(folder, 'files', 'catalog.sqlite'), GARBAGE);
  const program = await startProgram(folder);
  program.child.kill('SIGTERM');
  await program.ended;
  expect(program.printed.out).toContain('The catalog of uploaded files was damaged');
  expect(await foundIn(folder)).toEqual([]);
});

const onMount = canMount('the doctor on disks of their own') ? describe : describe.skip;

onMount('the doctor on a disk', () => {
  async function on(work: (folder: string, disk: string) => Promise<void>): Promise<void> {
    const disk = mountTmpfs('size=64m');
    const folder = pathJoin(disk.folder, 'data');
    try {
      cpSync(used.path, folder, { recursive: true });
      await work(folder, disk.folder);
    } finally {
      disk.unmount();
    }
  }

  test('that is read-only says so, and everything else', () =>
    on(async (folder, disk) => {
      execFileSync('mount', ['-o', 'remount,ro', disk]);
      const { code, out, err } = await lode(folder, 'doctor');
      expect([code, err]).toEqual([1, '']);
      expect(out).toContain(
        `WRONG: The disk that has ${folder} is read-only: mount it so that it can be written`,
      );
      expect(out).toMatch(/WRONG: Whoever runs this may not read and write .*events\.sqlite/);
      expect(out).toMatch(/^ {2}PORT /m);
    }));

  test('that is full says that, and not that rights are wrong', () =>
    on(async (folder, disk) => {
      expect(() => writeFileSync(pathJoin(disk, 'ballast'), Buffer.alloc(2 ** 26))).toThrow('ENOSPC');
      const { code, out, err } = await lode(folder, 'doctor');
      expect([code, err]).toEqual([1, '']);
      expect(out).toContain(`WRONG: The disk that has ${folder} is full: make room on it.`);
      expect(out).toContain('WRONG: Only 0 B are free');
      expect(out).not.toMatch(/can't be written|Restart|restore/);
      expect(readdirSync(folder).filter((name) => name.startsWith('doctor'))).toEqual([]);
    }));

  test('with one file that may not be written names it, as the start refuses it', () =>
    on(async (folder) => {
      const file = pathJoin(folder, 'read-models.sqlite');
      execFileSync('mount', ['--bind', file, file]);
      execFileSync('mount', ['-o', 'remount,bind,ro', file]);
      try {
        expect((await foundIn(folder)).map(({ what }) => what)).toEqual([
          `Whoever runs this may not read and write ${file}.`,
        ]);
        const program = spawnProgram({ LODE_DATA: folder });
        expect(await program.ended).toEqual({ code: 1, signal: null });
        expect(program.printed.err).toBe(
          `The read models in ${file} may not be written: look at the rights.\n`,
        );
      } finally {
        execFileSync('umount', [file]);
      }
    }));
});
