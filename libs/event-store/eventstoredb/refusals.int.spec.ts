import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logStart } from '#kernel';
import { describeWhere } from '#kernel/testing';
import type { EventStore } from '#event-store';
import { freshStream, sealedEvents } from '#event-store/testing';
import { startDouble, type DoubleOptions, type EventStoreDbDouble } from './double/index.js';
import { checkEventStoreDb, openEventStoreDb } from './index.js';

const impatient = { attempts: 2, attemptMs: 20_000, silenceMs: 20_000, pauseMs: 4, pauseMaxMs: 8 };
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function start(options?: DoubleOptions): Promise<EventStoreDbDouble> {
  const server = await startDouble(options);
  closing.push(() => server.stop());
  return server;
}

async function open(url: string): Promise<EventStore> {
  const store = await openEventStoreDb({ url, retry: impatient });
  closing.push(() => store.close());
  return store;
}

function append(store: EventStore) {
  const stream = freshStream();
  return store.append({ stream, expected: 'no-stream', events: sealedEvents(stream, 0, 1) });
}

/** Looking at the server finds this one thing wrong with it. */
async function expectFound(url: string, what: RegExp): Promise<void> {
  const found = await checkEventStoreDb(url);
  expect(found).toEqual([{ what: expect.stringMatching(what), todo: expect.stringMatching(/^[A-Z].*\.$/) }]);
  expect(JSON.stringify(found)).not.toContain('changeit');
}

/** Both ways to the server are refused with one sentence, which names the address and no password. */
async function expectRefused(url: string, sentence: RegExp): Promise<void> {
  const store = await open(url);
  const address = expect.stringMatching(/ at esdb:\/\/127\.0\.0\.1:\d+ /);
  const refusal = { code: 'unavailable', message: expect.stringMatching(sentence) };
  await expectFound(url, sentence);
  for (const asked of [() => store.head(), () => append(store)]) {
    await expect(asked()).rejects.toMatchObject(refusal);
    await expect(asked()).rejects.toMatchObject({ message: address });
    await expect(asked()).rejects.toMatchObject({ message: expect.not.stringContaining('changeit') });
  }
}

describe('a server (double)', () => {
  test('that says nothing', async () => {
    const server = await start();
    server.freeze();
    await expectFound(server.url, /cannot be reached: see whether it runs/);
  });

  test('that answers and then says nothing when the log is read', async () => {
    const server = await start();
    server.breakNextRead({ after: 0, then: 'silence' });
    await expectFound(server.url, /answers, but gave no answer .* when it was asked to read the log: look/);
  });

  test('that answers and then says nothing when something is appended', async () => {
    const server = await start();
    server.failNextAppend('no-answer-unwritten');
    await expectFound(server.url, /answers, but gave no answer .* when it was asked for an append: look/);
  });

  test('that has no users, which lets everybody write on purpose', async () => {
    const server = await start();
    const before = server.all().length;
    expect(await checkEventStoreDb(server.url)).toEqual([]);
    expect(server.all()).toHaveLength(before);
  });

  test('that nobody runs', async () => {
    const server = await start();
    await server.stop();
    await expectRefused(server.url, /cannot be reached: see whether it runs/);
  });

  test('that is older than release 21.10', async () => {
    const { url } = await start({ release: '20.10' });
    await expectFound(url, /is older than release 21\.10: upgrade the server/);
    const store = await open(url);
    await expect(append(store)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('is older than release 21.10: upgrade the server'),
    });
  });

  test('of which there is none in the cluster', async () => {
    const url = 'esdb+discover://127.0.0.1:1?tls=false&maxDiscoverAttempts=1';
    await expectFound(url, /No server of the/);
    const store = await open(url);
    await expect(store.head()).rejects.toMatchObject({
      message: expect.stringContaining('No server of the'),
    });
  });

  test('that does not speak TLS', async () => {
    const { url } = await start();
    await expectRefused(url.replace('tls=false', 'tls=true'), /does not speak TLS there: correct the port/);
  });

  test('that has users, without TLS', async () => {
    const access = { name: 'admin', password: 'changeit', letsAnybodyWrite: false };
    const { url } = await start({ access });
    await expectRefused(url, /wants a name and password: put them into/);
    await closing.pop()?.();
    await expectRefused(url.replace('://', '://admin:changeit@'), /not sent without TLS: take tls=false out/);
  });
});

