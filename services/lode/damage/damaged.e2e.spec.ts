import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { rmSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { accountStream, adminsStream } from '#ledger';
import {
  join,
  keyed,
  killAll,
  problemIn,
  signIn,
  startProgram,
  usedFolder,
  type Listening,
  type Person,
  type Used,
} from '../testing/index.js';

/** Between two looks at the program's health. */
const LOOK_MS = 250;

let used: Used;
beforeAll(async () => {
  used = await usedFolder();
});
afterAll(() => used.remove());

const programs: Listening[] = [];
afterEach(() => killAll(programs));

/** A copy of the folder in whose log a digit of what Ann was paid is another. */
function damaged(): string {
  const folder = used.copy();
  const db = new DatabaseSync(pathJoin(folder, 'events.sqlite'));
  const flip = db.prepare(
    `UPDATE events SET body = replace(body, '"100.00"', '"900.00"') WHERE position = ?`,
  );
  expect(flip.run(used.paid).changes).toBe(1);
  db.close();
  return folder;
}

async function start(folder: string): Promise<{ readonly program: Listening; readonly admin: Person }> {
  const program = await startProgram(folder);
  programs.push(program);
  return { program, admin: await signIn(program.visitor, used.admin) };
}

/** What stands in a customer's stream. */
function rowsOf(folder: string, userId: string): unknown {
  const db = new DatabaseSync(pathJoin(folder, 'events.sqlite'), { readOnly: true });
  const rows = db
    .prepare('SELECT e.* FROM events e JOIN streams s ON s.id = e.stream WHERE s.name = ? ORDER BY revision')
    .all(accountStream(userId));
  db.close();
  return rows;
}

const debit = (admin: Person, { userId }: Person) =>
  admin.api.call('adjustWallet', {
    params: { userId },
    body: { amounts: { BTC: '-50.00' }, reason: 'paid out by hand' },
    headers: keyed(),
  });

describe('a digit that was flipped in an account’s past', () => {
  test.each([
    ['', () => undefined],
    [', read models gone', (folder: string) => rmSync(pathJoin(folder, 'read-models.sqlite'))],
  ])('stops commands on that account and no other%s', async (_, prepare) => {
    const folder = damaged();
    prepare(folder);
    const { admin } = await start(folder);
    const before = rowsOf(folder, used.ann.userId);
    const refused = await debit(admin, used.ann);
    expect([refused.status, problemIn(refused).code]).toEqual([503, 'storage_failed']);
    expect(rowsOf(folder, used.ann.userId)).toEqual(before);
    expect((await debit(admin, used.bob)).status).toBe(200);
  });

  test('is told by whatever list comes to it, in the output and by a gauge, and other lists are whole', async () => {
    const { program, admin } = await start(damaged());
    const listed = ({ userId }: Person) => admin.api.call('events', { query: { person: userId } });
    const metrics = async () => (await program.visitor.call('metrics')).text;
    expect(await metrics()).toContain('\nlode_log_damaged_events 0\n');
    // Events of his stand before and behind it.
    expect((await listed(used.bob)).status).toBe(200);
    for (let again = 0; again < 2; again++) {
      const refused = await listed(used.ann);
      expect([refused.status, problemIn(refused).code]).toEqual([503, 'storage_failed']);
    }
    expect(await metrics()).toContain('\nlode_log_damaged_events 1\n');
    expect(await program.visitor.get('healthReady')).toMatchObject({
      status: 'degraded',
      checks: { log: expect.stringMatching(/; 1 damaged events were met$/) },
    });
    expect(program.printed.out).toContain(`"code":"storage_failed","position":"${used.paid}"`);
  });

  test('stops read models that are made anew before it: health, log and list of models say so and nothing spins', async () => {
    const folder = damaged();
    rmSync(pathJoin(folder, 'read-models.sqlite'));
    const { program, admin } = await start(folder);
    const models = async () => (await admin.api.get('projections')).models;
    let now = await models();
    for (; now.some(({ state }) => state !== 'stalled'); now = await models()) await setTimeout(LOOK_MS);
    for (const { position } of now) expect(Number(position)).toBeLessThan(used.paid);
    const ready = await program.visitor.call('healthReady');
    expect([ready.status, ready.json]).toEqual([503, expect.objectContaining({ status: 'unavailable' })]);
    const told = program.printed.out
      .split('\n')
      .filter((line) => line.includes(`The event at position ${used.paid} (`));
    expect(told[0]).toContain('"code":"storage_failed"');
    // It tries again with growing pauses: had it not, there would be thousands.
    expect(told.length).toBeLessThan(100);
  });
});

describe('a blank that came into what is known of an admin', () => {
  /** Puts a blank behind the first event of a stream. */
  function spoil(folder: string, stream: string): void {
    const db = new DatabaseSync(pathJoin(folder, 'events.sqlite'));
    const flip = db.prepare(
      `UPDATE events SET body = body || ' ' WHERE revision = 0 AND stream = (SELECT id FROM streams WHERE name = ?)`,
    );
    expect(flip.run(stream).changes).toBe(1);
    db.close();
  }
  const keepOut = (admin: Person, { userId }: Person) =>
    admin.api.call('suspend', { params: { userId }, body: {}, headers: keyed() });

  test('in the account keeps that admin out, and no other from deciding who may come in', async () => {
    const folder = used.copy();
    const before = await start(folder);
    const eve = await join(before.program.visitor, 'Eve', (await before.admin.api.get('inviteAdmin')).token);
    before.program.child.kill('SIGTERM');
    await before.program.ended;
    spoil(folder, accountStream(eve.userId));
    const { program, admin } = await start(folder);
    const { email, password } = eve;
    const refused = await program.visitor.call('signIn', { body: { email, password } });
    expect([refused.status, problemIn(refused).code]).toEqual([503, 'storage_failed']);
    const max = await join(program.visitor, 'Max', (await admin.api.get('inviteAdmin')).token);
    expect((await keepOut(admin, max)).status).toBe(200);
    expect(problemIn(await keepOut(admin, eve)).code).toBe('storage_failed');
  });

  test('in the list keeps all admins out, and no customer', async () => {
    const folder = used.copy();
    spoil(folder, adminsStream);
    const program = await startProgram(folder);
    programs.push(program);
    const { email, password } = used.admin;
    const refused = await program.visitor.call('signIn', { body: { email, password } });
    expect([refused.status, problemIn(refused).code]).toEqual([503, 'storage_failed']);
    const { api, userId } = await signIn(program.visitor, used.ann);
    expect((await api.call('account', { params: { userId } })).status).toBe(200);
  });
});
