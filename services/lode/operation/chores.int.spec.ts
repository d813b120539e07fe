import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ForkOptions } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdirSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manualTimers } from '#commands/testing';
import { openEngines, roomOn } from '#engines';
import { until } from '#kernel/testing';
import { createChores, type ChoreProcess } from '../chores.js';
import { dataFolder } from '../testing/index.js';

let folder: ReturnType<typeof dataFolder>;
beforeAll(() => void (folder = dataFolder()));
afterAll(() => folder.remove());

const INSTANT = 1_767_225_600_000;
const BEGUN = '2026-01-01T00:00:00.000Z';
const NAME = '2026-01-01T00-00-00.000Z';
let folders = 0;

/** On a data folder of its own that has no log, so that whatever is begun fails. */
function chores({
  kept,
  folders: others,
  begins,
}: {
  kept?: unknown;
  /** Those of another program that was here before. */
  folders?: { readonly data: string; readonly backupFolder: string };
} & Pick<Parameters<typeof createChores>[0], 'begins'> = {}) {
  const said: object[] = [];
  const memory = { load: () => kept, keep: (ended: object) => void (kept = ended) };
  const own = join(folder.path, String((folders += 1)));
  const { data, backupFolder } = others ?? { data: join(own, 'data'), backupFolder: join(own, 'backups') };
  const { timers, waiting, fire } = manualTimers();
  const time = { now: INSTANT };
  const running = createChores({
    settings: { dataFolder: data },
    backupFolder,
    keepFree: 0,
    memory,
    logger: { error: (facts: object) => void said.push(facts) },
    clock: () => time.now,
    timers,
    ...(begins === undefined ? {} : { begins }),
  });
  return { ...running, data, backupFolder, said, time, waiting, fire, kept: () => kept };
}

/** A process that says what a test has it say, until it is killed. */
function fakeProcess() {
  const child = Object.assign(new EventEmitter(), {
    connected: true,
    send: () => true,
    kill: () => {
      child.emit('disconnect');
      return child.emit('exit', null, 'SIGKILL');
    },
  });
  const asked: ForkOptions[] = [];
  const begins = (_file: string, options: ForkOptions) => {
    asked.push(options);
    return child;
  };
  return { child, asked, begins };
}

function backUpInto(backupFolder: string, name: string): void {
  mkdirSync(join(backupFolder, name), { recursive: true });
  const sums = '0'.repeat(64);
  const log = { events: 3, streams: 1, head: { position: '3', chain: sums }, digest: sums };
  const files = { count: 2, bytes: 9, sums };
  const manifest = { format: 1, version: '0.1.0', madeAt: '2026-01-01T00:00:00.000Z', log, files };
  writeFileSync(join(backupFolder, name, 'manifest.json'), JSON.stringify(manifest));
}

