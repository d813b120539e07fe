import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngines } from '#engines';
import { sealedEvents } from '#event-store/testing';
import { logStart, type Position } from '#kernel';
import { describeWhere } from '#kernel/testing';
import { notesIn } from './left-notes.js';

const PDF = Buffer.from('%PDF-1.7\n%%EOF\n');
const quietly = () => undefined;
const scratchFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('lode-verify-'));

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lode-inspect-'));
  folder = join(root, 'data');
});
afterEach(() => rmSync(root, { recursive: true }));

const at = (dataFolder: string) => ({ dataFolder });
const inspect = (dataFolder: string) => openEngines(at(dataFolder), 'inspect');

/** A folder with three events and a file; gives where its log ends. */
async function filled(): Promise<Position> {
  const { events, files, close } = await openEngines(at(folder), 'serve');
  const appended = await events.append({
    stream: 'a',
    expected: 'no-stream',
    events: sealedEvents('a', 0, 3),
  });
  await files.put(PDF, { ownerId: 'ann', purpose: 'evidence' });
  await close();
  return appended.position;
}

describe('engines that are looked at', () => {
  test('make nothing', async () => {
    const { maintenance, openModels, remembered, mismatches } = await inspect(folder);
    expect([await maintenance.hasLog(), await openModels(), await remembered(), await mismatches()]).toEqual([
      false,
      undefined,
      undefined,
      [],
    ]);
    expect(maintenance.look()).toMatchObject({ isThere: false, parts: { log: { sizes: [] } } });
    expect(existsSync(folder)).toBe(false);
  });

  test('can be read while a program has them', async () => {
    const head = await filled();
    const serving = await openEngines(at(folder), 'serve');
    const { openLog, nextPosition, maintenance } = await inspect(folder);
    const log = await openLog();
    expect(await log.head()).toBe(head);
    const positions = (await log.readAll(logStart, 10)).map(({ position }) => position);
    expect(positions).toHaveLength(3);
    expect([logStart, ...positions.slice(0, -1)].map((one) => nextPosition?.(one))).toEqual(positions);
    expect(maintenance.isRunning()).toBe(true);
    await log.close();
    await serving.close();
    expect(maintenance.isRunning()).toBe(false);
  });

  test('tell each part whose structure is damaged', async () => {
    await filled();
    writeFileSync(join(folder, 'identity.sqlite'), 'no database'.repeat(1_000));
    const { maintenance } = await inspect(folder);
    expect(maintenance.checkQuickly('log')).toEqual({
      name: join(folder, 'events.sqlite'),
      isLeftOut: false,
    });
    expect(maintenance.checkQuickly('identity')?.complaint).toBeDefined();
    expect(maintenance.checkQuickly('readModels')).toBeUndefined();
    expect(maintenance.checkStructure().map(({ complaints }) => complaints.length)).toEqual([0, 1]);
  });

  test('fold into scratch models that leave nothing', async () => {
    const { openScratchModels } = await inspect(folder);
    // Others may be verified at the same time.
    const before = new Set(scratchFolders());
    const store = openScratchModels();
    expect(scratchFolders().filter((name) => !before.has(name))).toEqual([]);
    await store.begin({ name: 'notes', version: 1, indexes: [] }, { bulk: true });
    await store.close();
    expect(existsSync(folder)).toBe(false);
  });
});

