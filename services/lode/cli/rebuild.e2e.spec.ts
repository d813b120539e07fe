import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cpSync, rmSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openLogReader } from '#event-store/sqlite';
import { accountStream } from '#ledger';
import { runnerLimits, walletModels } from '#projections';
import {
  lode,
  parkAllButOne,
  requestFunding,
  startProgram,
  tell,
  usedFolder,
  type Used,
} from '../testing/index.js';

let used: Used;
beforeAll(async () => {
  used = await usedFolder();
});
afterAll(() => used.remove());

/** A copy of the history without read models. */
function withoutModels(): string {
  const folder = used.copy();
  for (const end of ['', '-wal', '-shm'])
    rmSync(pathJoin(folder, `read-models.sqlite${end}`), { force: true });
  return folder;
}

/** Nothing was begun in the file but one build of each model, and of what the runner keeps beside them. */
function expectOneBuildOfEach(folder: string): void {
  const db = new DatabaseSync(pathJoin(folder, 'read-models.sqlite'), { readOnly: true });
  const collections = db
    .prepare('SELECT collection FROM builds')
    .all()
    .map((row) => row['collection']);
  const begun = db.prepare('SELECT last_number FROM catalog').get()?.['last_number'];
  db.close();
  expect(collections).toEqual(expect.arrayContaining(walletModels.map(({ name }) => name)));
  expect(begun).toBe(new Set(collections).size);
}

describe('a rebuild of read models that are not there', () => {
  test('builds each once, and says so', async () => {
    const folder = withoutModels();
    const { code, out, err } = await lode(folder, 'rebuild');
    expect([code, err]).toEqual([0, '']);
    expectOneBuildOfEach(folder);
    expect(out.trimEnd().split('\n')).toEqual(
      walletModels.map(({ name }) =>
        expect.stringMatching(new RegExp(`^${name} was built anew, up to position \\d+\\.$`)),
      ),
    );
    expect(await tell(folder, 'verify')).toMatchObject({ code: 0, json: { wrong: [] } });
  });

  test('builds them all once when one is named, and says so of that one', async () => {
    const folder = withoutModels();
    const { code, out, err } = await lode(folder, 'rebuild', 'accounts');
    expect([code, out, err]).toEqual([
      0,
      expect.stringMatching(/^accounts was built anew, up to position \d+\.\n$/),
      '',
    ]);
    expectOneBuildOfEach(folder);
    expect(await tell(folder, 'verify')).toMatchObject({ code: 0, json: { wrong: [] } });
  });
});

/** Where the log of a folder ends. */
function headOf(folder: string): string {
  const reader = openLogReader(pathJoin(folder, 'events.sqlite'));
  const head = reader.head();
  reader.close();
  return head;
}

/** Adds copies of an event to the log, with the data that an expression of SQL gives. */
function repeat(folder: string, count: number, where: string, data = "body -> '$.data'"): void {
  const db = new DatabaseSync(pathJoin(folder, 'events.sqlite'));
  db.exec(`
    INSERT INTO events
    WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n LIMIT ${count})
    SELECT (SELECT max(position) FROM events) + n, stream, (SELECT max(revision) FROM events e WHERE e.stream = one.stream) + n,
      type, json_set(body, '$.id', body ->> '$.id' || n, '$.data', ${data}), NULL
    FROM n, (SELECT * FROM events WHERE ${where} LIMIT 1) one`);
  db.close();
}

describe('a read model that has stopped at too many parked events', () => {
  /** Events that no model can take: enough that one stops which is built beside those that are read. */
  const EVENTS = runnerLimits.parked + 2 * runnerLimits.beside.events;

  function broken(): string {
    const folder = used.copy();
    repeat(folder, EVENTS, `position = ${used.asked}`, "json('{}')");
    return folder;
  }

  test('is named by the commands that would wait for it without end', async () => {
    const folder = broken();
    const refusal = {
      code: 1,
      json: {
        code: 'unavailable',
        message: expect.stringMatching(
          /^The read model accounts has stopped, because 1\d,\d{3} of its events are parked: see docs/,
        ),
      },
    };
    const end = headOf(folder);
    expect(await tell(folder, 'tick')).toMatchObject(refusal);
    // Before anything is forgotten: what the model has of the person would stay in it.
    expect(await tell(folder, 'erase', used.ann.userId, '--yes')).toMatchObject(refusal);
    expect(headOf(folder)).toBe(end);
    for (const _ of ['begun', 'left behind', 'and left behind again'])
      expect(await tell(folder, 'rebuild', 'accounts')).toMatchObject(refusal);
  });
});

describe('a read model whose parked events become too many while it is rebuilt', () => {
  test('is rebuilt all the same, because the new build parks nothing', async () => {
    const folder = used.copy();
    const program = await startProgram(folder);
    await requestFunding({ ...used.ann, api: program.visitor.as(used.ann.api.token) });
    program.child.kill('SIGTERM');
    await program.ended;
    // So many others that the new build is still made when the request is parked in the one that is read.
    repeat(folder, 5 * runnerLimits.beside.events, "type = 'SignedIn'");
    // The read models that have not seen any of this.
    cpSync(pathJoin(used.path, 'read-models.sqlite'), pathJoin(folder, 'read-models.sqlite'));
    for (const end of ['-wal', '-shm']) rmSync(pathJoin(folder, `read-models.sqlite${end}`), { force: true });
    await parkAllButOne(folder, accountStream(used.ann.userId));
    expect(await tell(folder, 'rebuild', 'accounts')).toMatchObject({
      code: 0,
      json: { models: [{ model: 'accounts', parked: 0 }] },
    });
  });
});
