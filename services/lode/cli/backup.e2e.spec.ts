import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join as pathJoin } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { positionOf } from '#kernel';
import { transactions } from '#projections';
import { openSqliteReadStore } from '#read-store/sqlite';
import {
  backUp,
  createClient,
  dataFolders,
  findingsIn,
  flipBit,
  join,
  killAfterChanges,
  killAll,
  lode,
  newPerson,
  problemIn,
  spawnLode,
  startProgram,
  tell,
  uploadedIn,
  usedFolder,
  type Client,
  type Listening,
  type Used,
} from '../testing/index.js';

let used: Used;
beforeAll(async () => {
  used = await usedFolder();
});
afterAll(() => used.remove());

const programs: Listening[] = [];
const { newFolder, removeFolders } = dataFolders();
afterEach(async () => {
  await killAll(programs);
  await removeFolders();
});

/** A place that is not there yet. */
function elsewhere(): string {
  return pathJoin(newFolder(), 'new');
}

async function start(folder: string): Promise<Listening> {
  const program = await startProgram(folder);
  programs.push(program);
  return program;
}

const backedUp = (): Promise<string> => backUp(used.path, elsewhere());

/** Every file below a folder with its bytes. */
function contents(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return Object.fromEntries(
    names.map(({ parentPath, name }) => {
      const file = pathJoin(parentPath, name);
      return [file, readFileSync(file, 'base64')];
    }),
  );
}

