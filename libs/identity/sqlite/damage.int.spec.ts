import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { admitKeyRing, createIdentity, rewrapStore, type DamagedRow, type IdentityStore } from '#identity';
import { openIdentityRows, openIdentityStore, openPersonKeys } from '#identity/sqlite';
import { isLodeError, systemRandom } from '#kernel';

const [ANN, BOB] = ['aaaaaaaa-0000-4000-8000-000000000001', 'bbbbbbbb-0000-4000-8000-000000000002'];
/** With a letter of each person in every byte, so that it is found again in the file. */
const keyOf = (userId: string) => Buffer.alloc(32, `${userId[0] ?? ''}K`);
const hashOf = (userId: string) => `$argon2id$hash of ${userId}`;
const emailOf = (userId: string) => `mail-${userId}@example.org`;

let folder: string;
let file: string;
let stores: IdentityStore[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lode-identity-damage-'));
  file = join(folder, 'identity.sqlite');
  stores = [];
  const store = await open();
  for (const [n, userId] of [ANN, BOB].entries()) {
    await store.reserve({
      userId,
      email: emailOf(userId),
      accountNumber: `000000000${n}`,
      passwordHash: hashOf(userId),
      role: 'user',
      reservedAt: 1_000_000 + n,
      owner: '',
      personKey: keyOf(userId),
    });
    await store.activate(userId, 1_000_000 + n);
    await store.putPin(userId, `pin of ${userId}`);
    await store.putInvitationToken(`invitation ${userId}`, { hash: `token ${userId}`, expiresAt: 5_000_000 });
  }
  await close();
});
afterEach(async () => {
  await close();
  rmSync(folder, { recursive: true });
});

async function open(): Promise<IdentityStore> {
  const store = await openIdentityStore({ file });
  stores.push(store);
  return store;
}

async function close(): Promise<void> {
  for (const store of stores.splice(0)) await store.close();
}

/** Everything that is kept of somebody, by each way of asking; what is refused by its code. */
async function allOf(store: IdentityStore, userId: string): Promise<readonly unknown[]> {
  const record = store.people('', 10).then((people) => people.find((one) => one.userId === userId));
  const asked = [
    store.credentialOf(userId),
    store.credentialByEmail(emailOf(userId)),
    store.personKey(userId),
    store.pinTriesOf(userId),
    store.invitationByToken(`token ${userId}`),
    record.then((found) => found?.credential),
    record.then((found) => found?.key),
    record.then((found) => found?.pin),
  ];
  const outcomes = await Promise.allSettled(asked);
  return outcomes.map((one) => (one.status === 'fulfilled' ? one.value : codeOf(one.reason)));
}

function codeOf(error: unknown): string {
  return isLodeError(error) ? error.code : String(error);
}

/** Where the file has a row: that of a table whose text it is. */
function placeOf(text: string | Buffer): number {
  const at = readFileSync(file).indexOf(text);
  expect(at).toBeGreaterThan(0);
  return at;
}

function flip(at: number, bit = 1): void {
  const bytes = readFileSync(file);
  bytes[at] = (bytes[at] ?? 0) ^ bit;
  writeFileSync(file, bytes);
}

const changes: readonly [string, (store: IdentityStore) => Promise<unknown>][] = [
  ['a new password', (store) => store.changePassword(ANN, hashOf(ANN), 'another')],
  ['a suspension', (store) => store.suspend(ANN)],
  ['a lifted suspension', (store) => store.reinstate(ANN)],
  ['an activation', (store) => store.activate(ANN, 1_000_000)],
  ['an erasure', (store) => store.eraseCredential(ANN)],
];

