import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, watch, writeFileSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { canMount, mountTmpfs } from '#event-store/sqlite/testing';
import {
  confirmFunding,
  dataFolder,
  firstAdmin,
  join,
  keyed,
  killAll,
  lode,
  lodeWith,
  problemIn,
  requestFunding,
  spawnLodeWith,
  startProgram,
  tell,
  usedFolder,
  type Listening,
  type Used,
  checkLogIn,
} from '../testing/index.js';

let used: Used;
beforeAll(async () => {
  used = await usedFolder();
});
afterAll(() => used.remove());

const programs: Listening[] = [];
afterEach(() => killAll(programs));

async function start(folder: string, env: Readonly<Record<string, string>> = {}): Promise<Listening> {
  const program = await startProgram(folder, env);
  programs.push(program);
  return program;
}

/** Bits that are flipped one after the other. */
const FLIPS = Number(process.env['LODE_FLIPS'] ?? 60);

/** What takes the checksums off the rows: whoever changes history takes them along, and the chain is left. */
const UNCHECKED = 'UPDATE events SET checksum = NULL;';

/**
 * Changes a copy of the history with SQL, as somebody with the file and no program would. `sealed` gives the checksum of a
 * document of a build.
 */
function spoilt(sql: string, file = 'events.sqlite'): string {
  const folder = used.copy();
  const db = new DatabaseSync(pathJoin(folder, file));
  db.function('sealed', (build, json) => crc32(String(json), crc32(String(build))) | 0);
  const before = contentOf(db);
  db.exec(withPositions(sql));
  // What finds nothing to spoil must not look like damage that verify misses.
  expect(contentOf(db)).not.toBe(before);
  db.close();
  return folder;
}

/** All rows of all tables as one text. */
function contentOf(db: DatabaseSync): string {
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  return JSON.stringify(tables.map(({ name }) => db.prepare(`SELECT * FROM "${String(name)}"`).all()));
}

/** Positions of the history by the names that the tests below have for them. */
function withPositions(text: string): string {
  const { asked, paid, parting } = used;
  const known = {
    $asked: asked,
    $next: asked + 1,
    $paid: paid,
    $parting: parting,
    $after: parting + 1,
    $early: 4,
  };
  return Object.entries(known).reduce(
    (now, [name, position]) => now.replaceAll(name, String(position)),
    text,
  );
}

type Wrong = {
  readonly wrong: readonly string[];
  readonly log: { readonly faults: readonly object[] };
  readonly models: readonly { readonly model: string; readonly state: string }[];
};

async function faultsOf(folder: string, ...options: readonly string[]): Promise<Wrong> {
  const { code, json } = await tell(folder, 'verify', ...options);
  expect([code, json['ok']]).toEqual([1, false]);
  return json as unknown as Wrong;
}

describe('verify on a history that the program wrote', () => {
  test('finds nothing wrong, and counts what is there', async () => {
    const { code, json } = await tell(used.path, 'verify');
    expect(code).toBe(0);
    expect(json).toMatchObject({
      command: 'verify',
      ok: true,
      wrong: [],
      uploads: { looked: 4, wrong: 0 },
      log: {
        types: { AccountOpened: 3, FundingConfirmed: 3, FundingRequested: 4, WalletDebited: 1 },
        transfersUnderWay: 0,
        trialBalance: {
          'customers/available': { USD: '100.00' },
          'operator/deposits': { USD: '-300.00' },
          'operator/adjustments': { USD: '200.00' },
        },
      },
    });
    const models = json['models'] as readonly { readonly state: string; readonly documents: number }[];
    expect(new Set(models.map(({ state }) => state))).toEqual(new Set(['equal']));
    expect(models.reduce((sum, { documents }) => sum + documents, 0)).toBeGreaterThan(8);
  });

  test('says so to people too, while the program runs', async () => {
    const program = await start(used.copy());
    const folder = programFolder(program);
    const { code, out, err } = await lode(folder, 'verify');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^The log has \d+ events in \d+ streams/);
    expect(out).toMatch(/customers\/available +100\.00 /);
    expect(out).toMatch(/\nNothing is wrong\.\n$/);
  });

  test('names a folder that has no log', async () => {
    const { code, err } = await lode(pathJoin(used.path, 'nowhere'), 'verify');
    expect([code, err]).toEqual([
      1,
      `There is no log in ${pathJoin(used.path, 'nowhere')}: name the data folder with --data.\n`,
    ]);
  });
});

