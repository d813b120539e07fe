import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openLooks, scrubParts } from '#engines';
import { complaintAboutFile } from '#files';
import { openFolderFiles } from '#files/folder';
import { systemMonotonic, systemTimers } from '#kernel';
import { until } from '#kernel/testing';
import { createScrubber, lookAtFiles, scrubLimits, type Found, type Looking, type ScrubState } from '#scrub';
import {
  formOf,
  killAll,
  PDF,
  signIn,
  startProgram,
  tell,
  usedFolder,
  type Listening,
  type Used,
} from '../testing/index.js';

/* The look at everything that is kept, on real files in which a bit or a row is another than was written. */

const START_MS = 120_000;
const FAST = { ...scrubLimits, firstAfterMs: 0, pauseLeastMs: 0, pauses: 0, keepMs: 0 };

let used: Used;
const programs: Listening[] = [];
beforeAll(async () => {
  used = await usedFolder();
  const program = await startProgram(used.path);
  const ann = await signIn(program.visitor, used.ann);
  expect((await ann.api.call('uploadEvidence', { form: formOf(new Uint8Array(PDF)) })).status).toBe(201);
  program.child.kill('SIGTERM');
  await program.ended;
});
afterEach(() => killAll(programs));
afterAll(() => used.remove());

type Opened = { readonly parts: Record<string, Looking>; readonly close: () => Promise<void> };

/** All parts of a folder. */
async function partsOf(dataFolder: string): Promise<Opened> {
  const looks = await openLooks({ dataFolder });
  const files = await openFolderFiles({ folder: pathJoin(dataFolder, 'files') });
  const parts: Record<string, Looking> = {};
  for (const part of scrubParts()) parts[part] = (place) => looks.look(part, place);
  parts['files'] = lookAtFiles(files, (id, facts) => complaintAboutFile(() => files.open(id), facts));
  return {
    parts,
    close: async () => {
      await looks.close();
      await files.close();
    },
  };
}

type Passed = { readonly state: ScrubState; readonly found: readonly (Found & { readonly part: string })[] };

/** One whole look at a folder. */
async function passOver(folder: string): Promise<Passed> {
  const { parts, close } = await partsOf(folder);
  const found: (Found & { readonly part: string })[] = [];
  const scrubber = createScrubber({
    parts,
    load: () => undefined,
    keep: () => undefined,
    isOurs: () => true,
    onFound: (part, one) => found.push({ part, ...one }),
    onFailing: () => undefined,
    clock: Date.now,
    monotonic: systemMonotonic,
    timers: systemTimers,
    limits: FAST,
  });
  scrubber.start();
  await until(async () => scrubber.state().last !== undefined);
  await scrubber.stop();
  await close();
  return { state: scrubber.state(), found };
}

function sql(folder: string, name: string, text: string, ...values: (string | number)[]): number {
  const db = new DatabaseSync(pathJoin(folder, name));
  const { changes } = db.prepare(text).run(...values);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  return Number(changes);
}

