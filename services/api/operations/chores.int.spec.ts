import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { appendFileSync, existsSync, readdirSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describeWhere, until } from '#kernel/testing';
import {
  dataFolder,
  join,
  notOn,
  problemIn,
  requestFunding,
  startLode,
  type Given,
  type Lode,
} from '../../lode/testing/index.js';

const what = 'backups and checks that an admin orders of a data folder';

/** What has been ordered of the program, the first first. */
async function ordersOf({ admin }: Lode): Promise<readonly unknown[]> {
  const { items } = await admin.api.get('events', {
    query: { type: 'OperationOrdered', order: 'oldest' },
    headers: { 'Lode-Position': (await admin.api.get('projections')).head },
  });
  return items.map(({ data }) => (data as { readonly operation?: unknown }).operation);
}

describeWhere(!notOn(['eventstore', 'mongodb', 's3'], what), what, 'everything is in a folder', () => {
  let lode: Lode;
  let backups: ReturnType<typeof dataFolder>;
  beforeAll(async () => {
    backups = dataFolder();
    lode = await startLode({ backupFolder: backups.path });
    await requestFunding(await join(lode.visitor, 'Ann'));
  });
  afterAll(async () => {
    await lode.stop();
    await backups.remove();
  });

  const isOver = ({ run }: Given<'verification'>) => run !== null && run.state !== 'running';
  const ended = async (name: 'backups' | 'verification') => {
    await until(async () => isOver(await lode.admin.api.get(name)));
    return (await lode.admin.api.get(name)).run;
  };

  test('a backup is made beside everything else, verified, and told', async () => {
    const before = await lode.admin.api.get('backups');
    expect(before).toEqual({ way: 'folder', folder: backups.path, last: null, run: null });
    // Ordered twice at once it is one order.
    const [{ run }] = await Promise.all([lode.admin.api.get('makeBackup'), lode.admin.api.get('makeBackup')]);
    expect(run).toMatchObject({ state: 'running', wrong: [], failure: null });
    // One that is under way is not begun again.
    expect((await lode.admin.api.get('makeBackup')).run?.begunAt).toBe(run?.begunAt);
    expect(await ended('backups')).toMatchObject({ state: 'done', wrong: [], failure: null });
    const { last } = await lode.admin.api.get('backups');
    expect(existsSync(pathJoin(backups.path, last?.name ?? '', 'manifest.json'))).toBe(true);
    expect(last?.events).toBeGreaterThan(5);
    expect(await ordersOf(lode)).toEqual(['backup']);
    const headers = { 'Lode-Position': (await lode.admin.api.get('projections')).head };
    const { items } = await lode.admin.api.get('events', { query: { type: 'ListExported' }, headers });
    expect(items.map(({ data }) => (data as { readonly command?: unknown }).command)).toContain('backup');
  });

  test('a check says how much it has looked at, and that nothing is wrong', async () => {
    expect(await lode.admin.api.get('verification')).toEqual({ run: null });
    expect((await lode.admin.api.get('verify')).run?.state).toBe('running');
    const run = await ended('verification');
    expect(run).toMatchObject({ state: 'done', wrong: [], failure: null });
    expect(run?.looked).toBeGreaterThan(0);
  });

  test('a check is canceled, and nothing is when none is under way', async () => {
    await lode.admin.api.get('verify');
    expect(await lode.admin.api.get('cancelVerification')).toEqual({ cancelled: true });
    expect((await lode.admin.api.get('verification')).run?.state).toBe('canceled');
    expect(await lode.admin.api.get('cancelVerification')).toEqual({ cancelled: false });
    expect((await ordersOf(lode)).slice(-2)).toEqual(['verify', 'cancel verify']);
  });

  test('a backup is canceled, leaves nothing, and none is when none is under way', async () => {
    const before = readdirSync(backups.path);
    await lode.admin.api.get('makeBackup');
    expect(await lode.admin.api.get('cancelBackup')).toEqual({ cancelled: true });
    expect((await lode.admin.api.get('backups')).run?.state).toBe('canceled');
    expect(readdirSync(backups.path)).toEqual(before);
    expect(await lode.admin.api.get('cancelBackup')).toEqual({ cancelled: false });
    expect((await ordersOf(lode)).slice(-2)).toEqual(['backup', 'cancel backup']);
  });

  test('what is wrong is named, by a check and by a backup', async () => {
    const files = pathJoin(lode.folder, 'files');
    const [name = ''] = readdirSync(files).filter((one) => /^\w{35}$/.test(one));
    appendFileSync(pathJoin(files, name), 'x');
    await lode.admin.api.get('verify');
    const named = [expect.stringContaining(name)];
    expect(await ended('verification')).toMatchObject({ state: 'done', wrong: named });
    await lode.admin.api.get('makeBackup');
    expect(await ended('backups')).toMatchObject({ state: 'done', wrong: named });
  });

  test('a backup that fails after it was copied leaves nothing', async () => {
    const before = readdirSync(backups.path);
    const db = new DatabaseSync(pathJoin(lode.folder, 'events.sqlite'));
    db.exec(`UPDATE events SET body = body || ' ' WHERE type = 'FundingRequested'`);
    db.close();
    await lode.admin.api.get('makeBackup');
    const { state, step } = (await ended('backups')) ?? {};
    expect([state, step]).toEqual(['failed', 'Checking the log']);
    await until(() => readdirSync(backups.path).length === before.length);
  });
});

describe('a program that is told no folder for backups', () => {
  let lode: Lode;
  beforeAll(async () => void (lode = await startLode()));
  afterAll(() => lode.stop());

  test('makes none, and writes no order', async () => {
    const refused = problemIn(await lode.admin.api.call('makeBackup'));
    expect([refused.status, refused.code]).toEqual([409, 'backups_elsewhere']);
    expect((await lode.admin.api.get('backups')).run).toBeNull();
    expect(await ordersOf(lode)).toEqual([]);
  });
});
