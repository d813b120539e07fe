import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describeWhere } from '#kernel/testing';
import {
  dataFolders,
  firstAdmin,
  join,
  killAll,
  notOn,
  problemIn,
  startProgram,
  until,
  type Listening,
  type Person,
  type Program,
} from './testing/index.js';

/* A bit that was flipped in what identity keeps of one person, as the whole program tells it. */

const programs: Program[] = [];
const { newFolder, removeFolders } = dataFolders();
let program: Listening;
let people: { readonly admin: Person; readonly ann: Person; readonly bob: Person };

async function start(folder: string): Promise<Listening> {
  const started = await startProgram(folder, {});
  programs.push(started);
  await until(async () => (await started.visitor.call('healthReady')).status === 200);
  return started;
}

/** Flips a bit in the stored hash of somebody's password. */
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

const what = 'a row of identity with a flipped bit';
describeWhere(!notOn(['mongodb'], what), what, 'it is in a file', () => {
  beforeAll(async () => {
    const folder = newFolder();
    const before = await start(folder);
    const admin = await firstAdmin(before);
    people = { admin, ann: await join(before.visitor, 'Ann'), bob: await join(before.visitor, 'Bob') };
    before.child.kill('SIGTERM');
    await before.ended;
    damage(folder, people.ann);
    program = await start(folder);
  }, 60_000);
  afterAll(async () => {
    await killAll(programs);
    await removeFolders();
  });

  test('a damaged row of identity is refused to that person alone, and told once, by health and by a gauge', async () => {
    const signIn = ({ email, password }: Person) =>
      program.visitor.call('signIn', { body: { email, password } });
    for (let again = 0; again < 2; again += 1) {
      const refused = await signIn(people.ann);
      expect([refused.status, problemIn(refused).code]).toEqual([503, 'storage_failed']);
      expect(refused.text).not.toContain(people.ann.userId);
    }
    expect((await signIn(people.bob)).status).toBe(200);
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
});
