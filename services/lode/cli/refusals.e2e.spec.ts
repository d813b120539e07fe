import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { canMount, mountTmpfs } from '#event-store/sqlite/testing';
import { lodeVersion } from '../version.js';
import {
  canBeOrdinary,
  dataFolders,
  lode,
  lodeWith,
  ordinaryUser,
  ownedByOrdinary,
  tell,
  usedFolder,
  type Used,
} from '../testing/index.js';

let used: Used;
beforeAll(async () => {
  used = await usedFolder();
});
afterAll(() => used.remove());

const { newFolder, removeFolders } = dataFolders();
afterEach(removeFolders);

/** A command that fails with one sentence for people, and with the same for programs. */
async function refused(folder: string, ...args: readonly string[]): Promise<unknown> {
  const { code, json } = await tell(folder, ...args);
  const people = await lode(folder, ...args);
  expect([people.code, people.err]).toEqual([code, `${String(json['message'])}\n`]);
  return { exit: code, code: json['code'], message: json['message'] };
}

describe('a place of the wrong kind is named in one sentence', () => {
  const one = (code: string, message: string) => ({ exit: 1, code, message });

  test('for an export', async () => {
    const folder = newFolder();
    const missing = pathJoin(folder, 'missing');
    expect(await refused(used.path, 'export', pathJoin(missing, 'x'))).toEqual(
      one('file_not_found', `There is no ${missing}.`),
    );
    for (const place of [folder, '/dev/null']) {
      expect(await refused(used.path, 'export', place)).toEqual(
        one('storage_failed', `${place} is no file: name one, or none for standard output.`),
      );
    }
  });

  test('for an import', async () => {
    const folder = newFolder();
    expect(await refused(newFolder(), 'import', folder)).toEqual(
      one('storage_failed', `${folder} is a folder: import takes a file.`),
    );
    expect(await refused(newFolder(), 'import', pathJoin(folder, 'x'))).toEqual(
      one('file_not_found', `There is no ${pathJoin(folder, 'x')}.`),
    );
  });

  test('for a backup, and for a restore', async () => {
    const [file, backup] = [pathJoin(newFolder(), 'file'), pathJoin(newFolder(), 'backup')];
    writeFileSync(file, 'mine');
    const isFile = one(
      'storage_failed',
      `${file} is no folder, or one above it is none: a file stands there.`,
    );
    expect(await refused(used.path, 'backup', file)).toEqual(isFile);
    await tell(used.path, 'backup', backup);
    expect(await refused(file, 'restore', backup)).toEqual(isFile);
    expect(readFileSync(file, 'utf8')).toBe('mine');
    rmSync(pathJoin(backup, 'SHA256SUMS'));
    const to = pathJoin(newFolder(), 'new');
    expect(await refused(to, 'restore', backup)).toEqual(
      one('storage_failed', 'The backup is damaged: its SHA256SUMS is missing. Nothing was restored.'),
    );
    expect(existsSync(to)).toBe(false);
  });

  test('where a database is to be', async () => {
    const folder = used.copy();
    for (const end of ['', '-wal', '-shm'])
      rmSync(pathJoin(folder, `read-models.sqlite${end}`), { force: true });
    mkdirSync(pathJoin(folder, 'read-models.sqlite'));
    for (const command of ['rebuild', 'tick']) {
      expect(await refused(folder, command)).toMatchObject({
        exit: 1,
        message: expect.stringMatching(/^The read models in \/.+ (?:are locked or )?cannot be \w.+\.$/),
      });
    }
    // It says its steps first.
    const { code, json } = await tell(folder, 'start');
    expect([code, json['message']]).toEqual([1, expect.stringMatching(/^The read models in \/.+\.$/)]);
  });
});

const asOrdinary = canBeOrdinary('commands on files that may not be read or written') ? test : test.skip;

describe('rights that are missing are named in one sentence', () => {
  /** A used folder of somebody whom rights can keep out, and what commands answer. */
  function ordinary() {
    const folder = used.copy();
    ownedByOrdinary(folder);
    const said = async (...args: readonly string[]) => {
      const { code, out, err } = await lodeWith(ordinaryUser, folder, ...args, '--json');
      expect([code, err]).toEqual([1, '']);
      return JSON.parse(out) as { readonly code: string; readonly message: string };
    };
    return { folder, said };
  }

  asOrdinary('a log that may not be read', async () => {
    const { folder, said } = ordinary();
    const log = pathJoin(folder, 'events.sqlite');
    chmodSync(log, 0);
    const to = newFolder();
    ownedByOrdinary(to);
    for (const command of [['verify'], ['backup', pathJoin(to, 'new')]]) {
      expect(await said(...command)).toMatchObject({
        code: 'storage_failed',
        message: `${log} can't be opened: look at its rights, and whether it is a file.`,
      });
    }
  });

  asOrdinary('a data folder that may not be looked into', async () => {
    const { folder, said } = ordinary();
    chmodSync(folder, 0);
    for (const command of ['verify', 'export', 'rebuild', 'invite-admin']) {
      expect(await said(command)).toMatchObject({
        code: 'storage_failed',
        message: `${pathJoin(folder, 'events.sqlite')} may not be read or written: look at the rights of it and of the folders above it.`,
      });
    }
    chmodSync(folder, 0o700);
  });

  asOrdinary('a data folder that may not be written, for a backup', async () => {
    const { folder, said } = ordinary();
    // With these there SQLite could do without the folder.
    for (const end of ['-wal', '-shm']) rmSync(pathJoin(folder, `identity.sqlite${end}`), { force: true });
    chmodSync(folder, 0o500);
    const to = newFolder();
    ownedByOrdinary(to);
    const { code, message } = await said('backup', pathJoin(to, 'new'));
    chmodSync(folder, 0o700);
    expect([code, message]).toEqual([
      'storage_failed',
      `${pathJoin(folder, 'identity.sqlite')} may not be read or written: look at the rights of it and of the folders above it.`,
    ]);
  });

  asOrdinary('read models that may not be written', async () => {
    const { folder, said } = ordinary();
    const file = pathJoin(folder, 'read-models.sqlite');
    chmodSync(file, 0o400);
    for (const command of ['start', 'rebuild', 'tick']) {
      expect(await said(command)).toMatchObject({
        code: 'storage_failed',
        message: `The read models in ${file} may not be written: look at the rights.`,
      });
    }
  });

  asOrdinary('what the processes remember that may not be written', async () => {
    const { folder, said } = ordinary();
    const file = pathJoin(folder, 'processes.sqlite');
    chmodSync(file, 0o400);
    for (const command of ['start', 'tick']) {
      expect(await said(command)).toMatchObject({
        code: 'storage_failed',
        message: `${file} may not be read or written: look at the rights of it and of the folders above it.`,
      });
    }
  });
});

