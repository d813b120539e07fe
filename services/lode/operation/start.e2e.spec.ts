import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { chmodSync, cpSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { join as pathJoin } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { canMount, mountTmpfs } from '#event-store/sqlite/testing';
import { walletModels } from '#projections';
import { openSqliteReadStoreReader } from '#read-store/sqlite';
import {
  confirmFunding,
  createClient,
  dataFolder,
  dataFolders,
  firstAdmin,
  join,
  keyed,
  killAll,
  requestFunding,
  signIn,
  spawnProgram,
  startProgram,
  upload,
  type Client,
  type Listening,
  type Person,
  type Program,
} from '../testing/index.js';

/** Started or opened by a test and ended after it, whatever became of the test. */
const programs: Program[] = [];
const { newFolder, removeFolders } = dataFolders();

afterEach(async () => {
  await killAll(programs);
  await removeFolders();
});

async function start(folder: string): Promise<Listening> {
  const program = await startProgram(folder);
  programs.push(program);
  return program;
}

async function stop(program: Program, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
  program.child.kill(signal);
  const end = await program.ended;
  if (signal === 'SIGTERM') expect(end).toEqual({ code: 0, signal: null });
}

/** A folder with a log and people in it, which the program has left; copied for each test that spoils it. */
let used: ReturnType<typeof dataFolder>;
beforeAll(async () => {
  used = dataFolder();
  const program = await startProgram(used.path);
  const admin = await firstAdmin(program);
  const ann = await join(program.visitor, 'Ann');
  await confirmFunding(admin, ann, (await requestFunding(ann)).requestId);
  await stop(program);
});
afterAll(() => used.remove());

function usedFolder(): string {
  const folder = newFolder();
  cpSync(used.path, folder, { recursive: true });
  return folder;
}

describe('a start that can’t be', () => {
  /** What was wrong, and the sentence that the person at the terminal reads. */
  async function refused(env: Readonly<Record<string, string>>): Promise<string> {
    const program = spawnProgram(env);
    programs.push(program);
    expect(await program.ended).toEqual({ code: 1, signal: null });
    const lines = program.printed.err.trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    expect(program.printed.out).not.toContain('ready');
    return lines[0] ?? '';
  }

  test.each([
    [{ PORT: 'eighty' }, 'PORT must be a whole number from 0 to 65535, not "eighty".'],
    [{ PORT: '65536' }, 'PORT must be a whole number from 0 to 65535, not "65536".'],
    [{ PORT: '1.5' }, 'PORT must be a whole number from 0 to 65535, not "1.5".'],
    [{ LODE_REQUESTS_PER_MINUTE: '0' }, 'LODE_REQUESTS_PER_MINUTE must be a whole number above 0, not "0".'],
    [
      { LODE_REQUESTS_PER_MINUTE: 'many' },
      'LODE_REQUESTS_PER_MINUTE must be a whole number above 0, not "many".',
    ],
    [{ LODE_SECURE: 'yes' }, 'LODE_SECURE must be true or false, not "yes".'],
    [{ LODE_LOG: 'loud' }, 'LODE_LOG must be debug, info, warn, error or silent, not "loud".'],
  ])('says what is wrong with %j', async (env, sentence) => {
    expect(await refused({ LODE_DATA: newFolder(), ...env })).toBe(sentence);
  });

  test('names the server that it does not reach, and shows no password', async () => {
    const MONGODB_URL = 'mongodb://lode:secret@localhost:1/lode?serverSelectionTimeoutMS=200';
    expect(await refused({ LODE_DATA: newFolder(), MONGODB_URL })).toBe(
      'MongoDB cannot be reached. MONGODB_URL names mongodb://localhost:1/lode.',
    );
  });

  test('says that the folder has what the server is to have', async () => {
    const folder = newFolder();
    writeFileSync(pathJoin(folder, 'events.sqlite'), '');
    expect(await refused({ LODE_DATA: folder, EVENTSTORE_URL: 'esdb://localhost:1?tls=false' })).toBe(
      `${pathJoin(folder, 'events.sqlite')} has a log, but EVENTSTORE_URL names a server for that, where it is not. Move it there with \`lode migrate\`, or name another folder with LODE_DATA.`,
    );
  });

  test('says that the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const sentence = await refused({ LODE_DATA: newFolder(), PORT: String(port) });
    other.close();
    expect(sentence).toBe(`Port ${port} is in use: stop the other program or set PORT.`);
  });

  test('says that it can’t listen there', async () => {
    const sentence = await refused({ LODE_DATA: newFolder(), LODE_HOST: '203.0.113.1', PORT: '3999' });
    expect(sentence).toBe("Can't listen on 203.0.113.1, port 3999: set LODE_HOST or PORT.");
  });

  test('says that the folder can’t be written', async () => {
    const file = pathJoin(newFolder(), 'file');
    writeFileSync(file, '');
    const data = pathJoin(file, 'data');
    expect(await refused({ LODE_DATA: data })).toBe(
      `${data} can't be written: look at its rights or set LODE_DATA.`,
    );
  });

  const onFullDisk = canMount('a start on a full disk') ? test : test.skip;
  onFullDisk('says that the folder is on a disk without room', async () => {
    const disk = mountTmpfs('size=64k');
    try {
      // As many bytes as are left, and more.
      expect(() => writeFileSync(pathJoin(disk.folder, 'ballast'), Buffer.alloc(2 ** 20))).toThrow('ENOSPC');
      expect(await refused({ LODE_DATA: disk.folder })).toBe(
        `The disk that has ${disk.folder} is full: make room on it.`,
      );
    } finally {
      disk.unmount();
    }
  });

  test('says that another Lode has the folder, which goes on', async () => {
    const folder = newFolder();
    const first = await start(folder);
    const sentence = await refused({ LODE_DATA: folder });
    expect(sentence).toBe(`Another Lode is running on ${folder}: stop it or set LODE_DATA.`);
    expect(await first.visitor.get('healthReady')).toMatchObject({ status: 'ok' });
  });

  test.each(['events.sqlite', 'identity.sqlite'])('says that %s is damaged', async (name) => {
    const folder = usedFolder();
    writeFileSync(pathJoin(folder, name), 'This was a database once. '.repeat(500));
    expect(await refused({ LODE_DATA: folder })).toContain(`${pathJoin(folder, name)} is damaged`);
  });

  test('says that the log is cut off', async () => {
    const folder = usedFolder();
    truncateSync(pathJoin(folder, 'events.sqlite'), 5_000);
    expect(await refused({ LODE_DATA: folder })).toBe(
      `${pathJoin(folder, 'events.sqlite')} is damaged: restore it from a backup.`,
    );
  });

  test.each(['events.sqlite', 'identity.sqlite'])('says that %s is of a newer Lode', async (name) => {
    const folder = usedFolder();
    const file = pathJoin(folder, name);
    const db = new DatabaseSync(file);
    db.exec('PRAGMA user_version = 1000');
    db.close();
    const sentence = await refused({ LODE_DATA: folder });
    expect(sentence).toContain(file);
    expect(sentence).toMatch(/newer/);
  });

  test.each(['events.sqlite', 'identity.sqlite', 'read-models.sqlite'])(
    'says that %s is another program’s database, and leaves it alone',
    async (name) => {
      const folder = newFolder();
      const file = pathJoin(folder, name);
      const db = new DatabaseSync(file);
      db.exec("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('mine')");
      db.close();
      expect(await refused({ LODE_DATA: folder })).toContain(file);
      const again = new DatabaseSync(file);
      expect({ ...again.prepare('SELECT * FROM notes').get() }).toEqual({ text: 'mine' });
      again.close();
    },
  );
});

