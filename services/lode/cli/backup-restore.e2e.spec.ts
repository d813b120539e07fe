import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { until } from '#kernel/testing';
import {
  backUp,
  dataFolders,
  firstAdmin,
  flipBit,
  join,
  keyed,
  killAll,
  signIn,
  startProgram,
  tell,
  uploadedIn,
  usedFolder,
  type Listening,
  type Used,
} from '../testing/index.js';

/* The core of a backup and its restore; `backup.e2e.spec.ts` has the rest. */

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

/** A path where no folder exists yet. */
function elsewhere(): string {
  return pathJoin(newFolder(), 'new');
}

async function start(folder: string): Promise<Listening> {
  const program = await startProgram(folder);
  programs.push(program);
  return program;
}

/** Credentials in a backup whose account is not in its log. */
function halfPeople(backup: string): readonly unknown[] {
  const db = new DatabaseSync(pathJoin(backup, 'identity.sqlite'), { readOnly: true });
  db.exec(`ATTACH '${pathJoin(backup, 'events.sqlite')}' AS log`);
  const found = db
    .prepare(
      "SELECT user_id FROM credential WHERE state = 'active' AND 'account-' || user_id NOT IN (SELECT name FROM log.streams)",
    )
    .all();
  const keyless = db
    .prepare(
      "SELECT name FROM log.streams WHERE name LIKE 'account-%' AND substr(name, 9) NOT IN (SELECT user_id FROM person_key)",
    )
    .all();
  db.close();
  return [...found, ...keyless];
}

describe('a backup', () => {
  test('restored elsewhere is the same log, the same files, and people sign in', async () => {
    const backup = await backUp(used.path, elsewhere());
    const folder = elsewhere();
    const { code, json } = await tell(folder, 'restore', backup);
    expect([code, json['ok']]).toEqual([0, true]);
    expect(await tell(folder, 'verify', '--since', backup)).toMatchObject({ code: 0 });
    const program = await start(folder);
    const ann = await signIn(program.visitor, used.ann);
    const { head } = await program.visitor.as(used.admin.api.token).get('projections');
    const me = await ann.api.get('me', { headers: { 'Lode-Position': head } });
    expect(me).toMatchObject({ firstname: 'Ann', wallet: { balance: '0.00' } });
    const requests = await ann.api.get('ownFundRequests', { params: { userId: ann.userId } });
    const files = uploadedIn(folder);
    expect(files.length).toBeGreaterThanOrEqual(requests.items.length);
    expect(files).toEqual(uploadedIn(used.path));
  });

  test('made while people register and money moves holds a moment of it, whole', async () => {
    const folder = elsewhere();
    const program = await start(folder);
    const admin = await firstAdmin(program);
    let over = false;
    let people = 0;
    const registering = (async () => {
      while (!over) {
        const person = await join(program.visitor, `P${people}`);
        await admin.api.get('adjustWallet', {
          params: { userId: person.userId },
          body: { amounts: { BTC: '5.00' }, reason: 'a start' },
          headers: keyed(),
        });
        people += 1;
      }
    })();
    const moments: number[] = [];
    for (let n = 0; n < 2; n++) {
      // Each backup holds at least one person more than the one before.
      const before = people;
      await Promise.race([registering, until(() => people > before)]);
      const backup = elsewhere();
      const { code, json } = await tell(folder, 'backup', backup);
      expect(code).toBe(0);
      moments.push((json['log'] as { readonly events: number }).events);
      expect(halfPeople(backup)).toEqual([]);
      expect(await tell(folder, 'verify', '--log-only', '--since', backup)).toMatchObject({ code: 0 });
      const restored = elsewhere();
      expect(await tell(restored, 'restore', backup)).toMatchObject({ code: 0 });
    }
    over = true;
    await registering;
    expect(new Set(moments).size).toBe(2);
  });
});

describe('a restore', () => {
  test('refuses a changed log, and writes nothing', async () => {
    const backup = await backUp(used.path, elsewhere());
    flipBit(pathJoin(backup, 'events.sqlite'));
    const folder = elsewhere();
    const { code, json } = await tell(folder, 'restore', backup);
    expect([code, json['message']]).toEqual([
      1,
      expect.stringMatching(/events\.sqlite is missing or was changed/),
    ]);
    expect(existsSync(folder)).toBe(false);
  });
});