describe('a backup', () => {
  test('restored is another log: what was said of places in the first one is stale there', async () => {
    const backup = await backedUp();
    const folder = elsewhere();
    expect(await tell(folder, 'restore', backup)).toMatchObject({ code: 0 });
    const [first, restored] = (await Promise.all([start(used.path), start(folder)])).map((program) =>
      program.visitor.as(used.admin.api.token),
    ) as [Client, Client];
    // Whoever names another log is told of this one.
    const asked = await first.call('people', { headers: { 'Lode-Position': '0.00000000' } });
    const position = asked.headers.get('lode-position') ?? '';
    expect(position).toMatch(/^0\.[0-9a-f]{8}$/);
    const { next } = await first.get('people', { query: { limit: '1' } });
    const page = { query: { limit: '1', cursor: next ?? '' }, headers: { 'Lode-Position': position } };
    const [here, there] = [await first.call('people', page), await restored.call('people', page)];
    expect([here.status, here.headers.get('lode-stale'), here.json]).toMatchObject([200, null, { first: 2 }]);
    expect([there.status, there.headers.get('lode-stale'), there.json]).toMatchObject([
      200,
      'true',
      { first: 1 },
    ]);
  });

  test('lists itself as sha256sum reads it', async () => {
    const backup = await backedUp();
    const lines = readFileSync(pathJoin(backup, 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
    expect(lines.slice(0, 2).map((line) => line.slice(66))).toEqual(['events.sqlite', 'identity.sqlite']);
    expect(lines.every((line) => /^[0-9a-f]{64} {2}\S+$/.test(line))).toBe(true);
  });

  test('does not go where something is, and is none until it is whole', async () => {
    const folder = elsewhere();
    mkdirSync(folder, { recursive: true });
    writeFileSync(pathJoin(folder, 'diary.txt'), 'mine');
    expect(await tell(used.path, 'backup', folder)).toMatchObject({
      code: 1,
      json: { code: 'storage_failed' },
    });
    expect(readdirSync(folder)).toEqual(['diary.txt']);
    const cut = await backedUp();
    rmSync(pathJoin(cut, 'manifest.json'));
    const { json } = await tell(elsewhere(), 'restore', cut);
    expect(json['message']).toBe(`${cut} is no backup, or was not finished: it has no manifest.json.`);
  });

  test('of a log that something is wrong with is none, and says what', async () => {
    const folder = used.copy();
    const db = new DatabaseSync(pathJoin(folder, 'events.sqlite'));
    db.exec(`UPDATE events SET body = replace(body, '100.00', '100.01') WHERE position = ${used.paid}`);
    db.close();
    const to = elsewhere();
    const { code, json } = await tell(folder, 'backup', to);
    expect([code, json['message']]).toEqual([1, expect.stringContaining(`position ${used.paid}, account-`)]);
    expect(existsSync(pathJoin(to, 'manifest.json'))).toBe(false);
  });

  test('names an uploaded file that is not what was stored', async () => {
    const folder = used.copy();
    const [name = ''] = readdirSync(pathJoin(folder, 'files')).filter((one) => /^\w{35}$/.test(one));
    appendFileSync(pathJoin(folder, 'files', name), 'x');
    expect(await tell(folder, 'backup', elsewhere())).toMatchObject({
      code: 1,
      json: { ok: false, damaged: [name] },
    });
  });

  test('names an uploaded file whose content is gone, and has nothing of it', async () => {
    const folder = used.copy();
    const [name = ''] = uploadedIn(folder);
    rmSync(pathJoin(folder, 'files', name));
    const to = elsewhere();
    const { code, out } = await lode(folder, 'backup', to);
    expect([code, out]).toEqual([
      1,
      expect.stringContaining(`WRONG: the uploaded file ${name} is damaged: its content is missing.\n`),
    ]);
    expect(readdirSync(pathJoin(to, 'files')).filter((one) => one.startsWith(name))).toEqual([]);
    expect(await tell(elsewhere(), 'restore', to)).toMatchObject({ code: 0 });
    expect((await tell(folder, 'backup', elsewhere())).json).toMatchObject({ ok: false, damaged: [name] });
  });

  test('says how many uploaded files it has, and so does its restore', async () => {
    const folder = used.copy();
    const all = uploadedIn(folder);
    const said = async () => {
      const backup = elsewhere();
      const made = await lode(folder, 'backup', backup);
      const restored = await lode(elsewhere(), 'restore', backup);
      return [made, restored].map(({ out }) => / and (\d+ \w+ \w+)[.:]/.exec(out)?.[1]);
    };
    expect(await said()).toEqual([`${all.length} uploaded files`, `${all.length} uploaded files`]);
    for (const name of all.slice(1))
      for (const end of ['', '.json']) rmSync(pathJoin(folder, 'files', name + end));
    expect(await said()).toEqual(['1 uploaded file', '1 uploaded file']);
  });
});

describe('a restore', () => {
  test.each<[string, (backup: string) => void, RegExp]>([
    [
      'a changed key',
      (backup) => flipBit(pathJoin(backup, 'identity.sqlite')),
      /identity\.sqlite is missing/,
    ],
    [
      'a file that is missing',
      (backup) => rmSync(pathJoin(backup, 'files', readdirSync(pathJoin(backup, 'files'))[0] ?? '')),
      /files\/\w+(\.json)? is missing or was changed/,
    ],
    [
      'a changed list',
      (backup) => appendFileSync(pathJoin(backup, 'SHA256SUMS'), '\n'),
      /its SHA256SUMS was changed/,
    ],
    [
      'a manifest of another log',
      (backup) => {
        const file = pathJoin(backup, 'manifest.json');
        const text = readFileSync(file, 'utf8');
        writeFileSync(
          file,
          text.replace(/"digest": "./, (found) => found.slice(0, -1) + (found.endsWith('0') ? '1' : '0')),
        );
      },
      /history|not the one/,
    ],
    [
      'a manifest that is none',
      (backup) => writeFileSync(pathJoin(backup, 'manifest.json'), '{}'),
      /is damaged, or of another Lode/,
    ],
  ])('refuses %s, and writes nothing', async (_, spoil, words) => {
    const backup = await backedUp();
    spoil(backup);
    const folder = elsewhere();
    const { code, json } = await tell(folder, 'restore', backup);
    expect([code, json['message']]).toEqual([1, expect.stringMatching(words)]);
    expect(existsSync(folder)).toBe(false);
  });

  test('overwrites nothing', async () => {
    const backup = await backedUp();
    const before = contents(used.path);
    const { code, json } = await tell(used.path, 'restore', backup);
    expect([code, json['message']]).toEqual([
      1,
      expect.stringMatching(/is not empty \(it has .+\): a restore overwrites nothing/),
    ]);
    expect(contents(used.path)).toEqual(before);
  });

  test('that was cut off leaves a folder that nothing takes for a whole one', async () => {
    const backup = await backedUp();
    const folder = elsewhere();
    let killed = 0;
    for (const changes of [1, 3, 8, 14, 20]) {
      if (await killAfterChanges(await spawnLode(folder, 'restore', backup), folder, changes)) killed += 1;
      if (existsSync(pathJoin(folder, 'events.sqlite'))) {
        expect(await tell(folder, 'verify', '--since', backup)).toMatchObject({ code: 0 });
      }
      rmSync(folder, { recursive: true, force: true });
    }
    expect(killed).toBeGreaterThan(0);
    mkdirSync(pathJoin(folder, 'restoring'), { recursive: true });
    for (const command of [['restore', backup], ['start'], ['invite-admin']]) {
      const { code, json } = await tell(folder, ...command);
      expect([code, json['ok']]).toEqual([1, false]);
    }
    rmSync(folder, { recursive: true });
    expect(await tell(folder, 'restore', backup)).toMatchObject({ code: 0 });
  });
});

test('commands that need the folder to themselves say so while Lode runs', async () => {
  const folder = used.copy();
  const program = await start(folder);
  for (const command of [
    ['invite-admin'],
    ['rebuild'],
    ['erase', used.bob.userId, '--yes'],
    ['import', pathJoin(folder, 'events.sqlite')],
    ['start'],
  ]) {
    const { code, json } = await tell(folder, ...command);
    expect({ command, code, message: json['message'] }).toEqual({
      command,
      code: 1,
      message: expect.stringMatching(/running on .+: stop it/) as unknown,
    });
  }
  expect(await tell(folder, 'verify')).toMatchObject({ code: 0 });
  expect(findingsIn((await tell(folder, 'doctor')).json)).toEqual([]);
  expect(await createClient(program.visitor.address).get('healthReady')).toMatchObject({ status: 'ok' });
});

test('a platform without an admin is told where its link comes from, and given none that a start makes void', async () => {
  const folder = elsewhere();
  const program = await start(folder);
  program.child.kill('SIGTERM');
  await program.ended;
  const { code, json } = await tell(folder, 'invite-admin');
  expect([code, json]).toEqual([
    1,
    {
      command: 'invite-admin',
      ok: false,
      code: 'conflict',
      message: 'There is no admin yet: start Lode, which prints the link that makes the first one.',
    },
  ]);
});

test('an invitation of the command line makes an admin', async () => {
  const folder = used.copy();
  const { json } = await tell(folder, 'invite-admin');
  const program = await start(folder);
  const invitation = new URLSearchParams(String(json['path']).split('#')[1]).get('invitation') ?? '';
  const grace = await join(program.visitor, 'Grace', invitation);
  expect(await grace.api.get('totals')).toMatchObject({ users: 2 });
  const again = await program.visitor.call('register', { body: { ...newPerson('Eve'), invitation } });
  expect(again.status).toBe(403);
});

test('a rebuild gives the same documents, and one that there is not is refused', async () => {
  const folder = used.copy();
  expect(await tell(folder, 'rebuild', 'accounts')).toMatchObject({
    code: 0,
    json: { models: [{ model: 'accounts', parked: 0 }] },
  });
  expect(await tell(folder, 'rebuild')).toMatchObject({ code: 0 });
  expect(await tell(folder, 'verify')).toMatchObject({ code: 0, json: { wrong: [] } });
  const { code, err } = await lode(folder, 'rebuild', 'nothing');
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(/^There is no read model nothing; there are accounts, /),
  ]);
});

describe('statements that an older version has left, and that are not understood any more', () => {
  /** A copy of the history whose statement is of version 2. */
  async function outdated(): Promise<string> {
    const folder = used.copy();
    const store = openSqliteReadStore({ file: pathJoin(folder, 'read-models.sqlite') });
    const build = await store.begin({ name: 'transactions', version: 2, indexes: [] }, { bulk: false });
    const old = { id: 'an-event', position: positionOf(used.paid), userId: used.ann.userId };
    await store.write([
      { build, checkpoint: { position: positionOf(used.paid), ordinal: used.paid }, put: [old], remove: [] },
    ]);
    await store.activate(build);
    await store.close();
    expect(await statementsIn(folder)).toEqual({ code: 0, state: 'other version' });
    return folder;
  }

  async function statementsIn(folder: string) {
    const { code, json } = await tell(folder, 'verify');
    const models = json['models'] as readonly { readonly model: string; readonly state: string }[];
    return { code, state: models.find(({ model }) => model === 'transactions')?.state };
  }

  test('are made anew by a rebuild', async () => {
    const folder = await outdated();
    expect(await tell(folder, 'rebuild', 'transactions')).toMatchObject({
      code: 0,
      json: { models: [{ model: 'transactions', version: transactions.version, parked: 0 }] },
    });
    expect(await statementsIn(folder)).toEqual({ code: 0, state: 'equal' });
  });

  test('are made anew by a start, and never answered with', async () => {
    const folder = await outdated();
    const program = await start(folder);
    const admin = program.visitor.as(used.admin.api.token);
    let answer = await admin.call('transactions');
    for (; answer.status === 503; answer = await admin.call('transactions'))
      expect(problemIn(answer).detail).toBe('The read model transactions is being built.');
    expect(answer.json).toMatchObject({ items: [{}, {}, {}, {}] });
  });
});

describe('the doctor', () => {
  test('finds nothing, and what looks wrong', async () => {
    const folder = used.copy();
    const well = await tell(folder, 'doctor');
    expect(well).toMatchObject({ json: { running: false, log: { parked: 0 } } });
    expect(findingsIn(well.json)).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.startsWith('doctor'))).toEqual([]);
    const db = new DatabaseSync(pathJoin(folder, 'events.sqlite'));
    db.exec('DELETE FROM events WHERE position = (SELECT max(position) FROM events)');
    db.close();
    const { code, out } = await lode(folder, 'doctor');
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(
        /WRONG: The read models have seen position \d+, but the log ends at \d+: the end of the log is lost\. Restore/,
      ),
    ]);
    expect(out).toMatch(new RegExp(`LODE_DATA +${folder} +environment`));
  });

  test('tells where a setting comes from, and what reactors and jobs failed with', async () => {
    const folder = used.copy();
    const db = new DatabaseSync(pathJoin(folder, 'processes.sqlite'));
    db.exec(`
      INSERT INTO reactor_parked VALUES ('transfers', '3', '{"position":"3","attempts":5}');
      INSERT INTO job_run (id, kind, slot, cause, state, attempts, error)
      VALUES ('x', 'bonus-tick', '2026-03-01T00:00:00.000Z', 'schedule', 'failed', 5, 'the disk was full');
    `);
    db.close();
    const { code, out } = await lode('/nowhere', 'doctor', '--data', folder);
    expect([code, out]).toEqual([1, expect.stringMatching(new RegExp(`LODE_DATA +${folder} +command line`))]);
    expect(out).toMatch(/WRONG: The reactor transfers fails on 1 event\. .*POST \/api\/reactors\/retry/);
    expect(out).toMatch(
      /WRONG: The last run of the job bonus-tick, for 2026-03-01T\S+, failed: the disk was full\./,
    );
    writeFileSync(pathJoin(folder, 'processes.sqlite'), 'no database');
    const damaged = await tell(folder, 'doctor');
    expect([damaged.code, JSON.stringify(damaged.json['findings'])]).toEqual([
      1,
      expect.stringContaining("What the processes remember can't be read"),
    ]);
  });
});

describe('the command line', () => {
  test('explains itself, and every command', async () => {
    const { code, out } = await lode(used.path);
    expect(code).toBe(0);
    const names = [...out.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name ?? '');
    expect(names).toContain('verify');
    for (const name of names) {
      const help = await lode(used.path, name, '--help');
      expect([name, help.code, help.err]).toEqual([name, 0, '']);
      expect(help.out).toContain(`lode ${name}`);
    }
  });

  test.each([
    [['dance'], /There is no command dance/],
    [['backup'], /backup needs <folder>/],
    [['verify', 'it'], /verify takes no "it"/],
    [['verify', '--loud'], /Unknown option '--loud'/],
    [['verify', '--since'], /--since/],
    [['export', '--json'], /needs a file/],
  ])('ends %j with 2', async (typed, words) => {
    const { code, out, err } = await lode(used.path, ...typed);
    expect([code, out + err]).toEqual([2, expect.stringMatching(words)]);
  });
});