describe('a start', () => {
  test('says once how the first admin is made, and lets the link make one', async () => {
    const folder = newFolder();
    const first = await start(folder);
    expect(first.printed.err).toBe('');
    expect(await first.visitor.get('healthLive')).toEqual({ status: 'ok', checks: {} });
    await firstAdmin(first);
    await stop(first);
    const second = await start(folder);
    await stop(second);
    expect(second.printed.out).not.toContain('invitation');
  });

  test('keeps what it writes to itself, also in a folder that everybody may look into', async () => {
    const folder = newFolder();
    chmodSync(folder, 0o755);
    await firstAdmin(await start(folder));
    const readable = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => (statSync(pathJoin(folder, name)).mode & 0o077) !== 0,
    );
    expect(readable).toEqual([]);
  });

  test('on a folder that was used before goes on where it was', async () => {
    const folder = newFolder();
    const first = await start(folder);
    const admin = await firstAdmin(first);
    const ann = await join(first.visitor, 'Ann');
    const { requestId } = await requestFunding(ann, '12.34');
    await confirmFunding(admin, ann, requestId);
    await untilBegun(ann);
    const seen = await documentsOf(first, admin);
    await stop(first);

    const second = await start(folder);
    expect(await documentsOf(second, admin)).toEqual(seen);
    // The session is as durable as the money.
    const same = createClient(second.visitor.address, ann.api.token);
    expect(await same.get('me')).toMatchObject({ wallet: { balance: '12.34' } });
    expect((await signIn(second.visitor, ann)).userId).toBe(ann.userId);
    await stop(second);
  });

  test('answers what an operator’s tools ask', async () => {
    const program = await start(newFolder());
    expect(await program.visitor.get('healthReady')).toMatchObject({ status: 'ok', checks: { log: 'at 2' } });
    const metrics = await program.visitor.call('metrics');
    expect(metrics.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    for (const name of [
      'process_cpu_seconds_total',
      'lode_http_answers_total',
      'lode_projection_seconds_behind',
    ]) {
      expect(metrics.text).toContain(`# HELP ${name} `);
    }
    await stop(program);
  });

  test.each([
    ['are gone', (file: string) => rmSync(file)],
    ['are damaged', (file: string) => writeFileSync(file, 'no database '.repeat(2_000))],
    ['are cut off', (file: string) => truncateSync(file, 20_000)],
  ])('when the read models %s makes the same ones again', async (_, harm) => {
    const folder = newFolder();
    const first = await start(folder);
    const admin = await firstAdmin(first);
    for (const name of ['Ann', 'Bob', 'Carl']) {
      const person = await join(first.visitor, name);
      for (const amount of ['1.00', '22.00', '333.33']) {
        const { requestId } = await requestFunding(person, amount);
        if (amount !== '22.00') await confirmFunding(admin, person, requestId);
      }
      await untilBegun(person);
    }
    const seen = await documentsOf(first, admin);
    await stop(first);
    const kept = await bytesOf(folder);
    const file = pathJoin(folder, 'read-models.sqlite');
    for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
    harm(file);

    const second = await start(folder);
    expect(await documentsOf(second, admin)).toEqual(seen);
    await stop(second);
    expect(await bytesOf(folder)).toEqual(kept);
    expect(second.printed.err).toBe('');
  });

  /** What follows by itself from somebody's first sign-in comes a moment later. */
  async function untilBegun({ api }: Person): Promise<void> {
    while ((await api.get('me')).bonus === null);
  }

  /** What the API shows of everybody, once the read models have everything. */
  async function documentsOf({ visitor }: { readonly visitor: Client }, { api }: Person) {
    const admin = visitor.as(api.token);
    const { head } = await admin.get('projections');
    const headers = { 'Lode-Position': head };
    const { headers: answered } = await admin.call('totals', { headers });
    expect(answered.get('lode-stale')).toBeNull();
    const requests = await admin.get('fundRequests', { query: { limit: '100' } });
    // As a list: of an admin's look at one person it is noted that there was one.
    const people = await admin.get('people', { query: { limit: '100' } });
    return { requests, people, totals: await admin.get('totals') };
  }

  /** Every document of the read models, as it is stored. */
  async function bytesOf(folder: string): Promise<readonly string[]> {
    const reader = openSqliteReadStoreReader({ file: pathJoin(folder, 'read-models.sqlite') });
    const texts: string[] = [];
    for (const { name } of walletModels) {
      const documents = await reader.list(name, {
        index: 'id',
        equals: {},
        direction: 'ascending',
        limit: 1_000,
      });
      texts.push(...documents.map((document) => `${name} ${JSON.stringify(document)}`));
    }
    await reader.close();
    expect(texts.length).toBeGreaterThan(0);
    return texts;
  }
});

