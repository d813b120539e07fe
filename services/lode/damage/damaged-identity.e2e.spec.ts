import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describeWhere, until } from '#kernel/testing';
import {
  dataFolders,
  firstAdmin,
  join,
  killAll,
  notOn,
  problemIn,
  signIn,
  startProgram,
  tell,
  tellWith,
  type Listening,
  type Person,
  type Program,
} from '../testing/index.js';

/* A bit that was flipped in what identity keeps of one person, as the whole program tells it. */

const programs: Program[] = [];
const { newFolder, removeFolders } = dataFolders();
let program: Listening;
/** The folder as no program has opened it since. */
let damaged: string;
let people: { readonly admin: Person; readonly ann: Person; readonly bob: Person };

async function start(folder: string): Promise<Listening> {
  const started = await startProgram(folder, {});
  programs.push(started);
  await until(async () => (await started.visitor.call('healthReady')).status === 200);
  return started;
}

/** Flips a bit in the stored hash of somebody's password; the second time it is as it was. */
function damage(folder: string, { userId }: Person): void {
  const file = pathJoin(folder, 'identity.sqlite');
  const db = new DatabaseSync(file);
  const row = db.prepare('SELECT password_hash FROM credential WHERE user_id = ?').get(userId);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  const bytes = readFileSync(file);
  const at = bytes.indexOf(String(row?.['password_hash'])) + 60;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

const credentialsOf = ({ email, password }: Person) => ({ email, password });

const what = 'a row of identity with a flipped bit';
const copied = 'the backup of a data folder with such a row';
describeWhere(!notOn(['mongodb'], what), what, 'it is in a file', () => {
  beforeAll(async () => {
    const folder = newFolder();
    const before = await start(folder);
    const admin = await firstAdmin(before);
    people = { admin, ann: await join(before.visitor, 'Ann'), bob: await join(before.visitor, 'Bob') };
    before.child.kill('SIGTERM');
    await before.ended;
    damage(folder, people.ann);
    damaged = newFolder();
    cpSync(folder, damaged, { recursive: true });
    program = await start(folder);
  });
  afterAll(async () => {
    await killAll(programs);
    await removeFolders();
  });

  test('a damaged row of identity is refused to that person alone, and told once, by health and by a gauge', async () => {
    const signingIn = (person: Person) => program.visitor.call('signIn', { body: credentialsOf(person) });
    for (let again = 0; again < 2; again += 1) {
      const refused = await signingIn(people.ann);
      expect([refused.status, problemIn(refused).code]).toEqual([503, 'storage_failed']);
      expect(refused.text).not.toContain(people.ann.userId);
    }
    expect((await signingIn(people.bob)).status).toBe(200);
    expect(await program.visitor.get('healthReady')).toMatchObject({
      status: 'degraded',
      checks: { identity: '1 damaged rows were met' },
    });
    expect((await program.visitor.call('metrics')).text).toContain('\nlode_identity_damaged_rows 1\n');
    const told = program.printed.out
      .split('\n')
      .filter((line) =>
        line.includes(`"code":"storage_failed","table":"credential","id":"${people.ann.userId}"`),
      );
    expect(told).toHaveLength(1);
    expect(told[0]).toContain('is refused until a backup is restored');
  });

  describeWhere(!notOn(['eventstore', 's3'], copied), 'of that row', 'a data folder has all', () => {
    const row = () => ({ table: 'credential', id: people.ann.userId });
    const sentence = () => `what identity has of ${people.ann.userId} (credential) is damaged`;

    test('verify tells, which writes nothing', async () => {
      const file = pathJoin(damaged, 'identity.sqlite');
      const before = readFileSync(file);
      const { code, json } = await tell(damaged, 'verify');
      expect({ code, identity: json['identity'], wrong: json['wrong'] }).toEqual({
        code: 1,
        identity: { rows: 7, damaged: 1, named: [row()] },
        wrong: [sentence()],
      });
      expect(readFileSync(file).equals(before)).toBe(true);
      expect(await tell(damaged, 'verify', '--log-only')).toMatchObject({
        code: 0,
        json: { identity: null },
      });
    });

    test('a backup tells, and a restore that is not told to take it as it is puts nothing in place', async () => {
      const [backup, folder] = [pathJoin(newFolder(), 'backup'), pathJoin(newFolder(), 'data')];
      expect(await tell(damaged, 'backup', backup)).toMatchObject({
        code: 1,
        json: { ok: false, damaged: [], damagedRows: { damaged: 1, named: [row()] } },
      });
      expect(await tell(folder, 'restore', backup)).toMatchObject({
        code: 1,
        json: { code: 'storage_failed', message: expect.stringContaining(sentence()) },
      });
      expect(existsSync(folder)).toBe(false);
      expect(await tell(folder, 'restore', backup, '--with-damage')).toMatchObject({
        code: 0,
        json: { damagedRows: { damaged: 1, named: [row()] } },
      });
      const restored = await start(folder);
      expect((await signIn(restored.visitor, people.bob)).userId).toBe(people.bob.userId);
      expect((await restored.visitor.call('signIn', { body: credentialsOf(people.ann) })).status).toBe(503);
    });

    test('a rewrap tells, and wraps all others, as often as it is given', async () => {
      const folder = newFolder();
      cpSync(damaged, folder, { recursive: true });
      const file = pathJoin(newFolder(), 'keys');
      writeFileSync(file, `first ${Buffer.alloc(32, 1).toString('base64')}\n`, { mode: 0o600 });
      const env = { LODE_KEY_FILE: file };
      const why = [
        expect.stringContaining(`What identity has of ${people.ann.userId} (credential) is damaged`),
      ];
      expect(await tellWith({ env }, folder, 'rewrap')).toMatchObject({
        code: 1,
        json: { ok: false, changed: 2, left: 1, why },
      });
      expect(await tellWith({ env }, folder, 'rewrap')).toMatchObject({
        code: 1,
        json: { changed: 0, left: 1, why },
      });
      // The row as it was written, from a backup.
      damage(folder, people.ann);
      expect(await tellWith({ env }, folder, 'rewrap')).toMatchObject({
        code: 0,
        json: { changed: 1, left: 0 },
      });
      expect(await tellWith({ env }, folder, 'verify')).toMatchObject({ code: 0, json: { wrong: [] } });
    });
  });
});
