import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join as pathJoin } from 'node:path';
import { text } from 'node:stream/consumers';
import { openLogReader } from '#event-store/sqlite';
import { canonicalJson, chainHolds, chainStart, type RecordedEvent } from '#kernel';
import {
  dataFolder,
  dataFolders,
  killAfterChanges,
  lode,
  requestFunding,
  signIn,
  spawnLode,
  startProgram,
  tell,
  usedFolder,
  type Used,
} from '../testing/index.js';

let used: Used;
let exported: ReturnType<typeof dataFolder>;
let file: string;
let lines: readonly string[];
beforeAll(async () => {
  used = await usedFolder();
  exported = dataFolder();
  file = pathJoin(exported.path, 'log.ndjson');
  expect((await tell(used.path, 'export', file)).code).toBe(0);
  lines = readFileSync(file, 'utf8').trimEnd().split('\n');
});
afterAll(async () => {
  await used.remove();
  await exported.remove();
});

const { newFolder, removeFolders } = dataFolders();
afterEach(removeFolders);

/** A file of lines, and the import of it into a folder. */
async function imported(given: readonly string[], folder = newFolder()) {
  const from = pathJoin(newFolder(), 'given.ndjson');
  writeFileSync(from, given.map((line) => `${line}\n`).join(''));
  const { code, json } = await tell(folder, 'import', from);
  return { folder, code, ...(json as { present: number; imported: number; refusal: string | null }) };
}

/** What says which log is in a folder. */
function headerOf(folder: string) {
  const reader = openLogReader(pathJoin(folder, 'events.sqlite'));
  try {
    return reader.header();
  } finally {
    reader.close();
  }
}

const digestOf = async (folder: string) =>
  ((await tell(folder, 'verify', '--log-only')).json['log'] as { readonly digest: string }).digest;

