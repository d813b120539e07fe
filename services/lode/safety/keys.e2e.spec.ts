import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { IdentityStore } from '#identity';
import { describeWhere } from '#kernel/testing';
import { NO_KEY_FILE, NOT_WRAPPED } from '../keys.js';
import {
  dataFolders,
  findingsIn,
  firstAdmin,
  join,
  keyed,
  killAll,
  lodeWith,
  newPerson,
  openIdentityOf,
  serversOf,
  signIn,
  spawnLodeWith,
  spawnProgram,
  startProgram,
  tell,
  tellWith,
  testedOn,
  usedFolder,
  type Listening,
  type Person,
  type Used,
} from '../testing/index.js';

const { newFolder, removeFolders } = dataFolders();
const programs: Listening[] = [];
afterEach(async () => {
  await killAll(programs);
  await removeFolders();
});

/** A line of a file of keys. */
const line = (id: string, fill = id.length) => `${id} ${Buffer.alloc(32, fill).toString('base64')}\n`;

/** Settings that name a new file of keys. */
function keys(...lines: readonly string[]) {
  const file = pathJoin(newFolder(), 'keys');
  writeFileSync(file, `# Lode\n${lines.join('')}`, { mode: 0o600 });
  return { LODE_KEY_FILE: file };
}

async function started(folder: string, env: Readonly<Record<string, string>> = {}): Promise<Listening> {
  const program = await startProgram(folder, env);
  programs.push(program);
  return program;
}

async function stopped(program: Listening): Promise<void> {
  program.child.kill('SIGTERM');
  await program.ended;
}

/** What a start that is refused says. */
async function refusal(folder: string, env: Readonly<Record<string, string>>): Promise<string> {
  const { printed, ended } = spawnProgram({ LODE_DATA: folder, ...(await serversOf(folder)), ...env });
  expect((await ended).code).not.toBe(0);
  return printed.out + printed.err;
}

/** A folder that was made with a key, with an admin and a customer who left it. */
async function made(env: Readonly<Record<string, string>>) {
  const folder = newFolder();
  const program = await started(folder, env);
  const admin = await firstAdmin(program);
  const ann = await join(program.visitor, 'Ann');
  await stopped(program);
  return { folder, admin, ann };
}

/** Both sign in, and the admin reads the customer's name, from which alone is encrypted in the log. */
async function expectReadable(program: Listening, admin: Person, ann: Person): Promise<void> {
  expect((await signIn(program.visitor, ann)).userId).toBe(ann.userId);
  const { api } = await signIn(program.visitor, admin);
  const shown = await api.get('account', { params: { userId: ann.userId } });
  expect(shown).toMatchObject({ firstname: 'Ann', email: ann.email });
}

