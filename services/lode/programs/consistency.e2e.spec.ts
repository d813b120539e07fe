import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { cpSync, existsSync, readdirSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { openLogReader } from '#event-store/sqlite';
import { readWal } from '#event-store/sqlite/testing';
import type { Position } from '#kernel';
import { accountDecider, accountStream, formatMoney, type Account } from '#ledger';
import {
  credit,
  dataFolder,
  firstAdmin,
  join,
  killAll,
  lode,
  notOn,
  signIn,
  spawnProgram,
  startProgram,
  tell,
  untilKept,
  type Listening,
  type Person,
  type Program,
} from '../testing/index.js';

/** Credits that Ann is given; each is a commit of the log by itself. */
const CREDITS = 8;
/** More events than the history has. */
const EVENTS_MAX = 1_000;
const REMEDY =
  'Restore a backup (docs/how-to/restore.md), or, to go on with the log as it is, run `lode rebuild`, then start again.';

/** Each test spoils files of a data folder, or copies one. */
const isElsewhere = notOn(['eventstore', 'mongodb', 's3'], 'a data folder that is spoilt');
const describeInFolder = isElsewhere ? describe.skip : describe;

const folder = dataFolder();
const folders = [folder];
const programs: Program[] = [];
let admin: Person;
let ann: Person;

beforeAll(async () => {
  const program = await startProgram(folder.path);
  programs.push(program);
  admin = await firstAdmin(program);
  ann = await join(program.visitor, 'Ann');
  for (let n = 1; n <= CREDITS; n += 1) {
    const { position } = await credit(admin, ann, { BTC: `${n}.00` });
    // The read models see each.
    await admin.api.get('totals', { headers: { 'Lode-Position': position } });
  }
  // What is lost within a second may be in no head.
  await untilKept(folder.path, logOf(folder.path).head);
  program.child.kill('SIGKILL');
  await program.ended;
});
afterEach(() => killAll(programs));
afterAll(async () => {
  for (const one of folders) await one.remove();
});

/** What the killed program has left, to spoil. */
function left(): string {
  const copy = dataFolder();
  folders.push(copy);
  cpSync(folder.path, copy.path, { recursive: true });
  return copy.path;
}

function remove(path: string, name: string, suffixes: readonly string[] = ['', '-wal', '-shm']): void {
  for (const suffix of suffixes) rmSync(pathJoin(path, name + suffix), { force: true });
}

/** What a killed program has left, with the last commits of the log lost, and so many bytes of the one before. */
function torn(commits: number, bytes = 0): string {
  const path = left();
  const wal = pathJoin(path, 'events.sqlite-wal');
  const ends = readWal(wal).filter(({ isCommit }) => isCommit);
  remove(path, 'events.sqlite', ['-shm']);
  truncateSync(wal, (ends.at(-1 - commits)?.end ?? 0) - bytes);
  return path;
}

async function start(path: string): Promise<Listening> {
  const program = await startProgram(path);
  programs.push(program);
  return program;
}

/** Says that what the log has lost since its head was kept is lost. A loss within the last second may be in no head. */
async function acceptLoss(path: string): Promise<void> {
  expect((await tell(path, 'accept-stores', '--yes')).code).toBe(0);
}

/** What a start that is refused prints. */
async function refusal(path: string): Promise<string> {
  const program = spawnProgram({ LODE_DATA: path });
  programs.push(program);
  expect((await program.ended).code).toBe(1);
  expect(program.printed.out).not.toMatch(/ready|admin/);
  return program.printed.err;
}

/** The log as it is: where it ends, and what Ann has by its events. */
function logOf(path: string): { readonly head: Position; readonly available: string } {
  const reader = openLogReader(pathJoin(path, 'events.sqlite'));
  const events = reader.readStream(accountStream(ann.userId), { limit: EVENTS_MAX });
  const head = reader.head();
  reader.close();
  const account = events.reduce<Account>(
    (before, event) => accountDecider.evolve(before, accountDecider.codecs.decode(event)),
    accountDecider.initial,
  );
  if (account.kind !== 'open') throw new Error('Ann has an account');
  return { head, available: formatMoney(account.available.BTC, 'BTC') };
}

/** Checks that Ann sees what the log says, and that it goes on from there. */
async function checkShown(path: string, { visitor }: Listening): Promise<void> {
  const { head, available } = logOf(path);
  const api = (await signIn(visitor, ann)).api;
  const shown = await api.get('me', { headers: { 'Lode-Position': head } });
  expect(shown.balances.BTC.available).toBe(available);
  const { position } = await credit({ ...admin, api: visitor.as(admin.api.token) }, ann, { BTC: '100.00' });
  const after = await api.get('me', { headers: { 'Lode-Position': position } });
  expect(after.balances.BTC.available).toBe(logOf(path).available);
  expect(after.balances.BTC.available).not.toBe(available);
}

describeInFolder('a log whose end is lost', () => {
  test('of nothing that was in it, is gone on with', async () => {
    const path = torn(0);
    await checkShown(path, await start(path));
  });

  test.each([
    ['the last commit', 1, 0],
    ['a part of the last commit', 0, 512],
    ['some commits and a part of one', 3, 5_000],
  ])('by %s, is named, and gone on with after a rebuild', async (_, commits, bytes) => {
    const path = torn(commits, bytes);
    const seen = logOf(folder.path).head;
    const { head } = logOf(path);
    const sentence = `The read models have seen position ${seen}, but the log ends at ${head}: the end of the log is lost. ${REMEDY}`;
    expect(await refusal(path)).toContain(sentence);
    expect((await tell(path, 'rebuild')).code).toBe(0);
    await acceptLoss(path);
    expect(await tell(path, 'verify')).toMatchObject({ code: 0, json: { wrong: [] } });
    await checkShown(path, await start(path));
  });

  test('is named by every command that goes by read models, and one of them can be built anew by itself', async () => {
    const path = torn(2);
    const before = logOf(path);
    for (const command of [['tick'], ['erase', ann.userId, '--yes'], ['invite-admin']]) {
      expect(await tell(path, ...command)).toMatchObject({
        code: 1,
        json: { code: 'storage_failed', message: expect.stringContaining('the end of the log is lost') },
      });
    }
    expect(logOf(path)).toEqual(before);
    const { code, json } = await tell(path, 'verify');
    const wrong = json['wrong'] as readonly string[];
    expect([code, wrong[0]]).toEqual([
      1,
      expect.stringMatching(/^read model accounts: it has seen position/),
    ]);
    expect((await lode(path, 'doctor')).out).toContain(
      `the log ends at ${before.head}: the end of the log is lost. ${REMEDY}`,
    );
    expect((await tell(path, 'rebuild', 'accounts')).code).toBe(0);
    expect((await tell(path, 'verify')).json['wrong']).toEqual(wrong.slice(1));
    expect(await refusal(path)).toContain('the end of the log is lost');
    expect((await tell(path, 'rebuild')).code).toBe(0);
    await acceptLoss(path);
    await checkShown(path, await start(path));
  });

  test('and that was written on without the read models, is told by its last events', async () => {
    const path = torn(2);
    const [models, aside] = [pathJoin(path, 'read-models.sqlite'), pathJoin(path, 'aside')];
    for (const suffix of ['', '-wal', '-shm']) {
      if (existsSync(models + suffix)) renameSync(models + suffix, aside + suffix);
    }
    await acceptLoss(path);
    const program = await start(path);
    for (let n = 0; n < 4; n += 1)
      await credit({ ...admin, api: program.visitor.as(admin.api.token) }, ann, { BTC: '1.00' });
    program.child.kill('SIGTERM');
    await program.ended;
    remove(path, 'read-models.sqlite');
    for (const suffix of ['', '-wal', '-shm']) {
      if (existsSync(aside + suffix)) renameSync(aside + suffix, models + suffix);
    }
    const { head } = logOf(folder.path);
    const sentence = `The read models were made from another log: this one has another event at position ${head}.`;
    expect(await refusal(path)).toContain(`${sentence} ${REMEDY}`);
    expect((await lode(path, 'doctor')).out).toContain(sentence);
    expect((await tell(path, 'rebuild')).code).toBe(0);
    // Reactors begin anew as well: they had passed over events of this log that they never saw.
    expect(existsSync(pathJoin(path, 'processes.sqlite'))).toBe(false);
    await checkShown(path, await start(path));
  });
});

describeInFolder('a log that is lost', () => {
  test.each<[string, (path: string) => void]>([
    ['removed', (path) => remove(path, 'events.sqlite')],
    ['removed but for its write-ahead log', (path) => remove(path, 'events.sqlite', [''])],
    [
      'emptied',
      (path) => {
        remove(path, 'events.sqlite', ['-wal', '-shm']);
        truncateSync(pathJoin(path, 'events.sqlite'), 0);
      },
    ],
  ])('because it was %s, is not begun anew', async (_, spoil) => {
    const path = left();
    spoil(path);
    const sentence = `${pathJoin(path, 'identity.sqlite')} holds people, but the log ${pathJoin(path, 'events.sqlite')} is missing or empty: it is lost. Restore a backup (docs/how-to/restore.md).`;
    const before = readdirSync(path).filter((name) => name.startsWith('events'));
    expect(await refusal(path)).toContain(sentence);
    expect((await tell(path, 'rebuild')).code).toBe(1);
    if (!before.includes('events.sqlite')) {
      expect(readdirSync(path).filter((name) => name.startsWith('events'))).toEqual(before);
    }
    expect((await lode(path, 'doctor')).out).toContain(sentence);
  });
});

describeInFolder('an identity store that is lost', () => {
  test.each<[string, (path: string) => void]>([
    ['removed', (path) => remove(path, 'identity.sqlite')],
    [
      'emptied',
      (path) => {
        remove(path, 'identity.sqlite', ['-wal', '-shm']);
        truncateSync(pathJoin(path, 'identity.sqlite'), 0);
      },
    ],
  ])('because it was %s, is not begun anew', async (_, spoil) => {
    const path = left();
    spoil(path);
    const { head } = logOf(path);
    const sentence = `The log goes on to position ${head}, but ${pathJoin(path, 'identity.sqlite')} is missing or empty: without it nobody can sign in and no name can be read. Restore a backup (docs/how-to/restore.md).`;
    for (let n = 0; n < 2; n += 1) expect(await refusal(path)).toContain(sentence);
    for (const command of ['rebuild', 'tick', 'invite-admin']) {
      expect(await tell(path, command)).toMatchObject({ code: 1, json: { message: sentence } });
    }
    expect((await lode(path, 'doctor')).out).toContain(sentence);
  });
});

describeInFolder('an identity store that has lost its write-ahead log', () => {
  test('is named, with what is lost, by each command that goes by it', async () => {
    const path = left();
    remove(path, 'identity.sqlite', ['-wal', '-shm']);
    const sentence = `${pathJoin(path, 'identity.sqlite')} is as it was `;
    for (let n = 0; n < 2; n += 1) expect(await refusal(path)).toContain(sentence);
    for (const command of ['rebuild', 'tick', 'invite-admin']) {
      expect(await tell(path, command)).toMatchObject({
        code: 1,
        json: { message: expect.stringContaining(sentence) },
      });
    }
    expect((await lode(path, 'doctor')).out).toContain(sentence);
  });
});

(isElsewhere ? test.skip : test)(
  'a log that was imported alone starts, with nobody who can sign in and nobody who has a name',
  async () => {
    const exported = pathJoin(left(), 'log.ndjson');
    expect((await tell(folder.path, 'export', exported)).code).toBe(0);
    const path = dataFolder();
    folders.push(path);
    expect((await tell(path.path, 'import', exported)).code).toBe(0);
    const program = await start(path.path);
    await expect(signIn(program.visitor, ann)).rejects.toThrow('401');
    const grace = await firstAdmin(program);
    const { head } = await grace.api.get('projections');
    const user = await grace.api.get('account', {
      params: { userId: ann.userId },
      headers: { 'Lode-Position': head },
    });
    expect(user).toMatchObject({ firstname: 'forgotten' });
  },
);
