import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openEngines } from '#engines';
import type { PersonRecord } from '#identity';
import { dataFolder, fillFromRecorded, OF_LONG_AGO, PDF } from '../testing/index.js';
import { run } from '../run.js';
import { readSettings } from '../settings.js';

/** Two platforms, each started once. */
let folders: readonly ReturnType<typeof dataFolder>[];
let [ours, theirs] = ['', ''];
beforeEach(async () => {
  folders = [dataFolder(), dataFolder()];
  [ours = '', theirs = ''] = folders.map(({ path }) => path);
  for (const folder of [ours, theirs]) await (await start(folder)).stop();
});
afterEach(async () => {
  for (const folder of folders) await folder.remove();
});

const start = (folder: string, said: string[] = []) =>
  run({ ...readSettings({ PORT: '0', ...OF_LONG_AGO }), dataFolder: folder }, (step) => said.push(step));

/** Puts what the other platform has in the place of ours. */
function swap(name: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(join(ours, name + end), { recursive: true, force: true });
  cpSync(join(theirs, name), join(ours, name), { recursive: true });
}

async function platformOf(folder: string): Promise<string> {
  const engines = await openEngines({ dataFolder: folder }, 'inspect');
  const log = await engines.openLog();
  const [founded] = await log.readStream('platform', { limit: 1 });
  await log.close();
  return String(founded?.data['platformId']);
}

const ANN: PersonRecord = {
  userId: 'ann',
  credential: {
    email: 'ann@example.org',
    accountNumber: '0000000001',
    passwordHash: 'none',
    role: 'user',
    state: 'active',
    reservedAt: 1,
    owner: '',
    suspended: false,
    epoch: 0,
  },
};

/** As an earlier version left identities and files. */
function disown(folder: string): void {
  const database = new DatabaseSync(join(folder, 'identity.sqlite'));
  database.exec('DELETE FROM platform');
  database.close();
  rmSync(join(folder, 'files', 'platform'), { force: true });
}

/** Changes the first credential, but not its checksum. */
function damageFirst(folder: string): void {
  const database = new DatabaseSync(join(folder, 'identity.sqlite'));
  database.exec(
    'UPDATE credential SET epoch = epoch + 1 WHERE user_id = (SELECT min(user_id) FROM credential)',
  );
  database.close();
}

/** Whose the identities in a folder are. */
async function claimedBy(dataFolder: string): Promise<string | undefined> {
  const { identity, close } = await openEngines({ dataFolder }, 'serve');
  try {
    return await identity.platform();
  } finally {
    await close();
  }
}

describe('a start', () => {
  test.each([
    [
      'identities',
      'identity.sqlite',
      (path: string, own: string, other: string) =>
        `is of the platform ${own}, and ${path} of the platform ${other}.`,
    ],
    [
      'files',
      'files',
      (path: string, own: string, other: string) =>
        `The folder of files ${path} belongs to the platform ${other}, and the log to the platform ${own}: give Lode the two that belong together.`,
    ],
  ])('refuses %s of another platform, and names both', async (_, name, sentence) => {
    swap(name);
    const [own, other] = [await platformOf(ours), await platformOf(theirs)];
    expect(own).not.toBe(other);
    await expect(start(ours)).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringContaining(sentence(join(ours, name), own, other)),
    });
  });

  test('refuses read models of another log', async () => {
    swap('read-models.sqlite');
    await expect(start(ours)).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringContaining(
        'The read models were made from another log: this one has another id.',
      ),
    });
  });

  test('lets reactors and jobs of another log begin anew, and says so', async () => {
    swap('processes.sqlite');
    const said: string[] = [];
    await (await start(ours, said)).stop();
    expect(said).toContainEqual(expect.stringContaining('What the processes remembered could not be used'));
    const again: string[] = [];
    await (await start(ours, again)).stop();
    expect(again.join()).not.toContain('What the processes remembered');
  });

  test('takes what has no platform yet', async () => {
    disown(ours);
    await (await start(ours)).stop();
    swap('identity.sqlite');
    await expect(start(ours)).rejects.toMatchObject({ code: 'storage_failed' });
  });

  test('takes identities and files without a platform when the log knows their people', async () => {
    const folder = dataFolder();
    folders = [...folders, folder];
    await fillFromRecorded(folder.path);
    disown(folder.path);
    await (await start(folder.path)).stop();
    expect(await claimedBy(folder.path)).toBe(await platformOf(folder.path));
  });

  test('looks past a damaged record of such identities', async () => {
    const folder = dataFolder();
    folders = [...folders, folder];
    await fillFromRecorded(folder.path);
    disown(folder.path);
    damageFirst(folder.path);
    await (await start(folder.path)).stop();
    expect(await claimedBy(folder.path)).toBe(await platformOf(folder.path));

    const engines = await openEngines({ dataFolder: ours }, 'serve');
    await engines.identity.putPerson(ANN);
    const credential = { ...ANN.credential!, email: 'bob@example.org', accountNumber: '0000000002' };
    await engines.identity.putPerson({ ...ANN, userId: 'bob', credential });
    await engines.close();
    disown(ours);
    damageFirst(ours);
    await expect(start(ours)).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringContaining('(bob and others)') as unknown,
    });
  });

  test.each(['identity', 'files'] as const)(
    'leaves %s without a platform alone when the log knows nobody of theirs',
    async (store) => {
      const engines = await openEngines({ dataFolder: ours }, 'serve');
      if (store === 'files') await engines.files.put(PDF, { ownerId: 'ann', purpose: 'evidence' });
      else await engines.identity.putPerson(ANN);
      await engines.close();
      disown(ours);
      await expect(start(ours)).rejects.toMatchObject({
        code: 'storage_failed',
        message: expect.stringMatching(
          /^The .+ is of no platform yet, and the log knows none of the people in it \(ann and others\): /,
        ) as unknown,
      });
      expect(await claimedBy(ours)).toBeUndefined();
    },
  );
});