describe('a stop', () => {
  test('leaves no write-ahead log beside any database', async () => {
    const folder = newFolder();
    const program = await start(folder);
    const admin = await firstAdmin(program);
    const ann = await join(program.visitor, 'Ann');
    const { position } = await confirmFunding(admin, ann, (await requestFunding(ann)).requestId);
    await admin.api.get('totals', { headers: { 'Lode-Position': position } });
    await stop(program);
    const left = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    expect(left).toContain('read-models.sqlite');
    expect(left.filter((name) => /-(wal|shm)$/.test(name))).toEqual([]);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s while commands come in loses none that was answered, and refuses none in other words',
    async (signal) => {
      const folder = newFolder();
      const program = await start(folder);
      const admin = await firstAdmin(program);
      const people = await Promise.all(
        ['Ann', 'Bob', 'Carl', 'Dora'].map((name) => join(program.visitor, name)),
      );
      const answered: string[] = [];
      const odd: string[] = [];
      const enough = Promise.withResolvers<undefined>();
      const work = async (person: Person) => {
        for (;;) {
          const evidenceId = await upload(person).catch(() => undefined);
          if (evidenceId === undefined) return;
          const body = { amount: '1', currency: 'PI', evidenceId };
          const answer = await person.api
            .call('requestFunding', { body, headers: keyed() })
            .catch(() => undefined);
          if (answer === undefined) return;
          if (answer.status === 201) answered.push((answer.json as { requestId: string }).requestId);
          else odd.push(answer.text);
          if (answered.length >= 100) enough.resolve(undefined);
        }
      };
      const working = Promise.all(
        people.flatMap((person) => [work(person), work(person), work(person), work(person)]),
      );
      await enough.promise;
      program.child.kill(signal);
      expect(await program.ended).toEqual({ code: 0, signal: null });
      await working;
      expect(odd).toEqual([]);
      expect(program.printed.err).toBe('');

      const again = await start(folder);
      const { head } = await again.visitor.as(admin.api.token).get('projections');
      const kept: string[] = [];
      for (const person of people) {
        const api = again.visitor.as(person.api.token);
        for (let cursor: string | null | undefined; cursor !== null;) {
          const page: { items: readonly { id: string }[]; next: string | null } = await api.get(
            'ownFundRequests',
            {
              params: { userId: person.userId },
              query: { limit: '100', ...(cursor === undefined ? {} : { cursor }) },
              headers: { 'Lode-Position': head },
            },
          );
          kept.push(...page.items.map(({ id }) => id));
          cursor = page.next;
        }
      }
      const lost = answered.filter((id) => !kept.includes(id));
      expect(lost).toEqual([]);
      await stop(again);
    },
  );

  test('does not wait for a listener, an idle connection or one that never says what it wants', async () => {
    const program = await start(newFolder());
    const { hostname, port } = new URL(program.visitor.address);
    const silent = connect(Number(port), hostname);
    silent.on('error', () => undefined);
    const half = connect(Number(port), hostname);
    half.on('error', () => undefined);
    await Promise.all([once(silent, 'connect'), once(half, 'connect')]);
    half.write(
      'POST /api/auth/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    );
    await program.visitor.get('prices');
    await stop(program);
    silent.destroy();
    half.destroy();
  });
});