describe('of a row that is not what was written', () => {
  test('nothing is ever given but the truth or a refusal, whichever of its bytes is another', async () => {
    const store = await open();
    const truth = await allOf(store, ANN);
    await close();
    const sound = readFileSync(file);
    let refused = 0;
    const rows = [hashOf(ANN), keyOf(ANN), `pin of ${ANN}`, `token ${ANN}`].map((text) =>
      sound.lastIndexOf(text),
    );
    for (const at of rows) {
      // From before the first value, the id, up to behind the last one.
      for (let place = at - 100; place < at + 80; place += 3) {
        writeFileSync(file, sound);
        flip(place, 1 << (place % 8));
        const damaged = await open();
        const found = await allOf(damaged, ANN);
        await close();
        found.forEach((one, n) => {
          // A row or an entry of an index whose id is another is not found; that is told by the look at everything.
          if (one === undefined || JSON.stringify(one) === '{"kind":"unknown"}') return;
          if (one === 'storage_failed') refused += 1;
          else expect([place, one]).toEqual([place, truth[n]]);
        });
      }
    }
    expect(refused).toBeGreaterThan(50);
  });

  test.each(changes)('%s changes nothing, and doesn’t make it good', async (_, change) => {
    flip(placeOf(hashOf(ANN)) - 3);
    const store = await open();
    const told: DamagedRow[] = [];
    store.watchDamage((row) => told.push(row));
    const outcome = await change(store).then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    );
    expect(outcome).toEqual({ error: expect.objectContaining({ code: 'storage_failed' }) });
    await expect(store.credentialOf(ANN)).rejects.toMatchObject({ code: 'storage_failed' });
    expect(told).toEqual([{ table: 'credential', id: ANN }]);
  });

  test('whoever else is there is not touched by it, and their sweep goes on', async () => {
    flip(placeOf(hashOf(ANN)) + 3);
    const store = await open();
    expect(await store.credentialByEmail(emailOf(BOB))).toMatchObject({ userId: BOB });
    expect(await store.suspend(BOB)).toEqual([]);
    await close();
    const db = new DatabaseSync(file);
    db.exec(`UPDATE credential SET state = 'reserved'`);
    db.close();
    expect(await (await open()).staleReservations(9_000_000)).toEqual([]);
  });

  test('a key is refused to the thread that reads them, and no other of its page', async () => {
    flip(placeOf(keyOf(ANN)) + 5);
    const reader = openPersonKeys({ file });
    await reader.load([ANN, BOB]);
    expect(() => reader.decrypt(ANN, 'v1.x.y')).toThrow(
      /is damaged: it is refused until a backup is restored/,
    );
    expect(() => reader.decrypt(BOB, 'v1.x.y')).toThrow(/was changed or belongs to somebody else/);
    await reader.close();
    const store = await open();
    await expect(store.destroyPersonKey(ANN, 1)).rejects.toMatchObject({ code: 'storage_failed' });
  });

  test('a key keeps no mail to others from being sent, nor any from being listed', async () => {
    const over = async (store: IdentityStore) =>
      (await createIdentity({ store, isOpen: async () => true })).mails;
    const before = await over(await open());
    const content = { subject: 'A subject', text: 'A text', html: '<p>A text</p>' };
    for (const userId of [ANN, BOB])
      await before.queue({ ...content, mailId: `to ${userId}`, userId, kind: 'test', to: emailOf(userId) });
    await close();
    flip(placeOf(keyOf(ANN)) + 5);
    const mails = await over(await open());
    const begun: string[] = [];
    for await (const { to } of mails.begin(10)) begun.push(to);
    expect(begun).toEqual([emailOf(BOB)]);
    const listed = (await mails.list(10)).map(({ userId, to, state }) => [userId, to, state]);
    expect(listed.sort()).toEqual([
      [ANN, 'unreadable', 'queued'],
      [BOB, emailOf(BOB), 'queued'],
    ]);
  });

  test('a pin takes no try', async () => {
    flip(placeOf(`pin of ${ANN}`) + 2);
    const store = await open();
    await expect(store.takePinTry(ANN, 5)).rejects.toMatchObject({ code: 'storage_failed' });
    expect(await store.takePinTry(BOB, 5)).toMatchObject({ kind: 'taken', triesLeft: 4 });
  });

  test('a key from outside that comes later is taken, and is not said to wrap whoever was there', async () => {
    flip(placeOf(hashOf(ANN)) + 3);
    const store = await open();
    await admitKeyRing(store, [{ id: 'first', bytes: new Uint8Array(32) }], systemRandom);
    expect((await store.sealKeys()).map(({ id }) => id)).toEqual(['', 'first']);
  });

  test.each([
    ['password', `credential`, hashOf(ANN)],
    ['key', 'person_key', keyOf(ANN)],
    ['pin', 'transfer_pin', `pin of ${ANN}`],
  ])('all of a person whose %s it is stays as it is when all are sealed anew', async (_, table, text) => {
    const store = await open();
    const ring = [{ id: 'first', bytes: new Uint8Array(32) }];
    await admitKeyRing(store, ring, systemRandom);
    await close();
    const at = placeOf(text) + 2;
    flip(at);
    const how = { random: systemRandom, progress: () => undefined };
    const damaged = await open();
    expect(await rewrapStore(damaged, ring, how)).toEqual({
      changed: 1,
      left: 1,
      why: [expect.stringContaining(`${ANN} (${table}) is damaged`)],
    });
    expect((await damaged.credentialOf(BOB))?.passwordHash).toMatch(/^k1\.first\./);
    expect((await damaged.sealKeys()).map(({ id }) => id)).toEqual(['', 'first']);
  });

  test('a look at all rows, some at a time, finds each', async () => {
    for (const text of [hashOf(ANN), keyOf(BOB), `pin of ${ANN}`]) flip(placeOf(text) + 2);
    const store = await open();
    const damaged: DamagedRow[] = [];
    let [place, rows] = [await store.checkRows(undefined, 1), 0];
    for (;;) {
      damaged.push(...place.damaged);
      rows += place.rows;
      if (place.next === undefined) break;
      place = await store.checkRows(place.next, 1);
    }
    expect(rows).toBe(8);
    expect(damaged).toEqual([
      { table: 'credential', id: ANN },
      { table: 'person_key', id: BOB },
      { table: 'transfer_pin', id: ANN },
    ]);
  });

  test('one whose number no program can read is told as damaged, too', async () => {
    const db = new DatabaseSync(file);
    db.exec(`UPDATE credential SET reserved_at = 9007199254740993000 WHERE user_id = '${ANN}'`);
    db.close();
    const store = await open();
    await expect(store.credentialOf(ANN)).rejects.toMatchObject({ code: 'storage_failed' });
    expect((await store.checkRows(undefined, 10)).damaged).toEqual([{ table: 'credential', id: ANN }]);
  });
});