describe('engines that nobody else has', () => {
  test('keep a program out until they are closed', async () => {
    const engines = await openEngines(at(folder), 'alone');
    await expect(openEngines(at(folder), 'serve')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(openEngines(at(folder), 'alone')).rejects.toMatchObject({ code: 'unavailable' });
    await engines.close();
    await (await openEngines(at(folder), 'serve')).close();
  });

  test('keep a run that was done by hand where the program lists its own', async () => {
    const engines = await openEngines(at(folder), 'alone');
    const [startedAt, endedAt] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:01.000Z'];
    await engines.recordRun({ kind: 'sweep', slot: startedAt, startedAt, endedAt, report: { done: 1 } });
    expect((await engines.remembered())?.lastRuns).toMatchObject([{ kind: 'sweep', state: 'done' }]);
    await engines.forgetRemembered();
    expect(await engines.remembered()).toBeUndefined();
    await engines.close();
  });
});

describe('a backup', () => {
  const backUp = async () => {
    const { maintenance } = await inspect(folder);
    return maintenance.backUp({
      to: join(root, 'backup'),
      check: async (copy) => {
        const log = await copy.openLog();
        const head = await log.head();
        await log.close();
        return head;
      },
      manifest: (head, files) => ({ head, files }),
      progress: quietly,
    });
  };

  test('has everything, and becomes a folder that a program starts on', async () => {
    const head = await filled();
    const { manifest, damaged } = await backUp();
    expect([manifest.head, manifest.files.count, damaged]).toEqual([head, 4, []]);
    const { maintenance } = await inspect(join(root, 'backup'));
    await maintenance.checkSums(manifest.files, quietly);
    const other = join(root, 'other');
    const engines = await openEngines(at(other), 'alone');
    await engines.maintenance.restore(join(root, 'backup'), quietly);
    await engines.close();
    const serving = await openEngines(at(other), 'serve');
    expect(await serving.events.head()).toBe(head);
    expect(await serving.files.list({ limit: 10 })).toHaveLength(1);
    await serving.close();
  });

  test('that was changed is told apart, and what is there is never written over', async () => {
    await filled();
    const { manifest } = await backUp();
    writeFileSync(join(root, 'backup', 'identity.sqlite'), 'changed');
    const { maintenance } = await inspect(join(root, 'backup'));
    await expect(maintenance.checkSums(manifest.files, quietly)).rejects.toThrow(
      'The backup is damaged: identity.sqlite is missing or was changed. Nothing was restored.',
    );
    const engines = await openEngines(at(folder), 'alone');
    await expect(engines.maintenance.restore(join(root, 'backup'), quietly)).rejects.toThrow(
      'a restore overwrites nothing',
    );
    await engines.close();
    const empty = await openEngines(at(join(root, 'empty')), 'alone');
    await expect(empty.maintenance.restore(join(root, 'backup'), quietly)).rejects.toThrow(
      'identity.sqlite was changed',
    );
    expect(readdirSync(join(root, 'empty'))).toEqual(['lock.sqlite', 'lock.sqlite-journal']);
    await empty.close();
  });
});

describe('what commands leave to be noted', () => {
  const early = '22222222-0000-4000-8000-000000000000';
  const late = '11111111-0000-4000-8000-000000000000';
  const blocked = '00000000-0000-4000-8000-000000000000';
  let data: string;
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'lode-notes-'));
  });
  afterEach(() => rmSync(data, { recursive: true }));
  const noteOf = (id: string, at: string) => ({ id, at, command: 'export' });

  test('is read the oldest first, and one that can’t be read keeps no other', async () => {
    const notes = notesIn(join(data, 'notes'));
    await notes.leave(noteOf(late, '2026-01-02T00:00:00.000Z'));
    await notes.leave(noteOf(early, '2026-01-01T00:00:00.000Z'));
    mkdirSync(join(data, 'notes', `${blocked}.json`));
    const some = notes.some();
    expect(some.notes.map(({ id }) => id)).toEqual([early, late]);
    expect(some.unreadable.map(({ id }) => id)).toEqual([blocked]);
  });

  test('is rid of what killed commands left half done, and of nothing else', async () => {
    const notes = notesIn(join(data, 'notes'));
    await notes.leave(noteOf(early, '2026-01-01T00:00:00.000Z'));
    notes.refuse(early);
    notes.refuse(late);
    writeFileSync(join(data, 'notes', `${late}.draft`), '');
    notes.sweep(0);
    expect(readdirSync(join(data, 'notes'))).toHaveLength(4);
    notes.sweep(Infinity);
    expect(readdirSync(join(data, 'notes')).sort()).toEqual([`${early}.json`, `${early}.refused`]);
  });

  describeWhere(process.getuid?.() === 0, 'by root', 'only root gives files away', () => {
    test('belongs to whom the data folder belongs', async () => {
      chownSync(data, 12_345, 12_345);
      await notesIn(join(data, 'notes')).leave(noteOf(early, '2026-01-01T00:00:00.000Z'));
      const owners = ['notes', `notes/${early}.json`].map((name) => statSync(join(data, name)));
      expect(owners.map(({ uid, gid }) => [uid, gid])).toEqual([
        [12_345, 12_345],
        [12_345, 12_345],
      ]);
    });
  });
});