/** The folder of a program that was started on a copy. */
function programFolder({ child }: Listening): string {
  const environment = readFileSync(`/proc/${child.pid}/environ`, 'utf8');
  return /LODE_DATA=([^\0]+)/.exec(environment)?.[1] ?? '';
}

describe('verify names the first wrong event', () => {
  test('and each other row that is not what was written', async () => {
    const { wrong, log } = await faultsOf(
      spoilt(
        "UPDATE events SET body = replace(body, '100.00', '900.00') WHERE position IN ($asked, $parting)",
      ),
    );
    const unreadable = (position: number) => ({ kind: 'unreadable', position: String(position) });
    expect(log.faults).toMatchObject([unreadable(used.asked), unreadable(used.parting)]);
    expect(wrong[0]).toMatch("can't be read: restore it from a backup.");
  });

  const balance = 'read model accounts: document';
  test.each<[string, string, object]>([
    [
      'an amount',
      "UPDATE events SET body = replace(body, '100.00', '900.00') WHERE position = $paid",
      { position: '$paid', kind: 'chain', type: 'FundingConfirmed' },
    ],
    [
      'a time',
      'UPDATE events SET body = replace(body, \'"at":"20\', \'"at":"21\') WHERE position = $asked',
      { position: '$asked', kind: 'chain' },
    ],
    [
      'an actor',
      'UPDATE events SET body = replace(body, \'"role":"admin"\', \'"role":"user"\') WHERE position = $paid',
      { position: '$paid', kind: 'chain' },
    ],
    [
      'a type',
      "UPDATE events SET type = 'WalletCredited' WHERE position = $paid",
      { position: '$paid', kind: 'chain' },
    ],
    [
      'a chain',
      'UPDATE events SET body = replace(body, \'"chain":"\', \'"chain":"0\') WHERE position = $early',
      { position: '$early', kind: 'chain' },
    ],
    [
      'a stream',
      "UPDATE streams SET name = name || 'x' WHERE id = (SELECT stream FROM events WHERE position = $early)",
      { position: '$early', kind: 'chain' },
    ],
    [
      'a row deleted',
      'DELETE FROM events WHERE position = $asked',
      { position: '$next', kind: 'unreadable' },
    ],
    [
      'a stream deleted',
      'PRAGMA foreign_keys = OFF; DELETE FROM streams WHERE id = (SELECT stream FROM events WHERE position = $early)',
      { kind: 'unreadable' },
    ],
    [
      'text that is no event',
      "UPDATE events SET body = '{' || body WHERE position = $paid",
      { position: '$paid', kind: 'unreadable', type: 'FundingConfirmed' },
    ],
    [
      'two events of a stream swapped',
      'UPDATE events SET position = 1000 WHERE position = $asked; UPDATE events SET position = $asked WHERE position = $paid; UPDATE events SET position = $paid WHERE position = 1000',
      { position: '$asked', kind: 'revision' },
    ],
  ])('%s', async (_, sql, fault) => {
    const { wrong, log } = await faultsOf(spoilt(UNCHECKED + sql));
    expect(log.faults[0]).toMatchObject(JSON.parse(withPositions(JSON.stringify(fault))) as object);
    expect(wrong[0]).toMatch(/^position \d+(, \w+-[\w-]+@\d+ \(\w+\))?: .+ \[\w+\]$/);
  });

  test('events of two streams swapped, by the documents that were made of them', async () => {
    const folder = spoilt(
      UNCHECKED +
        'UPDATE events SET position = 1000 WHERE position = $parting; UPDATE events SET position = $parting WHERE position = $after; UPDATE events SET position = $after WHERE position = 1000',
    );
    expect((await faultsOf(folder)).wrong[0]).toMatch(
      /^read model \w+: document \S+ is not what the log gives in: .*position/,
    );
  });

  test('an end that was cut off, by the documents that have seen it', async () => {
    const { wrong } = await faultsOf(
      spoilt('DELETE FROM events WHERE position = (SELECT max(position) FROM events)'),
    );
    expect(wrong[0]).toMatch(/^read model accounts: it has seen position \d+, but the log ends at \d+/);
  });

  test('a document that is not what the log gives, one that is damaged, and one that is missing', async () => {
    const db = new DatabaseSync(pathJoin(used.path, 'read-models.sqlite'), { readOnly: true });
    const table = String(
      db.prepare("SELECT name FROM builds WHERE collection = 'accounts' AND state = 'active'").get()?.[
        'name'
      ],
    );
    db.close();
    const change = `UPDATE "${table}" SET document = replace(document, '100.00', '100.01')`;
    const different = spoilt(
      `${change}; UPDATE "${table}" SET checksum = sealed('${table}', document)`,
      'read-models.sqlite',
    );
    expect((await faultsOf(different)).wrong).toEqual([
      expect.stringMatching(`^${balance} \\S+ is not what the log gives in: `),
    ]);
    const damaged = spoilt(change, 'read-models.sqlite');
    const { wrong, models } = await faultsOf(damaged);
    expect(wrong).toEqual([
      expect.stringMatching(`^${balance} \\S+ is damaged.*: it is not what was written$`),
    ]);
    expect(models.flatMap(({ model, state }) => (state === 'equal' ? [] : [model]))).toEqual(['accounts']);
    expect(models.length).toBeGreaterThan(1);
    const missing = spoilt(`DELETE FROM "${table}" WHERE id = '${used.bob.userId}'`, 'read-models.sqlite');
    expect((await faultsOf(missing)).wrong).toEqual([`${balance} ${used.bob.userId} is missing`]);
  });

  test.each([
    ['by its checksum', ''],
    ['by its chain', UNCHECKED],
  ])('a flipped bit anywhere in any row, %s, and nothing before it', async (_, sql) => {
    const folder = used.copy();
    const db = new DatabaseSync(pathJoin(folder, 'events.sqlite'));
    db.exec(sql);
    const rows = db.prepare('SELECT position, body FROM events ORDER BY position').all();
    const update = db.prepare('UPDATE events SET body = CAST(? AS TEXT) WHERE position = ?');
    for (let n = 0; n < FLIPS; n++) {
      const { position, body } = rows[n % rows.length]!;
      const bytes = Buffer.from(String(body));
      const place = (Math.imul(n + 1, 0x9e3779b1) >>> 0) % bytes.length;
      bytes.writeUInt8(bytes.readUInt8(place) ^ (1 << (n % 8)), place);
      // A NUL ends a text for SQLite; no disk turns one into part of what was stored.
      update.run(bytes, position!);
      const { faults } = await checkLogIn(folder);
      expect({ n, position: faults[0]?.position }).toEqual({ n, position: String(position) });
      update.run(Buffer.from(String(body)), position!);
    }
    expect((await checkLogIn(folder)).faults).toEqual([]);
    db.close();
  });

  test('uploaded files that are gone or changed, beside everything else', async () => {
    const folder = used.copy();
    const files = pathJoin(folder, 'files');
    const ids = readdirSync(files).filter((name) => /^\w{35}$/.test(name));
    const [gone = '', cut = '', changed = '', ...others] = ids;
    expect(others.length).toBeGreaterThan(0);
    rmSync(pathJoin(files, `${gone}.json`));
    truncateSync(pathJoin(files, cut), 9);
    const bytes = readFileSync(pathJoin(files, changed));
    writeFileSync(pathJoin(files, changed), bytes.reverse());
    const { wrong } = await faultsOf(folder);
    expect([...wrong].sort()).toEqual(
      [
        `the uploaded file ${gone}, named at position \\d+ \\(FundingRequested\\), is missing`,
        `the uploaded file ${cut}, .+, has 9 bytes and not ${bytes.length}`,
        `the uploaded file ${changed}, .+, is not what was stored`,
      ]
        .sort()
        .map((text) => expect.stringMatching(text)),
    );
    rmSync(files, { recursive: true });
    expect((await faultsOf(folder)).wrong).toHaveLength(ids.length);
    expect((await tell(folder, 'verify', '--log-only')).code).toBe(0);
  });

  test('read models that can’t be read, and still says what the log has', async () => {
    const folder = used.copy();
    writeFileSync(pathJoin(folder, 'read-models.sqlite'), 'no database '.repeat(2_000));
    const { code, out, err } = await lode(folder, 'verify');
    expect([code, err]).toEqual([1, '']);
    expect(out).toMatch(/^The log has \d+ events/);
    expect(out).toMatch(
      /\nWRONG: The read models in \S+ cannot be read or written: the file is damaged\.\n$/,
    );
  });

  test('what was damaged below SQLite, or refuses it by name', async () => {
    const size = readFileSync(pathJoin(used.path, 'events.sqlite')).length;
    for (let n = 0; n < 12; n++) {
      const folder = used.copy();
      const file = pathJoin(folder, 'events.sqlite');
      const bytes = readFileSync(file);
      bytes.fill(0xa5, Math.floor((size / 12) * n), Math.floor((size / 12) * n) + 64);
      writeFileSync(file, bytes);
      const { code, out, err } = await lode(folder, 'verify', '--log-only');
      const isHarmless =
        (await checkLogIn(folder).then(
          ({ faults }) => faults.length === 0,
          () => false,
        )) && out.includes('Nothing is wrong.');
      // What stands where nothing is stored changes nothing; all else is named.
      if (!isHarmless)
        expect([code, out + err]).toEqual([
          1,
          expect.stringMatching(/WRONG: |damaged|can't be read|not a Lode log|newer Lode/),
        ]);
    }
  });
});

describe('the scratch file of verify', () => {
  let temporary: ReturnType<typeof dataFolder>;
  beforeEach(() => {
    temporary = dataFolder();
  });
  afterEach(() => temporary.remove());
  const scratch = () => readdirSync(temporary.path);
  const how = () => ({ env: { TMPDIR: temporary.path } });

  test('is gone afterwards, also when the identity store can not be opened', async () => {
    const folder = used.copy();
    expect(await lodeWith(how(), folder, 'verify')).toMatchObject({ code: 0 });
    expect(scratch()).toEqual([]);
    rmSync(pathJoin(folder, 'identity.sqlite'));
    expect(await lodeWith(how(), folder, 'verify')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/\nWRONG: The identity file .+\n$/),
      err: '',
    });
    expect(scratch()).toEqual([]);
  });

  test.each(['SIGINT', 'SIGKILL'] as const)(
    'is gone when verify is ended by %s in the middle',
    async (signal) => {
      const changes: unknown[] = [];
      const gone = Promise.withResolvers<unknown>();
      const watcher = watch(temporary.path, (change) => {
        // Its folder comes, and goes as soon as the file is open.
        if (changes.push(change) > 1) gone.resolve(change);
      });
      const child = await spawnLodeWith(how(), used.path, 'verify');
      await gone.promise;
      watcher.close();
      child.kill(signal);
      await once(child, 'close');
      expect(scratch()).toEqual([]);
    },
  );
});

