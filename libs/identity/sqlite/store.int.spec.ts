import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { createIdentity, FORGOTTEN, type Identity } from '#identity';
import { describeIdentityStore, describePersonKeysReader, type PersonKeysFixture } from '#identity/contract';
import { openIdentityStore, openPersonKeys } from '#identity/sqlite';

const newFolder = () => mkdtempSync(join(tmpdir(), 'lode-identity-'));

const fixture = async (): Promise<PersonKeysFixture> => {
  const folder = newFolder();
  const file = join(folder, 'identity.sqlite');
  const open = () => openIdentityStore({ file });
  return {
    open,
    openReader: async () => openPersonKeys({ file }),
    reopen: async (store) => {
      await store.close();
      return open();
    },
    cleanUp: async () => rmSync(folder, { recursive: true }),
  };
};
describeIdentityStore('SQLite', fixture);
describePersonKeysReader('SQLite', fixture);

describe('the SQLite file of identity', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = newFolder();
    file = join(folder, 'identity.sqlite');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const openIdentity = async (): Promise<Identity> =>
    createIdentity({ store: await openIdentityStore({ file }), isOpen: async () => true });
  const register = (identity: Identity, email: string) =>
    identity.credentials.reserve({ email, password: 'my secret', role: 'user' });
  /** A file with a person in it, as it is after the program ended. */
  const filled = async () => {
    const identity = await openIdentity();
    await register(identity, 'ann@example.org');
    await identity.close();
  };
  const refusal = async () => {
    const failed: unknown = await openIdentityStore({ file }).then(
      () => undefined,
      (error: unknown) => error,
    );
    const { code, message } = failed as { readonly code: string; readonly message: string };
    return { code, message: message.replace(file, 'FILE') };
  };

  test('only its owner may read it and its log', async () => {
    const identity = await openIdentity();
    await register(identity, 'ann@example.org');
    const names = await readdir(folder);
    expect(names).toContain('identity.sqlite-wal');
    for (const name of names) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
    await identity.close();
  });

  test('a file of a newer program is not opened and not changed', async () => {
    await filled();
    const db = new DatabaseSync(file);
    db.exec('PRAGMA user_version = 7');
    db.close();
    const before = readFileSync(file);
    expect(await refusal()).toEqual({
      code: 'storage_failed',
      message: 'The identity file FILE was written by a newer Lode (schema 7, this one knows 6).',
    });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('a file of the first schema is brought up, with everybody in it', async () => {
    await filled();
    const db = new DatabaseSync(file);
    db.exec(`
      DROP TABLE transfer_pin;
      DROP TABLE platform;
      DROP TABLE seal_key;
      DROP TABLE to_overwrite;
      ALTER TABLE credential DROP COLUMN owner;
      ALTER TABLE credential DROP COLUMN epoch;
      ALTER TABLE credential DROP COLUMN suspended;
      ALTER TABLE session DROP COLUMN door_sign_in_at;
      ALTER TABLE session DROP COLUMN proved_at;
      DROP TABLE own_network;
      DROP TABLE kept_request;
      DROP TABLE own_key;
      DROP TABLE mail;
      DROP TABLE link;
      DROP TABLE second_factor;
      PRAGMA user_version = 1;
    `);
    db.close();
    const identity = await openIdentity();
    const { credentials, transferPins } = identity;
    const { userId } = await credentials.verifyPassword('ann@example.org', 'my secret');
    expect(await credentials.known(userId)).toMatchObject({ suspended: false, epoch: 0 });
    await transferPins.set(userId, '1234');
    await credentials.suspend(userId);
    await identity.close();
    const again = await openIdentity();
    expect(await again.credentials.known(userId)).toMatchObject({ suspended: true, epoch: 1 });
    await again.transferPins.verify(userId, '1234');
    await again.close();
  });

  test('an earlier version finds no token that leads into a session of who is suspended', async () => {
    const identity = await openIdentity();
    const { userId } = await register(identity, 'ann@example.org');
    await identity.sessions.start({ userId, role: 'user' }, { address: '127.0.0.1', agent: 'a test' });
    for (const _ of ['once', 'twice']) await identity.credentials.suspend(userId);
    await identity.close();
    const db = new DatabaseSync(file, { readOnly: true });
    const found = db
      .prepare(
        `SELECT session.generation - refresh_token.generation AS behind, (SELECT count(*) FROM access_token) AS access
         FROM refresh_token JOIN session USING (session_id)`,
      )
      .all();
    db.close();
    // One that is behind by two counts as used, and ends its session.
    expect(found).toEqual([{ behind: 2, access: 0 }]);
  });

  test('another program’s database is not touched', async () => {
    const db = new DatabaseSync(file);
    db.exec('CREATE TABLE theirs (x); PRAGMA application_id = 99');
    db.close();
    const before = readFileSync(file);
    expect(await refusal()).toEqual({
      code: 'storage_failed',
      message: 'The identity file FILE belongs to another program.',
    });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test.each([
    ['text', () => writeFileSync(file, 'this is no database '.repeat(1_000))],
    ['a few bytes', () => writeFileSync(file, 'x')],
    ['a database without its end', () => truncateSync(file, statSync(file).size - 4_096)],
    ['a database without its middle', () => truncateSync(file, 8_192)],
    ['a database with a broken beginning', () => writeFileSync(file, readFileSync(file).fill(7, 0, 4_096))],
  ])('%s is refused in one sentence', async (_, harm) => {
    await filled();
    harm();
    expect(await refusal()).toEqual({
      code: 'storage_failed',
      message: expect.stringMatching(/^The identity file FILE is damaged[^.]*\.$/),
    });
  });

  test('damage that shows only when it is read has the same code', async () => {
    await filled();
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xff, 4_096));
    const failures = await openIdentityStore({ file }).then(
      async (store) => {
        const failed = await store.credentialByEmail('ann@example.org').catch((error: unknown) => error);
        await store.close();
        return failed;
      },
      (error: unknown) => error,
    );
    expect(failures).toMatchObject({ code: 'storage_failed' });
  });

  test('a folder that can’t be made is named', async () => {
    writeFileSync(join(folder, 'plain'), '');
    const store = openIdentityStore({ file: join(folder, 'plain', 'identity.sqlite') });
    await expect(store).rejects.toMatchObject({ code: 'storage_failed' });
  });

  test('no token and no password is in it', async () => {
    const identity = await openIdentity();
    const { userId } = await register(identity, 'ann@example.org');
    const tokens = await identity.sessions.start({ userId, role: 'user' }, { address: 'here', agent: 'x' });
    const invitation = await identity.invitations.issueToken('one', '2030-01-01T00:00:00.000Z');
    const request = {
      name: ['a name of mine'],
      content: ['secret'],
      secret: { text: 'secret', share: 'pin' },
    } as const;
    await identity.requests.once(request, async () => ({ answer: {}, about: userId }));
    await identity.close();
    const bytes = readFileSync(file);
    expect(bytes.includes('ann@example.org')).toBe(true);
    for (const token of [tokens.accessToken, tokens.refreshToken, invitation])
      expect(bytes.includes(token.slice(-43))).toBe(false);
    for (const text of ['secret', 'a name of mine']) expect(bytes.includes(text)).toBe(false);
  });

  test('a destroyed key and an erased e-mail are in no byte of the file or its log', async () => {
    const identity = await openIdentity();
    const store = await openIdentityStore({ file });
    const [ann, bob] = [
      await register(identity, 'ann@example.org'),
      await register(identity, 'bob@example.org'),
    ];
    const keys = await Promise.all([ann, bob].map(({ userId }) => store.personKey(userId)));
    const [annsKey, bobsKey] = keys.map((found) =>
      found.kind === 'key' ? Buffer.from(found.key) : undefined,
    );
    const onDisk = async () =>
      Buffer.concat((await readdir(folder)).map((name) => readFileSync(join(folder, name))));
    expect((await onDisk()).includes(annsKey!)).toBe(true);
    await identity.personKeys.destroyKey(ann.userId);
    expect((await onDisk()).includes(annsKey!)).toBe(false);
    expect((await onDisk()).includes('ann@example.org')).toBe(true);
    await identity.credentials.erase(ann.userId);
    const bytes = await onDisk();
    expect(bytes.includes('ann@example.org')).toBe(false);
    expect(bytes.includes(bobsKey!)).toBe(true);
    await store.close();
    await identity.close();
  });

  test('neither the e-mail address of before nor the one after it is in a byte once its owner is erased', async () => {
    const identity = await openIdentity();
    const reserved = await register(identity, 'ann@example.org');
    await identity.credentials.activate(reserved);
    const { userId } = reserved;
    const [from, to] = ['ann@example.org', 'ann.miller@example.net'];
    await identity.links.issue('change-email', { userId, epoch: 0 }, { from, to });
    expect(await identity.credentials.changeEmail({ userId, epoch: 0, from, to })).toBe('changed');
    const onDisk = async () =>
      Buffer.concat((await readdir(folder)).map((name) => readFileSync(join(folder, name))));
    expect((await onDisk()).includes(to)).toBe(true);
    await identity.credentials.erase(userId);
    const bytes = await onDisk();
    expect([from, to].filter((email) => bytes.includes(email))).toEqual([]);
    await identity.close();
  });

  test('an erased e-mail is in no byte though pages were divided since it was written', async () => {
    const store = await openIdentityStore({ file });
    const digest = (text: string) => createHash('sha256').update(text).digest('hex');
    // Of these, some stay in pages that were divided: that depends on the order and the lengths alone.
    const people = Array.from({ length: 500 }, (_, n) => ({
      userId: digest(`id 4/${n}`).slice(0, 32),
      email: `${digest(`4/${n}`).slice(0, 12 + ((n * 7) % 50))}@example.org`,
    }));
    const common = { passwordHash: `$argon2id$${'h'.repeat(80)}`, role: 'user', owner: '' } as const;
    for (const [n, { userId, email }] of people.entries()) {
      const accountNumber = String(1_000_000_000 + n);
      const personKey = new Uint8Array(32).fill(1);
      await store.reserve({ ...common, userId, email, accountNumber, reservedAt: n, personKey });
    }
    const erased = people.filter((_, n) => n % 3 === 0);
    await Promise.all(erased.map(({ userId }) => store.eraseCredential(userId)));
    const bytes = readFileSync(file);
    expect(erased.filter(({ email }) => bytes.includes(email))).toEqual([]);
    expect(bytes.includes(people[1]?.email ?? '?')).toBe(true);
    await store.close();
  });

  test('while the file is written anew it is read, and what is to be written waits', async () => {
    const store = await openIdentityStore({ file });
    const [ann, bob] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
    await store.createPersonKey('ann', ann);
    await store.createPersonKey('bob', bob);
    let ended = 0;
    const destroying = store.destroyPersonKey('ann', 1).finally(() => (ended += 1));
    const erasing = store.eraseCredential('ann').finally(() => (ended += 1));
    // Whoever did it on this thread would be done by now.
    await setImmediate();
    expect(await store.personKey('bob')).toEqual({ kind: 'key', key: bob });
    expect(ended).toBe(0);
    const writing = Promise.all(
      Array.from({ length: 50 }, (_, n) => store.createPersonKey(`message ${n}`, bob)),
    );
    expect(await destroying).toBe(true);
    expect(await erasing).toEqual([]);
    expect(await writing).toEqual(Array.from({ length: 50 }, () => true));
    expect(await store.personKey('message 49')).toEqual({ kind: 'key', key: bob });
    await store.close();
  });

  test('a key that is being overwritten opens nothing any more', async () => {
    const identity = await openIdentity();
    const { userId } = await register(identity, 'ann@example.org');
    const sealed = await identity.personKeys.encryptFor(userId, { firstname: 'Ann' });
    let isDone = false;
    const destroying = identity.personKeys.destroyKey(userId).then(() => (isDone = true));
    await setImmediate();
    expect(await identity.personKeys.decryptFor(userId, sealed)).toBe(FORGOTTEN);
    expect(isDone).toBe(false);
    await destroying;
    await identity.close();
  });

  test('it can be closed while the file is written anew', async () => {
    const store = await openIdentityStore({ file });
    await store.createPersonKey('ann', new Uint8Array(32).fill(1));
    const destroying = store.destroyPersonKey('ann', 1);
    await Promise.all([destroying, store.close()]);
    const again = await openIdentityStore({ file });
    expect(await again.personKey('ann')).toEqual({ kind: 'destroyed' });
    await again.close();
  });

  test('it is closed only when a thread that was starting has written the file anew', async () => {
    const store = await openIdentityStore({ file });
    await store.createPersonKey('ann', new Uint8Array(32).fill(1));
    let isDone = false;
    const destroying = store.destroyPersonKey('ann', 1).then(() => (isDone = true));
    // The key is gone from its row, and a thread is starting, which takes longer than this.
    await setImmediate();
    await store.close();
    await setImmediate();
    expect(isDone).toBe(true);
    await destroying;
  });

  test('a destroyed key that somebody’s long read keeps in the log is not said to be gone', async () => {
    const identity = await openIdentity();
    const { userId } = await register(identity, 'ann@example.org');
    const reader = new DatabaseSync(file, { readOnly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM credential').get();
    await expect(identity.personKeys.destroyKey(userId)).rejects.toMatchObject({ code: 'unavailable' });
    reader.close();
    await identity.personKeys.destroyKey(userId);
    expect(statSync(`${file}-wal`).size).toBe(0);
    await identity.close();
  });

  test('after the disk failed nothing more is written, what was answered is kept, and it can be read', async () => {
    const program = `
      import { openIdentityStore } from '#identity/sqlite';
      const store = await openIdentityStore({ file: process.argv[1] });
      const put = (n) =>
        store.putInvitationToken('invitation ' + n, { hash: 'hash ' + n, expiresAt: 1 }).then(() => '', (e) => e);
      let n = 0;
      let first = '';
      for (; first === '' && n < 10_000; n += 1) first = await put(n);
      const second = await put(n);
      const read = await store.invitationByToken('hash 0');
      const told = [first, second].map(({ code, message }) => ({ code, message }));
      process.stdout.write(JSON.stringify({ told, written: n - 1, read }));`;
    // A limit on the size of files is the failing disk that needs no special rights.
    const command = `trap '' XFSZ; ulimit -f 512; exec "$0" --input-type=module -e "$1" "$2"`;
    const { stdout } = await promisify(execFile)('bash', ['-c', command, process.execPath, program, file]);
    const { told, written, read } = JSON.parse(stdout) as { told: unknown; written: number; read: unknown };
    expect(told).toEqual([
      // It was handed to the disk.
      {
        code: 'unknown_outcome',
        message: `The identity file ${file} can't be read or written: the disk failed.`,
      },
      {
        code: 'storage_failed',
        message: `The identity file ${file} takes no more changes since the disk failed: restart Lode.`,
      },
    ]);
    expect(read).toEqual({ invitationId: 'invitation 0', expiresAt: 1 });
    const store = await openIdentityStore({ file });
    for (let n = 0; n < written; n += 1)
      expect(await store.invitationByToken(`hash ${n}`)).toMatchObject({ invitationId: `invitation ${n}` });
    expect(await store.invitationByToken(`hash ${written}`)).toBeUndefined();
    await store.close();
  });

  describe('the reader for another thread', () => {
    test('works in a worker thread beside the writer', async () => {
      const identity = await openIdentity();
      const { userId } = await register(identity, 'ann@example.org');
      const text = await identity.personKeys.encryptFor(userId, { firstname: 'Ann' });
      const worker = new Worker(new URL('./testing/reader.worker.js', import.meta.url), {
        workerData: { file },
      });
      const ask = async (): Promise<unknown> => {
        worker.postMessage({ userId, text });
        return (await once(worker, 'message'))[0];
      };
      try {
        expect(await ask()).toEqual({ firstname: 'Ann' });
        await identity.personKeys.destroyKey(userId);
        expect(await ask()).toBe(FORGOTTEN);
      } finally {
        await worker.terminate();
      }
      await identity.close();
    });

    test('refuses a file that is not there, and never makes one', async () => {
      expect(() => openPersonKeys({ file })).toThrow(/can't be opened/);
      expect(await readdir(folder)).toEqual([]);
    });
  });
});