async function withIdentity<T>(folder: string, work: (store: IdentityStore) => Promise<T>): Promise<T> {
  const store = await openIdentityOf(folder);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** By what each key and password hash that a folder has is wrapped; empty for those that are not. */
function wrappings(folder: string): Promise<ReadonlySet<string>> {
  return withIdentity(folder, async (store) => {
    const secrets = (await store.people('', 1_000)).flatMap(({ key, credential }) => [
      ...(key?.kind === 'key' ? [Buffer.from(key.key).toString('latin1')] : []),
      ...(credential !== undefined && 'passwordHash' in credential ? [credential.passwordHash] : []),
    ]);
    return new Set(secrets.map((text) => /^k1\.([^.]+)\./.exec(text)?.[1] ?? ''));
  });
}

describe('a folder that is made with a key', () => {
  test('has every key and password wrapped, and starts with that key alone', async () => {
    const env = keys(line('first'));
    const { folder, admin, ann } = await made(env);
    expect(await wrappings(folder)).toEqual(new Set(['first']));
    const refused = [
      await refusal(folder, {}),
      await refusal(folder, keys(line('second'))),
      await refusal(folder, keys(line('first', 9))),
    ];
    expect(refused).toEqual([
      expect.stringContaining('is wrapped with the key first, and LODE_KEY_FILE is not set.'),
      expect.stringContaining('the key first, and the file that LODE_KEY_FILE names has second alone.'),
      expect.stringContaining('The key first in the file that LODE_KEY_FILE names is another one'),
    ]);
    for (const text of refused) expect(text).not.toMatch(/[A-Za-z0-9+/]{43}=/);
    await expectReadable(await started(folder, env), admin, ann);
  });

  test('knows what was sent before a new one was taken, and answers it as before', async () => {
    const folder = newFolder();
    const asked = { body: newPerson('Ann'), headers: keyed() };
    const before = await started(folder, keys(line('first')));
    const { status, text } = await before.visitor.call('register', asked);
    await stopped(before);
    const after = await started(folder, keys(line('second'), line('first')));
    const again = await after.visitor.call('register', asked);
    expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([
      status,
      text,
      'true',
    ]);
    expect((await signIn(after.visitor, asked.body)).userId).toBe(
      (JSON.parse(text) as { readonly userId: string }).userId,
    );
  });
});

let used: Used;
beforeAll(async () => {
  used = await usedFolder();
});
afterAll(() => used.remove());

describeWhere(testedOn.length === 0, 'keys of a data folder', 'LODE_TEST_ON names servers', () => {
  test('are not in a backup, which is verified and restored with the key alone', async () => {
    const env = keys(line('first'));
    const { folder, admin, ann } = await made(env);
    const [backup, place] = [pathJoin(newFolder(), 'backup'), pathJoin(newFolder(), 'data')];
    expect(await tell(folder, 'backup', backup)).toMatchObject({ code: 0, json: { keys: ['first'] } });
    expect(readFileSync(pathJoin(backup, 'identity.sqlite')).includes('$argon2id$')).toBe(false);
    const missing = { code: 1, json: { message: expect.stringContaining('wrapped with the key first') } };
    expect(await tell(place, 'restore', backup)).toMatchObject(missing);
    expect(existsSync(pathJoin(place, 'events.sqlite'))).toBe(false);
    expect(await tellWith({ env }, place, 'restore', backup)).toMatchObject({ code: 0 });
    expect(await tell(place, 'verify', '--log-only')).toMatchObject({ code: 0 });
    const program = await started(place, env);
    await expectReadable(program, admin, ann);
    await stopped(program);
    expect(await tellWith({ env }, place, 'verify')).toMatchObject({ code: 0, json: { wrong: [] } });
    expect(await tell(place, 'verify')).toMatchObject({
      code: 1,
      json: { wrong: [expect.stringContaining('wrapped with the key first')] },
    });
    const doctor = await tell(place, 'doctor');
    expect(doctor.json['findings']).toContainEqual(
      expect.objectContaining({ what: expect.stringContaining('wrapped with the key first') }),
    );
  });

  test('can be wrapped later: nothing of what they were is left, and without the key nothing starts', async () => {
    const folder = used.copy();
    const bare = await withIdentity(folder, (store) => store.people('', 1_000));
    const env = keys(line('first'));
    const program = await started(folder, env);
    expect(program.printed.out).toContain(NOT_WRAPPED);
    await expectReadable(program, used.admin, used.ann);
    await stopped(program);
    const { json: before } = await tellWith({ env }, folder, 'doctor');
    expect(findingsIn(before)).toEqual([expect.objectContaining({ what: NOT_WRAPPED })]);

    expect(await tellWith({ env }, folder, 'rewrap')).toMatchObject({
      code: 0,
      json: { key: 'first', changed: 3 },
    });
    expect(await wrappings(folder)).toEqual(new Set(['first']));
    expect(findingsIn((await tellWith({ env }, folder, 'doctor')).json)).toEqual([]);
    const bytes = ['', '-wal'].map((end) => pathJoin(folder, `identity.sqlite${end}`)).filter(existsSync);
    for (const file of bytes) {
      const content = readFileSync(file);
      expect(content.includes('$argon2id$')).toBe(false);
      for (const { key } of bare)
        if (key?.kind === 'key') expect(content.includes(Buffer.from(key.key))).toBe(false);
    }
    expect(await refusal(folder, {})).toContain('wrapped with the key first');
    await expectReadable(await started(folder, env), used.admin, used.ann);
  });

  test('are wrapped with a new one though that is killed in the middle, and read with both meanwhile', async () => {
    const { folder, admin, ann } = await made(keys(line('first')));
    const many = 3_000;
    await withIdentity(folder, async (store) => {
      for (let n = 0; n < many; n++) await store.createPersonKey(`message-${n}`, new Uint8Array(32).fill(n));
    });
    const both = keys(line('second'), line('first'));
    const child = await spawnLodeWith({ env: both }, folder, 'rewrap');
    await withIdentity(folder, async (store) => {
      const isBegun = async () =>
        (await store.people('', 1)).some(
          ({ key }) => key?.kind === 'key' && Buffer.from(key.key).includes('k1.second.'),
        );
      while (!(await isBegun())) await setImmediate();
      child.kill('SIGKILL');
    });
    await new Promise((resolve) => child.once('exit', resolve));
    expect(await refusal(folder, keys(line('second')))).toContain('wrapped with the key first');
    const program = await started(folder, both);
    expect(program.printed.out).toContain(NOT_WRAPPED);
    await expectReadable(program, admin, ann);
    await stopped(program);

    expect(await tellWith({ env: both }, folder, 'rewrap')).toMatchObject({ code: 0 });
    const alone = keys(line('second'));
    await expectReadable(await started(folder, alone), admin, ann);
    await withIdentity(folder, async (store) => {
      expect((await store.sealKeys()).map(({ id }) => id)).toEqual(['second']);
    });
  });

  test('in a file that is in the data folder are refused, and one that others can read is named', async () => {
    const folder = used.copy();
    const inside = pathJoin(folder, 'keys');
    writeFileSync(inside, line('first'), { mode: 0o600 });
    const link = pathJoin(newFolder(), 'keys');
    symlinkSync(inside, link);
    for (const LODE_KEY_FILE of [inside, link]) {
      const { code, err } = await lodeWith({ env: { LODE_KEY_FILE } }, folder, 'doctor');
      expect([code, err]).toEqual([2, expect.stringContaining('which is in the data folder')]);
    }
    const env = keys(line('first'));
    chmodSync(env.LODE_KEY_FILE, 0o640);
    const { json } = await tellWith({ env }, newFolder(), 'doctor');
    expect(json['findings']).toContainEqual(
      expect.objectContaining({ what: expect.stringContaining('can be read by others than its owner') }),
    );
  });

  test('that are not kept apart are told of at the first start and by the doctor, and nothing else changes', async () => {
    const folder = newFolder();
    const first = await started(folder);
    expect(first.printed.out).toContain(NO_KEY_FILE);
    await firstAdmin(first);
    await stopped(first);
    const second = await started(folder);
    expect(second.printed.out).not.toContain('LODE_KEY_FILE');
    await stopped(second);
    expect((await lodeWith({}, folder, 'doctor')).out).toContain(NO_KEY_FILE);
    expect(findingsIn((await tell(folder, 'doctor')).json)).toEqual([]);
    expect(await tell(folder, 'rewrap')).toMatchObject({ code: 2 });
  });
});