describe('after the power went off in the middle of the work', () => {
  test('the log is a clean prefix of what was written, at every torn end of its write-ahead log', async () => {
    const folder = dataFolder();
    const program = await start(folder.path);
    const admin = await firstAdmin(program);
    const ann = await join(program.visitor, 'Ann');
    for (let n = 0; n < 6; n++) {
      const { requestId } = await requestFunding(ann, `${n + 1}.00`);
      const { position } = await confirmFunding(admin, ann, requestId);
      // The read models see each, and so also what the torn ends below lose.
      await admin.api.get('totals', { headers: { 'Lode-Position': position } });
    }
    program.child.kill('SIGKILL');
    await program.ended;
    const whole = await checkLogIn(folder.path);
    const wal = readFileSync(pathJoin(folder.path, 'events.sqlite-wal'));
    const lengths = new Set<number>();
    for (let cut = 0; cut <= 16; cut++) {
      const torn = dataFolder();
      cpSync(folder.path, torn.path, { recursive: true });
      rmSync(pathJoin(torn.path, 'events.sqlite-shm'), { force: true });
      truncateSync(pathJoin(torn.path, 'events.sqlite-wal'), Math.max(0, wal.length - cut * 3 * 512));
      const { events, faults } = await checkLogIn(torn.path);
      expect({ cut, faults }).toEqual({ cut, faults: [] });
      lengths.add(events);
      if (cut === 16) {
        // The read models saw what is gone, and that shows.
        expect(await tell(torn.path, 'verify', '--log-only')).toMatchObject({ code: 0 });
        expect((await faultsOf(torn.path)).wrong[0]).toMatch('its last events are missing');
      }
      await torn.remove();
    }
    expect(Math.max(...lengths)).toBe(whole.events);
    expect(lengths.size).toBeGreaterThan(1);
    await folder.remove();
  });
});

