import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { openLogReader } from '#event-store/sqlite';
import { describeWhere } from '#kernel/testing';
import { accountStream } from '#ledger';
import { openSqliteReadStoreSnapshot } from '#read-store/sqlite';
import {
  credit,
  dataFolder,
  firstAdmin,
  join,
  keyed,
  killAfterChanges,
  newPerson,
  parkAllButOne,
  signIn,
  spawnLode,
  startProgram,
  tell,
  upload,
  usedFolder,
  type Used,
} from '../testing/index.js';

let used: Used;
beforeAll(async () => {
  used = await usedFolder();
});
afterAll(() => used.remove());

/** Every file of a folder that has these bytes in it. */
function filesWith(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => pathJoin(parentPath, name))
    .filter((file) => readFileSync(file).includes(text));
}

/** Types a line into the command at a terminal of its own, once it has asked; no line ends the input. */
async function eraseAtTerminal(folder: string, line: string | undefined) {
  const main = fileURLToPath(new URL('main.js', import.meta.url));
  const { userId } = used.ann;
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', main, 'erase', userId];
  const child = spawn('script', ['-qec', command.join(' '), '/dev/null'], {
    env: { PATH: process.env['PATH'], LODE_DATA: folder },
  });
  let said = '';
  const END_OF_INPUT = '\u0004';
  child.stdout.on('data', (chunk: Buffer) => {
    const before = said;
    said += chunk.toString();
    if (!before.includes('to go on: ') && said.includes('to go on: '))
      child.stdin.write(line === undefined ? END_OF_INPUT : `${line}\r`);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}

/** Every document of the read models that is not about a person, by collection and id. */
async function documentsOfOthers(folder: string, userId: string): Promise<ReadonlyMap<string, string>> {
  const live = openSqliteReadStoreSnapshot({ file: pathJoin(folder, 'read-models.sqlite') });
  if (live === undefined) throw new Error('there are read models');
  const found = new Map<string, string>();
  for (const { build, state } of await live.builds()) {
    if (state !== 'active') continue;
    const documents = await live.list(build.collection, {
      index: 'id',
      equals: {},
      direction: 'ascending',
      limit: 1_000,
    });
    for (const document of documents) {
      const text = JSON.stringify(document);
      if (!text.includes(userId)) found.set(`${build.collection}/${document.id}`, text);
    }
  }
  await live.close();
  return found;
}

type StoredType = { readonly type: string };

/** The log up to where it ended before, as it is stored. */
function eventsUpTo(folder: string, count: number): readonly string[] {
  const reader = openLogReader(pathJoin(folder, 'events.sqlite'));
  const events = reader.readAll('0' as Parameters<typeof reader.readAll>[0], count);
  reader.close();
  return events.map((event) => JSON.stringify(event));
}

const hasScript = spawnSync('script', ['--version']).status === 0 && process.platform === 'linux';

describeWhere(hasScript, 'erase at a terminal', 'no script of util-linux', () => {
  test.each([
    ['the e-mail', () => used.ann.email.toUpperCase()],
    ['the id', () => used.ann.userId],
  ])('forgets whom it showed to somebody who types %s', async (_, line) => {
    const folder = used.copy();
    const { code, said } = await eraseAtTerminal(folder, line());
    expect(said).toContain(`This forgets ${used.ann.email} (${used.ann.userId}) for ever`);
    expect([code, filesWith(folder, used.ann.email)]).toEqual([0, []]);
  });

  test.each([
    ['somebody else', () => used.bob.email],
    ['yes', () => 'yes'],
    ['nothing', () => ''],
    ['the end of the input', () => undefined],
  ])('forgets nobody when it is answered with %s', async (_, line) => {
    const folder = used.copy();
    const events = eventsUpTo(folder, 1_000);
    const { code, said } = await eraseAtTerminal(folder, line());
    expect([code, said]).toEqual([1, expect.stringContaining('was not forgotten')]);
    expect(eventsUpTo(folder, 1_000)).toEqual(events);
  });
});

describe('erase', () => {
  test('forgets a person wherever anything was kept, and changes nobody else', async () => {
    const folder = used.copy();
    const { email, userId } = used.ann;
    expect(filesWith(folder, email).length).toBeGreaterThan(1);
    const before = await documentsOfOthers(folder, userId);
    const events = eventsUpTo(folder, 1_000);
    const filesBefore = readdirSync(pathJoin(folder, 'files')).length;

    const { code, json } = await tell(folder, 'erase', userId, '--yes');
    expect([code, json]).toEqual([0, expect.objectContaining({ ok: true, isNew: true, files: 2 })]);

    expect(filesWith(folder, email)).toEqual([]);
    expect(readdirSync(pathJoin(folder, 'files'))).toHaveLength(filesBefore - 4);
    expect(eventsUpTo(folder, events.length)).toEqual(events);
    const after = await documentsOfOthers(folder, userId);
    const sums = ['totals', 'trial-balance', 'daily-sums', 'events', 'anchors'];
    for (const [id, text] of before) {
      if (!sums.some((name) => id.startsWith(`${name}/`))) expect([id, after.get(id)]).toEqual([id, text]);
    }
    expect(await tell(folder, 'verify')).toMatchObject({ code: 0, json: { wrong: [] } });

    const program = await startProgram(folder);
    try {
      const admin = program.visitor.as(used.admin.api.token);
      const shown = await admin.get('account', { params: { userId } });
      expect(shown).toMatchObject({ firstname: 'forgotten', email: 'forgotten', phone: 'forgotten' });
      const { password } = used.ann;
      expect((await program.visitor.call('signIn', { body: { email, password } })).status).toBe(401);
      expect((await program.visitor.as(used.ann.api.token).call('me')).status).toBe(401);
      expect((await signIn(program.visitor, used.bob)).userId).toBe(used.bob.userId);
      // The e-mail is free again, for whoever has it.
      const again = await program.visitor.call('register', { body: { ...newPerson('Ann'), email } });
      expect(again.status).toBe(201);
    } finally {
      program.child.kill('SIGTERM');
      await program.ended;
    }
  });

  test('lets read models fold what they held for a key that is lost', async () => {
    const folder = used.copy();
    const { userId } = used.ann;
    const db = new DatabaseSync(pathJoin(folder, 'identity.sqlite'));
    expect(db.prepare('DELETE FROM person_key WHERE user_id = ?').run(userId).changes).toBe(1);
    db.close();
    const held = await tell(folder, 'rebuild');
    expect([held.code, held.json['ok']]).toEqual([1, false]);
    expect(await tell(folder, 'erase', userId, '--yes')).toMatchObject({ code: 0, json: { isNew: true } });
    expect(await tell(folder, 'verify')).toMatchObject({ code: 0, json: { wrong: [] } });
    const { json } = await tell(folder, 'doctor');
    expect(JSON.stringify(json['findings'])).not.toContain('parked');
  });

  test('asked for twice changes nothing more', async () => {
    const folder = used.copy();
    const { userId } = used.ann;
    await tell(folder, 'erase', userId, '--yes');
    const events = eventsUpTo(folder, 1_000);
    expect(await tell(folder, 'erase', userId, '--yes')).toMatchObject({
      code: 0,
      json: { isNew: false, files: 0 },
    });
    expect(eventsUpTo(folder, 1_000)).toEqual(events);
  });

  test('does not forget whose money is here, nor whom nobody knows', async () => {
    const folder = used.copy();
    expect(await tell(folder, 'erase', used.bob.userId, '--yes')).toMatchObject({
      code: 1,
      json: { code: 'account_not_empty' },
    });
    expect(filesWith(folder, used.bob.email).length).toBeGreaterThan(1);
    expect(await tell(folder, 'erase', 'nobody', '--yes')).toMatchObject({
      code: 1,
      json: {
        code: 'account_not_found',
        message: 'There is no account nobody: name the person by the userId that the back office shows.',
      },
    });
  });

  test('does nothing where nobody can be asked, but with --yes', async () => {
    const folder = used.copy();
    const events = eventsUpTo(folder, 1_000);
    expect(await tell(folder, 'erase', used.ann.userId)).toMatchObject({
      code: 2,
      json: {
        code: 'validation_failed',
        message: 'An erasure can’t be taken back: where nobody can be asked, erase needs --yes.',
      },
    });
    expect(eventsUpTo(folder, 1_000)).toEqual(events);
  });

  test('says what is in the log and what is left to do when a read model stops at it', async () => {
    const folder = used.copy();
    const { email, userId } = used.ann;
    await parkAllButOne(folder, accountStream(userId));
    const sentence = new RegExp(
      `^The log says at position \\d+ that ${userId} is forgotten, .+ give the same command again\\. The read model accounts has stopped, `,
    );
    expect(await tell(folder, 'erase', userId, '--yes')).toMatchObject({
      code: 1,
      json: { code: 'unavailable', message: expect.stringMatching(sentence) },
    });
    expect(filesWith(folder, email)).not.toEqual([]);
    expect(await tell(folder, 'rebuild')).toMatchObject({ code: 0 });
    expect(await tell(folder, 'erase', userId, '--yes')).toMatchObject({ code: 0, json: { isNew: false } });
    expect(filesWith(folder, email)).toEqual([]);
  });

  test('takes what was uploaded and never handed in, and tells what it writes off', async () => {
    const folder = dataFolder();
    const program = await startProgram(folder.path);
    const admin = await firstAdmin(program);
    const carl = await join(program.visitor, 'Carl');
    const fileId = await upload(carl);
    // Dollars that no balance can pay any more.
    await credit(admin, carl, { BTC: '1' });
    await admin.api.get('setPrices', {
      body: { prices: { BTC: '0.001' }, reason: 'a test' },
      headers: keyed(),
    });
    program.child.kill('SIGTERM');
    await program.ended;
    const writtenOff = { USD: '1.00', BTC: '1.00000000', PI: '0.0000000', USDT: '0.000000' };
    expect(await tell(folder.path, 'erase', carl.userId, '--yes')).toMatchObject({
      code: 0,
      json: { files: 1, writtenOff },
    });
    expect(await tell(folder.path, 'verify')).toMatchObject({ code: 0 });
    expect(filesWith(folder.path, fileId)).toEqual([]);
    await folder.remove();
  });

  test('of an admin takes the right first, and is refused of the last one', async () => {
    const folder = dataFolder();
    const program = await startProgram(folder.path);
    const first = await firstAdmin(program);
    const { token } = await first.api.get('inviteAdmin');
    const second = await join(program.visitor, 'Eve', token);
    program.child.kill('SIGTERM');
    await program.ended;
    expect(filesWith(folder.path, second.email).length).toBeGreaterThan(0);
    const before = eventsUpTo(folder.path, 1_000);

    expect(await tell(folder.path, 'erase', second.userId, '--yes')).toMatchObject({
      code: 0,
      json: { isNew: true },
    });
    expect(filesWith(folder.path, second.email)).toEqual([]);
    const after = eventsUpTo(folder.path, 1_000);
    const written = after.slice(before.length).map((event) => (JSON.parse(event) as StoredType).type);
    expect(written).toEqual(['AdminRemoved', 'PersonForgotten', 'SessionsEnded']);

    expect(await tell(folder.path, 'erase', first.userId, '--yes')).toMatchObject({
      code: 1,
      json: { code: 'not_permitted' },
    });
    expect(eventsUpTo(folder.path, 1_000)).toEqual(after);
    expect(await tell(folder.path, 'verify')).toMatchObject({ code: 0, json: { wrong: [] } });
    const again = await startProgram(folder.path);
    try {
      expect((await signIn(again.visitor, first)).userId).toBe(first.userId);
      const { email, password } = second;
      expect((await again.visitor.call('signIn', { body: { email, password } })).status).toBe(401);
    } finally {
      again.child.kill('SIGTERM');
      await again.ended;
      await folder.remove();
    }
  });

  test('killed at any moment is finished by the next one', async () => {
    const { email, userId } = used.ann;
    let killed = 0;
    for (const changes of [1, 20, 35, 50, 65, 80]) {
      const folder = used.copy();
      if (await killAfterChanges(await spawnLode(folder, 'erase', userId, '--yes'), folder, changes))
        killed += 1;
      // The log is right at every moment, and so is everybody else.
      expect(await tell(folder, 'verify', '--log-only')).toMatchObject({ code: 0 });
      expect(await tell(folder, 'erase', userId, '--yes')).toMatchObject({ code: 0 });
      expect(filesWith(folder, email)).toEqual([]);
      const reader = openLogReader(pathJoin(folder, 'events.sqlite'));
      const own = reader.readStream(accountStream(userId), { limit: 100 });
      reader.close();
      expect(own.filter(({ type }) => type === 'PersonForgotten')).toHaveLength(1);
      expect(await tell(folder, 'verify')).toMatchObject({ code: 0 });
    }
    expect(killed).toBeGreaterThan(0);
  });

  test('of one whose history is restored from an old backup is repeated', async () => {
    const folder = used.copy();
    const places = dataFolder();
    const backup = pathJoin(places.path, 'backup');
    await tell(folder, 'backup', backup);
    await tell(folder, 'erase', used.ann.userId, '--yes');
    const restored = pathJoin(places.path, 'restored');
    await tell(restored, 'restore', backup);
    expect(filesWith(restored, used.ann.email).length).toBeGreaterThan(0);
    await tell(restored, 'erase', used.ann.userId, '--yes');
    expect(filesWith(restored, used.ann.email)).toEqual([]);
    await places.remove();
  });
});