describe('an export', () => {
  test('is the log, a line an event, with hashes that hold', () => {
    const heads = new Map<string, string>();
    for (const line of lines) {
      const event = JSON.parse(line) as RecordedEvent;
      expect(canonicalJson(event)).toBe(line);
      expect(chainHolds(heads.get(event.stream) ?? chainStart, event)).toBe(true);
      heads.set(event.stream, event.meta.chain);
    }
    expect(lines.map((line) => (JSON.parse(line) as RecordedEvent).position)).toEqual(
      lines.map((_, n) => String(n + 1)),
    );
  });

  test('can be read by its owner alone', () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('goes to standard output when no file is named, or -', async () => {
    for (const typed of [['export'], ['export', '-']]) {
      const { code, out, err } = await lode(used.path, ...typed);
      expect([code, err, out]).toEqual([0, '', readFileSync(file, 'utf8')]);
    }
    expect(existsSync('-')).toBe(false);
  });

  test('goes on after its last whole line, wherever it was cut off', async () => {
    const whole = readFileSync(file);
    for (const length of [
      0,
      1,
      lines[0]!.length,
      lines[0]!.length + 1,
      whole.length - 1,
      whole.length,
      whole.length - 400,
    ]) {
      const cut = pathJoin(newFolder(), 'cut.ndjson');
      writeFileSync(cut, whole);
      truncateSync(cut, length);
      expect(await tell(used.path, 'export', cut)).toMatchObject({ code: 0 });
      expect(readFileSync(cut).equals(whole)).toBe(true);
    }
  });

  test('goes on where it ended when the log has grown, beside the program', async () => {
    const folder = used.copy();
    const grown = pathJoin(newFolder(), 'log.ndjson');
    copyFileSync(file, grown);
    const program = await startProgram(folder);
    try {
      await requestFunding(await signIn(program.visitor, used.ann), '7.00');
      const { json } = await tell(folder, 'export', grown);
      const now = readFileSync(grown, 'utf8').trimEnd().split('\n');
      const added = now.slice(lines.length).map((line) => JSON.parse(line) as RecordedEvent);
      expect(json).toMatchObject({ written: added.length, resumedAfter: String(lines.length) });
      expect(now.slice(0, lines.length)).toEqual(lines);
      // Besides, each export so far is noted.
      const [noted, others] = [true, false].map((is) =>
        added.filter(({ type }) => (type === 'ListExported') === is),
      );
      expect(others).toHaveLength(2);
      expect(noted?.length).toBeGreaterThan(1);
    } finally {
      program.child.kill('SIGKILL');
      await program.ended;
    }
  });

  test('continues no file of another log', async () => {
    const other = pathJoin(newFolder(), 'other.ndjson');
    const last = JSON.parse(lines.at(-1)!) as RecordedEvent;
    for (const event of [
      { ...last, meta: { ...last.meta, chain: 'f'.repeat(64) } },
      { ...last, stream: 'account-x' },
      {},
    ]) {
      writeFileSync(other, `${JSON.stringify(event)}\n`);
      expect(await tell(used.path, 'export', other)).toMatchObject({ code: 1, json: { code: 'conflict' } });
    }
  });

  test.each([
    ['a text', 'Dear diary,\n'],
    ['a text without a newline', 'Dear diary'],
    ['a text whose last line has no newline', 'line one\nline two'],
    ['a number that JSON reads', '7\n'],
    ['what JSON knows as nothing', 'null\n'],
    ['blank lines', '\n\n'],
    ['another beginning of an event', '{"at":"2001'],
  ])('leaves %s as it was', async (_, text) => {
    const other = pathJoin(newFolder(), 'other');
    writeFileSync(other, text);
    const { code, json } = await tell(used.path, 'export', other);
    expect([code, json['code'], json['message']]).toEqual([
      1,
      'conflict',
      expect.stringMatching(/^\/.+ is not of this log: .+\. It was left as it is\.$/),
    ]);
    expect(readFileSync(other, 'utf8')).toBe(text);
  });

  test('leaves as it was what follows the log in a file and is not of it', async () => {
    const other = pathJoin(newFolder(), 'other.ndjson');
    for (const rest of ['Dear diary', `${lines.at(-1)!}x`, lines[3]!]) {
      for (const upTo of [2, lines.length]) {
        const text = `${lines.slice(0, upTo).join('\n')}\n${rest}`;
        writeFileSync(other, text);
        expect(await tell(used.path, 'export', other)).toMatchObject({ code: 1, json: { code: 'conflict' } });
        expect(readFileSync(other, 'utf8')).toBe(text);
      }
    }
  });

  test('touches nothing of a data folder, by whatever name', async () => {
    const folder = used.copy();
    const log = pathJoin(folder, 'events.sqlite');
    const before = readFileSync(log);
    const elsewhere = newFolder();
    const soft = pathJoin(elsewhere, 'soft');
    const hard = pathJoin(elsewhere, 'hard');
    const door = pathJoin(elsewhere, 'door');
    symlinkSync(log, soft);
    linkSync(log, hard);
    symlinkSync(folder, door);
    const inside = [log, soft, pathJoin(folder, 'new.ndjson'), pathJoin(door, 'new.ndjson')];
    for (const name of inside) {
      const { code, json } = await tell(folder, 'export', name);
      expect([code, json['message']]).toEqual([2, expect.stringContaining('is in the data folder')]);
    }
    expect(await tell(folder, 'export', hard)).toMatchObject({ code: 1, json: { code: 'conflict' } });
    expect(readFileSync(log).equals(before)).toBe(true);
    expect(readdirSync(folder)).not.toContain('new.ndjson');
  });

  test('ends quietly when nobody reads it any more', async () => {
    const child = await spawnLode(used.path, 'export');
    child.stdout?.destroy();
    const closed = once(child, 'close') as Promise<[number | null]>;
    const [err, [code]] = await Promise.all([text(child.stderr!), closed]);
    expect([code, err]).toEqual([1, '']);
  });
});

describe('an import', () => {
  test('into an empty folder makes the same log', async () => {
    const { code, folder, imported: count } = await imported(lines);
    expect([code, count]).toEqual([0, lines.length]);
    expect(await digestOf(folder)).toBe(await digestOf(used.path));
    const again = pathJoin(newFolder(), 'again.ndjson');
    await tell(folder, 'export', again);
    expect(readFileSync(again).equals(readFileSync(file))).toBe(true);
  });

  test('makes another log of the same platform', async () => {
    const { folder } = await imported(lines);
    expect(headerOf(folder)).toEqual({
      logId: expect.any(String),
      partitions: 1,
      program: expect.any(String),
    });
    expect(headerOf(folder)?.logId).not.toBe(headerOf(used.path)?.logId);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ stream: 'platform', type: 'PlatformFounded' });
  });

  test('goes on where the log ends, and does nothing twice', async () => {
    const half = Math.floor(lines.length / 2);
    const { folder, imported: first } = await imported(lines.slice(0, half));
    expect(first).toBe(half);
    expect(await imported(lines, folder)).toMatchObject({
      code: 0,
      present: half,
      imported: lines.length - half,
    });
    expect(await imported(lines, folder)).toMatchObject({ code: 0, present: lines.length, imported: 0 });
    expect(await imported(lines.slice(0, half), folder)).toMatchObject({
      code: 0,
      present: half,
      imported: 0,
    });
    expect(await digestOf(folder)).toBe(await digestOf(used.path));
  });

  test.each<[string, (all: string[]) => void, RegExp]>([
    [
      'an amount changed',
      (all) => (all[6] = all[6]!.replace('"at":"20', '"at":"21')),
      /^line 7, \w+-\S+@\d: /,
    ],
    ['a line left out', (all) => all.splice(6, 1), /^line 7, \w+-/],
    ['a line twice', (all) => all.splice(6, 0, all[5]!), /^line 7, \w+-/],
    ['a line that is no JSON', (all) => (all[6] = 'Dear diary,'), /^line 7: it is no JSON/],
    ['a line that is no event', (all) => (all[6] = '{}'), /^line 7: it has no position/],
    [
      'a line without meta',
      (all) => (all[6] = JSON.stringify({ ...(JSON.parse(all[6]!) as object), meta: null })),
      /^line 7, \w+-/,
    ],
    [
      'a number for a stream',
      (all) => (all[6] = JSON.stringify({ ...(JSON.parse(all[6]!) as object), stream: 7 })),
      /^line 7, /,
    ],
  ])('refuses the first wrong line by its number: %s', async (_, spoil, words) => {
    const all = [...lines];
    spoil(all);
    const { code, refusal, imported: count, folder } = await imported(all);
    expect([code, count, refusal]).toEqual([1, 6, expect.stringMatching(words)]);
    // The log is what stood before that line, and goes on from it.
    expect(await imported(lines, folder)).toMatchObject({ code: 0, present: 6, imported: lines.length - 6 });
  });

  test('refuses a line that is cut off, and a log that went another way', async () => {
    const from = pathJoin(newFolder(), 'cut.ndjson');
    writeFileSync(from, lines.join('\n'));
    const { json } = await tell(newFolder(), 'import', from);
    expect(json['refusal']).toBe(`line ${lines.length}: it is cut off.`);
    const other = await usedFolder();
    const { code, refusal } = await imported(lines, other.path);
    await other.remove();
    expect([code, refusal]).toEqual([
      1,
      expect.stringMatching(/^line \d: the log has another event there, at position \d/),
    ]);
  });

  test('that is killed leaves the beginning of the log, and the next one finishes it', async () => {
    const folder = newFolder();
    let killed = 0;
    for (const changes of [1, 8, 16, 28])
      if (await killAfterChanges(await spawnLode(folder, 'import', file), folder, changes)) killed += 1;
    expect(killed).toBeGreaterThan(0);
    expect(await tell(folder, 'import', file)).toMatchObject({ code: 0 });
    expect(await digestOf(folder)).toBe(await digestOf(used.path));
  });
});