describe('a disk that is full', () => {
  (canMount('a program on a full disk') ? test : test.skip)(
    'refuses commands by name with nothing appended, and takes them again when there is room',
    async () => {
      const disk = mountTmpfs('size=24m');
      const ballast = pathJoin(disk.folder, 'ballast');
      const folder = pathJoin(disk.folder, 'data');
      try {
        const program = await start(folder);
        const admin = await firstAdmin(program);
        const ann = await join(program.visitor, 'Ann');
        // What follows from her sign-in by itself is not to be taken for what the test appends.
        while ((await checkLogIn(folder)).types['BonusCycleStarted'] === undefined) await setImmediate();
        const adjust = (reason: string) =>
          admin.api.call('adjustWallet', {
            params: { userId: ann.userId },
            body: { amounts: { BTC: '1.00' }, reason },
            headers: keyed(),
          });
        expect((await adjust('there is room')).status).toBe(200);
        writeFileSync(ballast, '');
        fill(ballast);
        let refused = await adjust('x'.repeat(400));
        for (let n = 0; refused.status === 200 && n < 2_000; n++) refused = await adjust('x'.repeat(400));
        expect([refused.status, problemIn(refused).code]).toEqual([503, 'storage_full']);
        const before = await checkLogIn(folder);
        expect((await adjust('x'.repeat(400))).status).toBe(503);
        const after = await checkLogIn(folder);
        expect([after.events, after.digest, after.faults]).toEqual([before.events, before.digest, []]);
        rmSync(ballast);
        expect((await adjust('there is room again')).status).toBe(200);
        expect((await checkLogIn(folder)).events).toBe(before.events + 1);
        program.child.kill('SIGTERM');
        await program.ended;
        expect((await tell(folder, 'verify')).json['wrong']).toEqual([]);
      } finally {
        await killAll(programs);
        disk.unmount();
      }
    },
  );
});

/** Writes until the disk has no room for more. */
function fill(file: string): void {
  for (const bytes of [2 ** 20, 2 ** 12]) {
    for (;;) {
      try {
        writeFileSync(file, Buffer.alloc(bytes), { flag: 'a' });
      } catch {
        break;
      }
    }
  }
}