function flip(file: string, near: string, by = 0): void {
  const bytes = readFileSync(file);
  const at = bytes.indexOf(near);
  expect(at).toBeGreaterThanOrEqual(0);
  bytes[at + by] = (bytes[at + by] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

const tableOf = (folder: string, model: string): string => {
  const db = new DatabaseSync(pathJoin(folder, 'read-models.sqlite'), { readOnly: true });
  const row = db.prepare(`SELECT name FROM builds WHERE collection = ? AND state = 'active'`).get(model);
  db.close();
  return String(row?.['name']);
};

const faults: readonly (readonly [string, string, (folder: string) => void, RegExp])[] = [
  [
    'a digit of an event',
    'log',
    (folder) =>
      void sql(
        folder,
        'events.sqlite',
        `UPDATE events SET body = replace(body, '"100.00"', '"900.00"') WHERE position = ?`,
        used.paid,
      ),
    /^The event at position \d+ \(account-.+\) can't be read/,
  ],
  [
    'an event that whoever wrote it gave another checksum',
    'log',
    (folder) =>
      void sql(
        folder,
        'events.sqlite',
        `UPDATE events SET checksum = NULL, body = replace(body, '"100.00"', '"900.00"') WHERE position = ?`,
        used.paid,
      ),
    /^The event at position \d+ \(account-.+\) is damaged: its hash is not that of its content\.$/,
  ],
  [
    'a bit of a password’s hash',
    'identity',
    (folder) => flip(pathJoin(folder, 'identity.sqlite'), '$argon2', 40),
    /^What identity has of .+ \(credential\) is damaged/,
  ],
  [
    'a digit of a document',
    'documents of accounts',
    (folder) =>
      void sql(
        folder,
        'read-models.sqlite',
        `UPDATE "${tableOf(folder, 'accounts')}" SET document = replace(document, '0', '9')`,
      ),
    /of accounts@.+ can't be read/,
  ],
  [
    'documents that are gone',
    'log',
    (folder) =>
      void sql(
        folder,
        'read-models.sqlite',
        `DELETE FROM "${tableOf(folder, 'requests')}" WHERE rowid IN (SELECT min(rowid) FROM "${tableOf(folder, 'requests')}")`,
      ),
    /^The read model requests has 3 documents, and the log gives 4: it is built anew\.$/,
  ],
  [
    'an index without its entries',
    'structure',
    (folder) => {
      const db = new DatabaseSync(pathJoin(folder, 'identity.sqlite'));
      db.enableDefensive?.(false);
      db.exec(`PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, 'role = ''admin'' AND', 'role = ''user'' AND')
        WHERE name = 'credential_admin'`);
      db.close();
    },
    /^The table credential in .+identity\.sqlite is damaged or can't be read: /,
  ],
  [
    'a byte of an uploaded file',
    'files',
    (folder) => {
      const files = pathJoin(folder, 'files');
      const names = readdirSync(files, { recursive: true, withFileTypes: true })
        .filter((one) => one.isFile())
        .map((one) => pathJoin(one.parentPath, one.name));
      const file = names.find((one) => readFileSync(one).indexOf('%PDF') === 0);
      flip(file ?? '', '%PDF', 12);
    },
    /^The stored file \w+ is not what was stored/,
  ],
];

describe('the look at everything that is kept', () => {
  test('finds nothing in a folder that is whole, and has seen all of each part', async () => {
    const { state, found } = await passOver(used.copy());
    expect(found).toEqual([]);
    expect(Object.keys(state.checkedAt)).toEqual([...scrubParts(), 'files']);
    expect(state.last).toMatchObject({ damaged: 0, lasting: 0 });
    expect(state.last?.looked).toBeGreaterThan(100);
  });

  test.each(faults)('finds %s, in the part %s', async (_, part, harm, what) => {
    const folder = used.copy();
    harm(folder);
    const { found } = await passOver(folder);
    expect(found.filter((one) => one.part === part).map((one) => one.what)).toEqual(
      expect.arrayContaining([expect.stringMatching(what)]),
    );
  });

  test('goes on where it was after each restart, and so comes to its end', async () => {
    const { parts, close } = await partsOf(used.copy());
    let kept: ScrubState | undefined;
    let looks = 0;
    const counted = Object.fromEntries(
      Object.entries(parts).map(([name, looking]): [string, Looking] => [
        name,
        async (place) => {
          looks += 1;
          return looking(place);
        },
      ]),
    );
    let lives = 0;
    while (kept?.last === undefined && lives < 1_000) {
      lives += 1;
      const before = looks;
      const scrubber = createScrubber({
        parts: counted,
        load: () => kept,
        keep: (state) => (kept = state),
        isOurs: () => true,
        onFound: () => undefined,
        onFailing: () => undefined,
        clock: Date.now,
        monotonic: systemMonotonic,
        timers: systemTimers,
        limits: FAST,
      });
      scrubber.start();
      await until(async () => looks > before);
      await scrubber.stop();
    }
    await close();
    expect(lives).toBeGreaterThan(5);
    expect(kept?.last).toMatchObject({ damaged: 0 });
    // As many as in one life, but for the last of each.
    expect(looks).toBeLessThan(200);
  });

  test(
    'is done by the program, which tells of it in health, metrics and doctor',
    async () => {
      const folder = used.copy();
      flip(pathJoin(folder, 'identity.sqlite'), '$argon2', 40);
      const program = await startProgram(folder);
      programs.push(program);
      const scrub = async () => (await program.visitor.get('healthReady')).checks['scrub'] ?? '';
      await until(async () => /all looked at by .+; 1 damaged$/.test(await scrub()));
      expect((await program.visitor.get('healthReady')).status).toBe('degraded');
      const metrics = (await program.visitor.call('metrics')).text;
      expect(metrics).toContain('\nlode_scrub_damaged_total{part="identity"} 1\n');
      expect(metrics).toMatch(/\nlode_scrub_checked_timestamp_seconds\{part="files"\} \d+/);
      expect(
        program.printed.out.split('\n').filter((line) => line.includes('"part":"identity"')),
      ).toHaveLength(1);
      expect(await tell(folder, 'doctor')).toMatchObject({
        code: 1,
        json: {
          findings: expect.arrayContaining([
            {
              what: expect.stringMatching(/^The look at everything found damage: What identity has of /),
              todo: expect.any(String),
            },
          ]),
        },
      });
    },
    3 * START_MS,
  );
});