(canMount('a restore and an export to a full disk') ? describe : describe.skip)('a disk that is full', () => {
  test('is named, and what was begun is taken away or gone on with', async () => {
    const backup = pathJoin(newFolder(), 'backup');
    const file = pathJoin(newFolder(), 'log.ndjson');
    await tell(used.path, 'backup', backup);
    await tell(used.path, 'export', file);
    const disk = mountTmpfs('size=16k');
    try {
      const full = { exit: 1, code: 'storage_full', message: 'The disk is full: make room, and try again.' };
      const folder = pathJoin(disk.folder, 'data');
      expect(await refused(folder, 'restore', backup)).toEqual(full);
      expect(readdirSync(folder).filter((name) => !name.startsWith('lock.sqlite'))).toEqual([]);
      rmSync(folder, { recursive: true });
      const part = pathJoin(disk.folder, 'log.ndjson');
      expect(await refused(used.path, 'export', part)).toEqual(full);
      expect(readFileSync(file).indexOf(readFileSync(part))).toBe(0);
    } finally {
      disk.unmount();
    }
  });
});

describe('a program that asked for JSON gets it', () => {
  test.each([
    [['nothing', '--json'], 'There is no command nothing.'],
    [['--json', 'verfy'], 'There is no command verfy: did you mean verify?'],
    [['help', 'nothing', '--json'], 'There is no command nothing.'],
    [['--nothing', '--json'], '--nothing comes after a command.'],
  ])('%j', async (typed, message) => {
    const { code, out, err } = await lode(used.path, ...typed);
    expect([code, JSON.parse(out), err]).toEqual([
      2,
      { command: null, ok: false, code: 'validation_failed', message },
      '',
    ]);
  });

  test('for help as well', async () => {
    const { out } = await lode(used.path, 'verify', '--help');
    for (const typed of [
      ['verify', '--help'],
      ['help', 'verify'],
    ]) {
      const { code, json } = await tell(used.path, ...typed);
      expect([code, json]).toEqual([0, { command: typed[0], ok: true, lines: out.trimEnd().split('\n') }]);
    }
  });
});

describe('help', () => {
  test('says the same however it is asked for', async () => {
    const [all, one] = await Promise.all([lode(used.path), lode(used.path, 'verify', '--help')]);
    expect([all.out, one.out]).toEqual([
      expect.stringMatching(/^ {2}verify {2,}Walks/m),
      expect.stringMatching(/^Walks/),
    ]);
    for (const typed of ['help', '--help', '-h']) expect(await lode(used.path, typed)).toEqual(all);
    for (const typed of [
      ['help', 'verify'],
      ['verify', '-h'],
    ])
      expect(await lode(used.path, ...typed)).toEqual(one);
  });

  test('is what a wrong command is answered with', async () => {
    const { code, out, err } = await lode(used.path, 'nothing');
    expect([code, out, err]).toEqual([
      2,
      '',
      expect.stringMatching(/^There is no command nothing\.\n\nLode's command line/),
    ]);
  });

  test('is one line where it is plain what was meant', async () => {
    for (const typed of [['verfy'], ['help', 'verfy'], ['--data', 'x', 'verfy']]) {
      const { code, out, err } = await lode(used.path, ...typed);
      expect([code, out, err]).toEqual([2, '', 'There is no command verfy: did you mean verify?\n']);
    }
  });
});

test('--version says which Lode it is', async () => {
  const version = lodeVersion();
  expect(await lode(used.path, '--version')).toEqual({ code: 0, out: `${version}\n`, err: '' });
  expect(await tell(used.path, '--version')).toEqual({
    code: 0,
    json: { command: 'version', ok: true, version },
  });
});

test('options of all commands may stand before the command', async () => {
  const after = await tell(newFolder(), 'heads', '--data', used.path);
  expect(after).toMatchObject({ code: 0, json: { command: 'heads', ok: true } });
  for (const place of [['--data', used.path], [`--data=${used.path}`]]) {
    const { code, out } = await lode(newFolder(), ...place, '--json', 'heads');
    expect({ code, json: JSON.parse(out) as unknown }).toEqual(after);
  }
  expect(await lode(used.path, '--json')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^\{"command":"help","ok":true/),
  });
});

test('an empty data folder is refused, and no other is taken for it', async () => {
  expect(await tell(used.path, 'verify', '--data', '')).toMatchObject({
    code: 2,
    json: { code: 'validation_failed', message: '--data needs a folder, not an empty text.' },
  });
});