const hasOpenssl = (() => {
  try {
    return execFileSync('openssl', ['version']).length > 0;
  } catch {
    return false;
  }
})();

describeWhere(hasOpenssl, 'a server (double) with TLS', 'no openssl', () => {
  type Certificate = { readonly file: string; readonly tls: NonNullable<DoubleOptions['tls']> };
  const access = { name: 'admin', password: 'changeit', letsAnybodyWrite: true };
  let own: Certificate;
  let elsewhere: Certificate;

  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
  });
  beforeAll(() => {
    own = certify('IP:127.0.0.1');
    elsewhere = certify('DNS:elsewhere');
  });

  /** A certificate that signs itself. */
  function certify(name: string): Certificate {
    const folder = mkdtempSync(join(tmpdir(), 'lode-esdb-'));
    const [keyFile, file] = [join(folder, 'key.pem'), join(folder, 'ca.pem')];
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', keyFile];
    const subject = ['-days', '2', '-subj', '/CN=double', '-addext', `subjectAltName=${name}`, '-out', file];
    execFileSync('openssl', ['req', '-x509', ...key, ...subject], { stdio: 'ignore' });
    const tls = { key: readFileSync(keyFile), certificate: readFileSync(file) };
    folders.push(folder);
    return { file, tls };
  }

  const urlOf = ({ port }: EventStoreDbDouble, { user = 'admin:changeit@', file = own.file } = {}) =>
    `esdb://${user}127.0.0.1:${port}?tls=true${file === '' ? '' : `&tlsCAFile=${file}`}`;

  test('is written and read when its certificate is trusted', async () => {
    const store = await open(urlOf(await start({ tls: own.tls, access })));
    await append(store);
    expect(await store.readAll(logStart, 10)).toHaveLength(1);
  });

  test('is not trusted when nobody here knows who signed', async () => {
    const server = await start({ tls: own.tls });
    await expectRefused(urlOf(server, { file: '' }), /not signed by anybody known here: name the file/);
  });

  test('is not trusted when its certificate is for another name', async () => {
    const server = await start({ tls: elsewhere.tls });
    await expectRefused(urlOf(server, { file: elsewhere.file }), /is for other names: use one of them/);
  });

  test('is not asked without TLS', async () => {
    const server = await start({ tls: own.tls });
    await expectRefused(server.url.replace('tls=true', 'tls=false'), /If it speaks TLS, take tls=false out/);
  });

  test('refuses a wrong password, and nobody in the place of a user', async () => {
    const server = await start({ tls: own.tls, access: { ...access, letsAnybodyWrite: false } });
    await expectRefused(
      urlOf(server, { user: 'admin:wrong@' }),
      /refuses the name and password .*: correct them/,
    );
    await closing.pop()?.();
    await expectRefused(urlOf(server, { user: '' }), /wants a name and password: put them into/);
  });

  test('that lets anybody write is found, and nothing is written for it', async () => {
    const server = await start({ tls: own.tls, access });
    const before = server.all().length;
    await expectFound(urlOf(server), / lets anybody write .*: let only .* \$userStreamAcl/);
    expect(server.all()).toHaveLength(before);
  });

  test.each(['the log', 'writing'] as const)('does not let the user use %s', async (forbids) => {
    const server = await start({ tls: own.tls, access: { ...access, letsAnybodyWrite: false, forbids } });
    const refusal = /does not let the user of the connection string do this: give that user the right to/;
    await expectFound(urlOf(server), refusal);
    const store = await open(urlOf(server));
    const [reading, writing] = await Promise.allSettled([store.head(), append(store)]);
    const refused = { status: 'rejected', reason: { message: expect.stringMatching(refusal) } };
    expect(forbids === 'the log' ? reading : writing).toMatchObject(refused);
    expect(forbids === 'the log' ? writing : reading).toMatchObject({ status: 'fulfilled' });
  });

  test('that lets only its users write is not', async () => {
    const server = await start({ tls: own.tls, access: { ...access, letsAnybodyWrite: false } });
    const before = server.all().length;
    expect(await checkEventStoreDb(urlOf(server))).toEqual([]);
    expect(server.all()).toHaveLength(before);
    await server.stop();
    await expectFound(urlOf(server), /cannot be reached|ends connections/);
  });
});