test('rows of a file from before get a checksum of what they are', async () => {
  const db = new DatabaseSync(file);
  for (const table of ['credential', 'person_key', 'transfer_pin', 'invitation_token'])
    db.exec(`ALTER TABLE ${table} DROP COLUMN checksum`);
  for (const column of ['door_sign_in_at', 'proved_at']) db.exec(`ALTER TABLE session DROP COLUMN ${column}`);
  const later = [
    'own_network',
    'seal_key',
    'kept_request',
    'own_key',
    'to_overwrite',
    'mail',
    'link',
    'second_factor',
  ];
  for (const table of later) db.exec(`DROP TABLE ${table}`);
  db.exec('PRAGMA user_version = 4');
  db.close();
  // To read, it is as it was.
  const rows = openIdentityRows({ file });
  expect(await rows.checkRows(undefined, 10)).toMatchObject({ rows: 2, damaged: [] });
  await rows.close();
  const keys = openPersonKeys({ file });
  await keys.load([ANN]);
  expect(() => keys.decrypt(ANN, 'v1.x.y')).toThrow(/was changed or belongs to somebody else/);
  await keys.close();
  const before = await open();
  expect(await before.credentialOf(ANN)).toMatchObject({ userId: ANN });
  await close();
  flip(placeOf(hashOf(ANN)) + 2);
  await expect((await open()).credentialOf(ANN)).rejects.toMatchObject({ code: 'storage_failed' });
});