describe('what is ordered beside the work of the program', () => {
  test('says that it came to nothing, leaves nothing, and is remembered', async () => {
    const { chores: all, stop, backupFolder, said, kept } = chores();
    expect(all.begin('backup')).toBe(true);
    expect(all.begin('backup')).toBe(false);
    expect(all.run('backup')).toMatchObject({ state: 'running', begunAt: '2026-01-01T00:00:00.000Z' });
    await until(() => all.run('backup')?.state === 'failed');
    await stop();
    expect(all.run('backup')?.failure).not.toContain(folder.path);
    expect(said).toEqual([{ code: 'unavailable', chore: 'backup' }]);
    expect(readdirSync(backupFolder)).toEqual([]);
    expect(chores({ kept: kept() }).chores.run('backup')).toEqual(all.run('backup'));
  });

  test('leaves what it has not made, though it has the name', async () => {
    const { chores: all, stop, backupFolder, said } = chores();
    mkdirSync(join(backupFolder, NAME, 'mine'), { recursive: true });
    all.begin('backup');
    await until(() => all.run('backup')?.state === 'failed');
    await stop();
    expect(said).toEqual([{ code: 'storage_failed', chore: 'backup' }]);
    expect(readdirSync(join(backupFolder, NAME))).toEqual(['mine']);
  });

  test('makes no folder where there is no room for a backup', async () => {
    const { chores: all, stop, data, backupFolder, said } = chores();
    mkdirSync(join(data, 'files'), { recursive: true });
    // It takes no room itself, as nothing is written of it, and stays too large whatever others free meanwhile.
    writeFileSync(join(data, 'files', 'large'), '');
    truncateSync(join(data, 'files', 'large'), 2 * roomOn(data).freeBytes);
    all.begin('backup');
    await until(() => all.run('backup')?.state === 'failed');
    await stop();
    expect(all.run('backup')?.failure).toMatch(/^A backup takes/);
    expect(said).toEqual([{ code: 'storage_full', chore: 'backup' }]);
    expect(readdirSync(backupFolder)).toEqual([]);
  });

  test('tells callers of damage without saying where the data is', async () => {
    const { chores: all, stop, data } = chores();
    await (await openEngines({ dataFolder: data }, 'serve')).close();
    writeFileSync(join(data, 'identity.sqlite'), 'no database'.repeat(1_000));
    all.begin('verify');
    await until(() => all.run('verify')?.state !== 'running');
    await stop();
    const { state, wrong } = all.run('verify') ?? {};
    expect([state, wrong]).toEqual(['done', expect.arrayContaining([expect.stringContaining('damaged')])]);
    expect(JSON.stringify(wrong)).not.toContain(data);
  });

  test('is ended with the program, and begins no more', async () => {
    const { chores: all, stop } = chores();
    all.begin('verify');
    await stop();
    expect(all.run('verify')).toMatchObject({ state: 'failed', failure: expect.stringContaining('stopped') });
    expect(all.begin('backup')).toBe(false);
    expect(all.run('backup')).toBeNull();
  });

  test('fails where the system has no room for another process', async () => {
    // As `fork` gives it, which has nothing to send by.
    const begins = (): ChoreProcess => {
      const child = Object.assign(new EventEmitter(), {
        connected: false,
        kill: () => false,
        send: () => {
          throw new TypeError('child.send is not a function');
        },
      });
      process.nextTick(() => child.emit('error', new Error('EMFILE')));
      return child;
    };
    const { chores: all } = chores({ begins });
    all.begin('verify');
    await until(() => all.run('verify')?.state === 'failed');
    expect(all.begin('verify')).toBe(true);
    await until(() => all.run('verify')?.state === 'failed');
  });

  test('is ended when it gave no sign for an hour', () => {
    const { child, begins } = fakeProcess();
    const { chores: all, waiting, fire } = chores({ begins });
    all.begin('backup');
    const before = waiting();
    child.emit('message', { kind: 'progress', step: 'Copying files', looked: 1, of: 2 });
    expect(waiting()).toEqual(before);
    fire(60 * 60_000 - 1);
    expect(all.run('backup')).toMatchObject({ state: 'running', looked: 1 });
    fire(60 * 60_000);
    expect(all.run('backup')).toMatchObject({ state: 'failed', failure: expect.stringContaining('no sign') });
    expect(waiting()).toEqual([]);
  });

  test('is not canceled in place of one that began before it', async () => {
    const { chores: all, time } = chores({ begins: fakeProcess().begins });
    all.begin('verify');
    const { begunAt = '' } = all.run('verify') ?? {};
    expect(await all.cancel('verify', begunAt)).toBe(true);
    time.now += 1;
    all.begin('verify');
    expect(await all.cancel('verify', begunAt)).toBe(false);
    expect(all.run('verify')?.state).toBe('running');
  });

  test('has no more memory than it needs, and nothing of what the program is set to', () => {
    const { asked, begins } = fakeProcess();
    process.env['LODE_METRICS_TOKEN'] = 'secret';
    try {
      chores({ begins }).chores.begin('verify');
    } finally {
      delete process.env['LODE_METRICS_TOKEN'];
    }
    expect(asked[0]?.execArgv).toContain('--max-old-space-size=1024');
    expect(Object.keys(asked[0]?.env ?? {})).not.toContain('LODE_METRICS_TOKEN');
  });

  test.each([
    ['no JSON of ours', 7],
    ['a run without a state', { verify: {} }],
  ])('remembers nothing of %s', (_what, kept) => expect(chores({ kept }).chores.run('verify')).toBeNull());

  test('takes for the last backup none without a good manifest', async () => {
    const { chores: all, backupFolder } = chores();
    mkdirSync(join(backupFolder, 'half'), { recursive: true });
    mkdirSync(join(backupFolder, 'bad'));
    writeFileSync(join(backupFolder, 'bad', 'manifest.json'), '{}');
    expect(await all.backups.last()).toBeNull();
  });

  test('deletes what a killed program has left of a backup, and nothing else', async () => {
    const first = chores({ begins: fakeProcess().begins });
    const [half, whole] = ['2026-01-01T00-00-00.000Z', '2026-01-02T00-00-00.000Z'];
    const { data, backupFolder } = first;
    for (const name of [half, 'mine']) mkdirSync(join(backupFolder, name, 'files'), { recursive: true });
    backUpInto(backupFolder, whole);
    const making = [half, whole, '../data', 'mine'].map((name) => ({ name, begunAt: BEGUN }));
    mkdirSync(data);
    // One name that is none of ours, and nothing of it is believed.
    expect(chores({ kept: { making }, folders: first }).chores.run('backup')).toBeNull();
    const after = chores({ kept: { making: making.slice(0, 2) }, folders: first });
    expect(after.chores.run('backup')).toMatchObject({ state: 'failed', begunAt: BEGUN });
    await after.stop();
    expect(readdirSync(backupFolder)).toEqual([whole, 'mine']);
    expect(after.kept()).toMatchObject({ making: [] });
    const failure = 'The program was killed before it was done.';
    expect(chores({ kept: after.kept() }).chores.run('backup')).toMatchObject({ failure });
  });

  test('keeps which backup is being made, until it is one or is canceled', async () => {
    const { child, begins } = fakeProcess();
    const { chores: all, backupFolder, kept } = chores({ begins });
    all.begin('backup');
    expect(kept()).toBeUndefined();
    mkdirSync(join(backupFolder, NAME), { recursive: true });
    child.emit('message', { kind: 'made' });
    expect(kept()).toEqual({ making: [{ name: NAME, begunAt: BEGUN }] });
    expect(await all.cancel('backup', BEGUN)).toBe(true);
    expect(readdirSync(backupFolder)).toEqual([]);
    expect(kept()).toMatchObject({ making: [], backup: { state: 'canceled' } });
  });

  test('sees a backup whose manifest comes later, and one that is no more', async () => {
    const { chores: all, backupFolder, time } = chores();
    const last = async () => {
      time.now += 10_000;
      return (await all.backups.last())?.name;
    };
    mkdirSync(join(backupFolder, 'two'), { recursive: true });
    backUpInto(backupFolder, 'one');
    // Long ago, so that what is there is believed to be all there is.
    const before = new Date(INSTANT);
    utimesSync(join(backupFolder, 'one', 'manifest.json'), before, before);
    utimesSync(backupFolder, before, before);
    expect(await last()).toBe('one');
    backUpInto(backupFolder, 'two');
    expect(await last()).toBe('two');
    rmSync(join(backupFolder, 'two', 'manifest.json'));
    expect(await last()).toBe('one');
    rmSync(join(backupFolder, 'one'), { recursive: true });
    expect(await last()).toBeUndefined();
  });

  test('looks for the last backup from time to time, and when one has ended', async () => {
    const { child, begins } = fakeProcess();
    const { chores: all, backupFolder, time } = chores({ begins });
    expect(await all.backups.last()).toBeNull();
    backUpInto(backupFolder, 'one');
    expect(await all.backups.last()).toBeNull();
    time.now += 10_000;
    expect(await all.backups.last()).toMatchObject({ name: 'one', events: 3 });
    rmSync(join(backupFolder, 'one'), { recursive: true });
    all.begin('backup');
    child.emit('message', { kind: 'done', wrong: [] });
    expect(await all.backups.last()).toBeNull();
  });
});
