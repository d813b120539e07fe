import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { describeWhere } from '#kernel/testing';
import {
  credit,
  dataFolders,
  firstAdmin,
  join,
  keyed,
  killAll,
  lode,
  notOn,
  problemIn,
  signIn,
  startProgram,
  usedFolder,
  type Listening,
  type Person,
  type Used,
} from '../testing/index.js';

/** What makes the checksum of everything the same: the control of all that is refused here. */
const WITHOUT_CHECKSUMS = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
    "import zlib from 'node:zlib'; import { syncBuiltinESMExports } from 'node:module'; " +
      'zlib.crc32 = () => 0; syncBuiltinESMExports();',
  )}`,
};
/** Between two looks. */
const LOOK_MS = 100;

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

/** What somebody's account is in the read models of a folder: its text, as the file has it. */
function accountOf({ userId }: Person, folder: string): string {
  const db = new DatabaseSync(pathJoin(folder, 'read-models.sqlite'), { readOnly: true });
  const build = db
    .prepare(`SELECT name FROM builds WHERE collection = 'accounts' AND state = 'active'`)
    .get();
  const row = db.prepare(`SELECT document FROM "${String(build?.['name'])}" WHERE id = ?`).get(userId);
  db.close();
  return String(row?.['document']);
}

/** A copy of the folder in whose read models a bit of the first digit of what Ann has is another, on the disk. */
function damaged(): string {
  const folder = used.copy();
  damage(folder, used.ann);
  return folder;
}

/** Flips a bit of the first digit of what somebody has in the read models of a folder. */
function damage(folder: string, person: Person): void {
  const file = pathJoin(folder, 'read-models.sqlite');
  const document = accountOf(person, folder);
  const digit = document.indexOf('"wallet":{"available":"') + '"wallet":{"available":"'.length;
  const bytes = readFileSync(file);
  let flips = 0;
  for (let at = -1; (at = bytes.indexOf(document, at + 1)) !== -1; flips++)
    bytes.writeUInt8(bytes.readUInt8(at + digit) ^ 1, at + digit);
  expect(flips).toBeGreaterThan(0);
  writeFileSync(file, bytes);
  expect(accountOf(person, folder)).not.toBe(document);
}

async function start(folder: string): Promise<{ readonly program: Listening; readonly admin: Person }> {
  const program = await startProgram(folder);
  programs.push(program);
  return { program, admin: await signIn(program.visitor, used.admin) };
}

const walletOf = (admin: Person, { userId }: Person) => admin.api.call('account', { params: { userId } });

const what = 'a bit that was flipped in the account of a person in the read models';
const inFile = !notOn(['mongodb'], what);
describeWhere(inFile, what, 'read models in a file', () => {
  test('is never shown, and the account is made again from the log, while everybody else is served', async () => {
    const { program, admin } = await start(damaged());
    const refused = await walletOf(admin, used.ann);
    expect([refused.status, problemIn(refused).code]).toEqual([503, 'storage_failed']);
    expect((await walletOf(admin, used.bob)).status).toBe(200);
    let shown = await walletOf(admin, used.ann);
    for (; shown.status !== 200; shown = await walletOf(admin, used.ann)) {
      expect([shown.status, problemIn(shown).code]).toEqual([503, 'storage_failed']);
      await setTimeout(LOOK_MS);
    }
    const { wallet } = await admin.api.get('account', { params: { userId: used.ann.userId } });
    expect(accountOf(used.ann, used.path)).toContain(`"wallet":{"available":"${wallet.balance}"`);
    expect((await program.visitor.call('metrics')).text).toContain('\nlode_read_models_damaged_total 1\n');
    expect(program.printed.out).toContain('"type":"damaged","model":"accounts"');
  });

  test('is not folded on by the next command', async () => {
    const folder = damaged();
    const { program, admin } = await start(folder);
    const { position } = await admin.api.get('adjustWallet', {
      params: { userId: used.ann.userId },
      body: { amounts: { BTC: '10.00' }, reason: 'by hand' },
      headers: keyed(),
    });
    await admin.api.get('account', {
      params: { userId: used.ann.userId },
      headers: { 'Lode-Position': position },
    });
    program.child.kill('SIGTERM');
    await program.ended;
    expect((await lode(folder, 'verify')).code).toBe(0);
  });

  test('is shown by a program without checksums', async () => {
    const folder = newFolder();
    const first = await startProgram(folder, WITHOUT_CHECKSUMS);
    programs.push(first);
    const admin = await firstAdmin(first);
    const ann = await join(first.visitor, 'Ann');
    const { position } = await credit(admin, ann, { BTC: '200.00' });
    await ann.api.get('me', { headers: { 'Lode-Position': position } });
    first.child.kill('SIGTERM');
    await first.ended;
    damage(folder, ann);
    const second = await startProgram(folder, WITHOUT_CHECKSUMS);
    programs.push(second);
    const { api } = await signIn(second.visitor, ann);
    expect((await api.get('me')).wallet.available).toBe('300.00');
  });
});
