import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAggregates, foundPlatform } from '#application';
import { openEngines, openForCopy } from '#engines';
import { everything, startWriting } from '#event-store/testing';
import { LodeError, systemClock, systemRandom } from '#kernel';
import { PDF } from '../testing/index.js';
import { copyAll } from './migrate.js';

const OWNER = { ownerId: 'ann', purpose: 'evidence' } as const;
const quietly = { leaveDamaged: false, progress: () => undefined };

describe('a deployment that is copied', () => {
  let root: string;
  let open: (() => Promise<void>)[];
  let writing: ReturnType<typeof startWriting>;
  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'lode-migrate-'));
    open = [];
    writing = startWriting();
    const { events, identity, files, close } = await openEngines(at('source'), 'serve');
    const aggregates = createAggregates({ eventStore: events, clock: systemClock });
    const platformId = await foundPlatform(aggregates, systemRandom);
    await identity.claim(platformId);
    await files.claim(platformId);
    await writing.append(events, 'a', 3);
    await close();
  });
  afterEach(async () => {
    for (const close of open.reverse()) await close();
    rmSync(root, { recursive: true });
  });

  const at = (name: string) => ({ dataFolder: join(root, name) });
  const sides = async (from = 'source', to = 'target') => {
    const source = await openForCopy(at(from), 'from');
    open.push(source.close);
    const target = await openForCopy(at(to), 'to');
    open.push(target.close);
    return { source, target };
  };

  test('is not given over when something was written to it meanwhile, which the next copy has', async () => {
    const { source, target } = await sides();
    let isWritten = false;
    const written: typeof source.identity.people = async (after, limit) => {
      if (!isWritten) await writing.append(source.events, 'a', 2);
      isWritten = true;
      return source.identity.people(after, limit);
    };
    const busy = { ...source, identity: { ...source.identity, people: written } };
    await expect(copyAll(busy, target, quietly)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('written while it was copied') as unknown,
    });
    expect(await target.events.header()).toMatchObject({ filling: true });
    const { log } = await copyAll(source, target, quietly);
    expect(log.events).toBe((await everything(source.events)).length);
    expect(await target.events.header()).toMatchObject({ filling: false });
  });

  test('is compared as far as it was copied, so that what was written since is no difference', async () => {
    const { source, target } = await sides();
    const reactors = async () => {
      await writing.append(source.events, 'a', 2);
      return source.reactors();
    };
    await expect(copyAll({ ...source, reactors }, target, quietly)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/^Something was written while it was copied/) as unknown,
    });
    expect(await source.events.header()).not.toHaveProperty('movedTo');
    await copyAll(source, target, quietly);
  });

  test.each(['identity', 'files'] as const)('goes nowhere where %s are another platform’s', async (store) => {
    const { source, target } = await sides();
    await target[store].claim('another');
    await expect(copyAll(source, target, quietly)).rejects.toMatchObject({ code: 'storage_failed' });
    const headers = [await source.events.header(), await target.events.header()];
    expect(headers.map((header) => [header?.movedTo, header?.filling ?? false])).toEqual([
      [undefined, false],
      [undefined, false],
    ]);
  });

  test('takes nothing from a target that was used before the mark on it was seen, and lets that go on', async () => {
    const { source, target } = await sides();
    const settle = async () => {
      await writing.append(target.events, 'b', 1);
    };
    await expect(copyAll(source, { ...target, settle }, quietly)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('has data already') as unknown,
    });
    expect(await target.events.header()).toMatchObject({ filling: false });
    expect(await source.events.header()).not.toHaveProperty('movedTo');
    expect((await everything(target.events)).length).toBe(1);
  });

  test('has what was acknowledged until the mark on it was seen', async () => {
    const { source, target } = await sides();
    const settle = async () => {
      expect(await source.events.header()).toMatchObject({ movedToLog: target.logId });
      await writing.append(source.events, 'a', 2);
    };
    const { log } = await copyAll({ ...source, isShared: true, settle }, target, quietly);
    expect(log.events).toBe((await everything(source.events)).length);
    expect(await everything(target.events)).toHaveLength(log.events);
  });

  test('goes on where it was when it could not be moved after all', async () => {
    const { source, target } = await sides();
    const people = async () => {
      throw new Error('a fault');
    };
    const broken = { ...target, identity: { ...target.identity, people } };
    await expect(copyAll({ ...source, isShared: true }, target, quietly)).resolves.toBeDefined();
    await target.events.changeHeader({ filling: true });
    await expect(copyAll({ ...source, isShared: true }, broken, quietly)).rejects.toThrow('a fault');
    expect(await source.events.header()).not.toHaveProperty('movedTo');
    expect(await target.events.header()).toMatchObject({ filling: true });
    await copyAll(source, target, quietly);
    expect(await source.events.header()).toMatchObject({ movedToLog: target.logId });
  });

  test('is known to be moved to the same log, however its address is spelt', async () => {
    const { source, target } = await sides();
    await copyAll(source, target, quietly);
    await target.events.changeHeader({ filling: true });
    await copyAll(source, { ...target, where: 'the same in other words' }, quietly);
    await target.events.changeHeader({ filling: true });
    const another = { ...target, logId: 'another' };
    await expect(copyAll(source, another, quietly)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('was moved to') as unknown,
    });
  });

  test('says which file is damaged or lost, and leaves it behind where it is told to', async () => {
    const { source, target } = await sides();
    const kept = await source.files.put(PDF, OWNER);
    const damaged = await source.files.put(PDF, OWNER);
    const lost = await source.files.put(PDF, OWNER);
    const place = join(root, 'source', 'files');
    writeFileSync(join(place, damaged.fileId), 'X'.repeat(PDF.length));
    rmSync(join(place, lost.fileId));
    await expect(copyAll(source, target, quietly)).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringMatching(
        new RegExp(`^The uploaded file (?:${damaged.fileId}|${lost.fileId}) .+ --leave-damaged\\.$`),
      ) as unknown,
    });
    expect(await source.events.header()).not.toHaveProperty('movedTo');
    const { files } = await copyAll(source, target, { ...quietly, leaveDamaged: true });
    expect(files.count).toBe(1);
    expect(new Map(files.leftBehind.map(({ fileId, what }) => [fileId, what]))).toEqual(
      new Map([
        [lost.fileId, 'is missing'],
        [damaged.fileId, 'is not what was stored: its SHA-256 is another'],
      ]),
    );
    expect(await target.files.list({ limit: 10 })).toEqual([kept]);
  });

  test('is without what is just being uploaded, which is no file that is lost', async () => {
    const { source, target } = await sides();
    const { fileId } = await source.files.put(PDF, OWNER);
    const pending = { ...(await source.files.stat(fileId)), fileId: [...fileId].reverse().join('') };
    const list: typeof source.files.list = async (page) => [
      ...(await source.files.list(page)),
      ...(page.storedOnly === true ? [] : [pending]),
    ];
    const { files } = await copyAll({ ...source, files: { ...source.files, list } }, target, quietly);
    expect(files).toMatchObject({ count: 1, leftBehind: [] });
  });

  test('has a damaged file that an earlier run copied when it was whole', async () => {
    const { source, target } = await sides();
    const { fileId } = await source.files.put(PDF, OWNER);
    await target.files.copy(PDF, await source.files.stat(fileId));
    await target.events.changeHeader({ filling: true });
    rmSync(join(root, 'source', 'files', fileId));
    expect((await copyAll(source, target, quietly)).files).toMatchObject({ count: 1, leftBehind: [] });
  });

  test('leaves nothing behind because a store is away', async () => {
    const { source, target } = await sides();
    await source.files.put(PDF, OWNER);
    const open = async () => {
      throw new LodeError('unavailable', 'away');
    };
    const away = { ...source, files: { ...source.files, open } };
    const left = copyAll(away, target, { ...quietly, leaveDamaged: true });
    await expect(left).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('says what to do where the source was used after an earlier run', async () => {
    const { source, target } = await sides();
    const credential = (passwordHash: string) => ({
      email: 'ann@example.org',
      accountNumber: '0000000001',
      role: 'user' as const,
      state: 'active' as const,
      reservedAt: 1,
      owner: '',
      suspended: false,
      epoch: 0,
      passwordHash,
    });
    await target.events.changeHeader({ filling: true });
    await target.identity.putPerson({ userId: 'ann', credential: credential('old') });
    await source.identity.putPerson({ userId: 'ann', credential: credential('new') });
    await expect(copyAll(source, target, quietly)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(
        /^What is kept of person ann .+: empty it, and give the same/,
      ) as unknown,
    });
    expect(await source.events.header()).not.toHaveProperty('movedTo');
  });

  test('is not half a copy itself', async () => {
    const { source, target } = await sides();
    await source.events.changeHeader({ filling: true });
    await expect(copyAll(source, target, quietly)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('half a copy') as unknown,
    });
    expect(await everything(target.events)).toEqual([]);
  });
});
