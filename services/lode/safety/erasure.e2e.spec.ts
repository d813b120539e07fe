import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { cpSync, readdirSync, watch } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openLogReader } from '#event-store/sqlite';
import { findVersitygw } from '#files/s3/testing';
import { redisServer } from '#jobs/bullmq/testing';
import { describeWhere, until } from '#kernel/testing';
import {
  confirmFunding,
  dataFolders,
  filesBelow,
  firstAdmin,
  follow,
  keyed,
  killAll,
  newPerson,
  requestFunding,
  serverNames,
  setPin,
  signIn,
  spawnLode,
  standOn,
  startProgram,
  startServers,
  tell,
  testedOn,
  transferTo,
  type Kept,
  type Listening,
  type Person,
  type ServerName,
} from '../testing/index.js';

const { newFolder, removeFolders } = dataFolders();
const { newFolder: newPlace, removeFolders: removePlaces } = dataFolders();
const programs: Listening[] = [];
afterEach(async () => {
  await killAll(programs);
  await removeFolders();
});

/** The program logs all that it ever does. */
const ENV = { LODE_IDENTITY_TOOLKIT: 'true', LODE_PROXIES: '127.0.0.1', LODE_LOG: 'debug' };

/** What somebody can be known by, none of which may be left. */
const CANARIES = {
  name: 'Kanarienvogel',
  email: 'serinus-canaria@example.org',
  nextEmail: 'serinus-domestica@example.net',
  phone: '+41 79 555 01 23',
  walletAddress: 'bc1qserinuscanariaforma0000domestica00000',
  network: '198.51.100.173',
  program: 'AviaryBrowser/77.3',
  narration: 'for the little yellow bird',
  file: 'a scan of the bird’s own passport',
  mail: 'By this link you set a password',
} as const;

const FROM = { 'X-Forwarded-For': CANARIES.network, 'User-Agent': CANARIES.program };

/** A text in every form in which a file could have it. */
function formsOf(text: string): readonly Buffer[] {
  const bytes = Buffer.from(text);
  const hex = bytes.toString('hex');
  const wide = Buffer.from(text, 'utf16le');
  const aligned = [0, 1, 2].flatMap((shift) => {
    const base64 = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replaceAll('=', '');
    // Without what the bytes before and behind it have a share in.
    const whole = base64.slice(shift === 0 ? 0 : shift + 1, Math.floor(((shift + bytes.length) * 4) / 3));
    return [whole, whole.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [
    bytes,
    wide,
    Buffer.from(wide).swap16(),
    ...[hex, hex.toUpperCase(), ...aligned].map((one) => Buffer.from(one)),
  ];
}

/** Where something of them is left, in whatever form. */
function leftOf(kept: readonly Kept[]): readonly string[] {
  const forms = Object.entries(CANARIES).map(([name, text]) => [name, formsOf(text)] as const);
  return kept.flatMap(({ where, content }) => {
    const found = forms.filter(([, texts]) => texts.some((text) => content.includes(text)));
    return found.map(([name]) => `${name} in ${where}`);
  });
}

/** The same for a folder. */
const leftIn = (folder: string) => leftOf(filesBelow(folder));

/** The same for what a program has printed. */
function leftInLog({ printed }: Listening): readonly string[] {
  expect(printed.out).toContain('Lode is ready at');
  return leftOf([{ where: 'the log', content: Buffer.from(printed.out + printed.err) }]);
}

async function started(folder: string): Promise<Listening> {
  const program = await startProgram(folder, ENV);
  programs.push(program);
  return program;
}

/** Somebody with all of the canaries, and no money. */
async function birdIn(program: Listening, admin: Person): Promise<Person> {
  const { name: firstname, email, phone } = CANARIES;
  const body = { ...newPerson(firstname), email, phone };
  await program.visitor.get('register', { body, headers: FROM });
  await program.visitor.get('signIn', { body: { email, password: body.password }, headers: FROM });
  await program.visitor.get('requestPasswordReset', { body: { email }, headers: FROM });
  const bird = await signIn(program.visitor, body);
  const { userId, api } = bird;
  const { walletAddress, narration, file, nextEmail } = CANARIES;
  await api.get('requestEmailChange', { body: { email: nextEmail, proof: { password: bird.password } } });
  await api.get('saveWalletAddress', {
    params: { userId },
    body: { walletAddress, proof: { password: bird.password } },
    headers: keyed(),
  });
  const form = new FormData();
  const pdf = `%PDF-1.4\n% ${file}\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`;
  form.append('file', new Blob([pdf], { type: 'application/pdf' }), 'evidence.pdf');
  const { fileId } = await api.get('uploadEvidence', { form });
  await confirmFunding(admin, bird, (await requestFunding(bird, '100.00', fileId)).requestId);
  await setPin(bird);
  const transfer = transferTo('DE89370400440532013000', '100.00', { narration });
  const { requestId } = await api.get('requestTransfer', { body: transfer, headers: keyed() });
  const { position } = await admin.api.get('confirmTransfer', {
    params: { userId, requestId },
    body: {},
    headers: keyed(),
  });
  await admin.api.get('totals', { headers: { 'Lode-Position': position } });
  return bird;
}

/** The token of a session that began at the identity door just now. */
async function doorToken({ visitor }: Listening, { email, password }: Person): Promise<string> {
  const response = await fetch(`${visitor.address}/v1/accounts:signInWithPassword`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...FROM },
    body: JSON.stringify({ email, password, returnSecureToken: true }),
  });
  return ((await response.json()) as { readonly idToken: string }).idToken;
}

function deleteAccount({ visitor }: Listening, idToken: string): Promise<Response> {
  return fetch(`${visitor.address}/v1/accounts:delete`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...FROM },
    body: JSON.stringify({ idToken }),
  });
}

/** An export of every event whose answer nobody reads. */
function openExport({ visitor }: Listening, admin: Person): Promise<Response> {
  return fetch(`${visitor.address}/api/events`, {
    headers: { Accept: 'application/x-ndjson', Authorization: `Bearer ${admin.api.token ?? ''}` },
  });
}

function isForgottenIn(folder: string): boolean {
  const reader = openLogReader(pathJoin(folder, 'events.sqlite'));
  const events = reader.readAll('0' as Parameters<typeof reader.readAll>[0], 1_000);
  reader.close();
  return events.some(({ type }) => type === 'PersonForgotten');
}

describeWhere(testedOn.length === 0, 'an erasure in a data folder', 'LODE_TEST_ON names servers', () => {
  test('that was answered over HTTP has left nothing in any file, with an export and live streams open', async () => {
    const folder = newFolder();
    const program = await started(folder);
    const admin = await firstAdmin(program);
    const bird = await birdIn(program, admin);
    const idToken = await doorToken(program, bird);
    // Where withdrawals and transfers go is encrypted wherever it is, and so are what a mail says and an address that waits for its link.
    const inClear = new Set(leftIn(folder).map((place) => place.split(' ')[0]));
    expect(inClear).toEqual(new Set(['name', 'email', 'phone', 'network', 'program', 'file']));

    const exported = await openExport(program, admin);
    const streams = [await follow(admin.api), await follow(bird.api)];
    const answer = await deleteAccount(program, idToken);
    expect([answer.status, leftIn(folder)]).toEqual([200, []]);
    for (const stream of streams) stream.close();
    await exported.text();
    program.child.kill('SIGTERM');
    await program.ended;
    expect([leftIn(folder), leftInLog(program)]).toEqual([[], []]);
  });

  test('that a customer asked for in the settings has left nothing either, and no mail of it waits', async () => {
    const folder = newFolder();
    const program = await started(folder);
    const bird = await birdIn(program, await firstAdmin(program));
    const body = { proof: { password: bird.password } };
    const answer = await bird.api.get('closeAccount', { body, headers: FROM });
    expect([answer.message, leftIn(folder)]).toEqual(['Your account is closed.', []]);
    program.child.kill('SIGTERM');
    await program.ended;
    expect([leftIn(folder), leftInLog(program)]).toEqual([[], []]);
  });

  describe('of somebody', () => {
    let cage: string;
    let bird: Person;
    beforeAll(async () => {
      cage = newPlace();
      const program = await startProgram(cage, ENV);
      bird = await birdIn(program, await firstAdmin(program));
      program.child.kill('SIGTERM');
      await program.ended;
    });
    afterAll(removePlaces);
    const copied = () => {
      const folder = newFolder();
      cpSync(cage, folder, { recursive: true });
      return folder;
    };
    const erase = (folder: string) => tell(folder, 'erase', bird.userId, '--yes');

    test('by the command line has left nothing in any file either', async () => {
      const folder = copied();
      const told = await erase(folder);
      expect(told).toMatchObject({ code: 0 });
      expect(leftIn(folder)).toEqual([]);
      expect(leftOf([{ where: 'its output', content: Buffer.from(JSON.stringify(told)) }])).toEqual([]);
    });

    test('takes the room that it needs for that on the disk of the folder', async () => {
      const folder = copied();
      const db = new DatabaseSync(pathJoin(folder, 'identity.sqlite'));
      db.exec(`INSERT INTO own_key (name, value) VALUES ('much', zeroblob(16000000))`);
      db.close();
      const made = new Set<string | null>();
      const watcher = watch(folder, (_, name) => made.add(name));
      expect(await erase(folder)).toMatchObject({ code: 0 });
      watcher.close();
      expect([...made]).toContainEqual(expect.stringMatching(/^etilqs_/));
      expect(readdirSync(folder).filter((name) => name.startsWith('etilqs_'))).toEqual([]);
    });

    /** Each stays so once it is. */
    const moments: readonly (readonly [string, (folder: string) => boolean])[] = [
      ['the log says it', isForgottenIn],
      ['the e-mail is gone', (folder) => !hasIn(folder, 'credential', 'email IS NOT NULL', bird.userId)],
      ['the key is gone', (folder) => !hasIn(folder, 'person_key', 'key IS NOT NULL', bird.userId)],
      [
        'the file is gone',
        (folder) => !readdirSync(pathJoin(folder, 'files')).some((name) => name.endsWith('.json')),
      ],
    ];

    /** How the bird asks for it: each signs in, and gives what sends it. */
    const ways: readonly (readonly [string, (program: Listening) => Promise<() => Promise<unknown>>])[] = [
      [
        'at the identity door',
        async (program) => {
          const token = await doorToken(program, bird);
          return () => deleteAccount(program, token);
        },
      ],
      [
        'in the settings',
        async ({ visitor }) => {
          const { api, password } = await signIn(visitor, bird);
          return () => api.call('closeAccount', { body: { proof: { password } }, headers: FROM });
        },
      ],
    ];
    const cuts = ways.flatMap(([way, asking]) =>
      moments.map(([moment, isDue]) => [way, moment, asking, isDue] as const),
    );

    test.each(cuts)(
      'over HTTP, %s, that is killed as soon as %s is finished by the next start',
      async (_way, _moment, asking, isDue) => {
        const folder = copied();
        const program = await started(folder);
        const ask = await asking(program);
        const answer = ask().catch(() => undefined);
        await until(() => isDue(folder));
        program.child.kill('SIGKILL');
        await answer;
        await program.ended;
        const next = await started(folder);
        await until(() => leftIn(folder).length === 0);
        expect([...leftInLog(program), ...leftInLog(next)]).toEqual([]);
      },
    );

    test.each(moments)(
      'by the command line that is killed as soon as %s is finished by the same command, and by the next start',
      async (_, isDue) => {
        const folder = copied();
        const command = await spawnLode(folder, 'erase', bird.userId, '--yes');
        const ended = once(command, 'close');
        await until(() => isDue(folder));
        command.kill('SIGKILL');
        await ended;
        const other = newFolder();
        cpSync(folder, other, { recursive: true });
        expect(await erase(folder)).toMatchObject({ code: 0 });
        expect(leftIn(folder)).toEqual([]);
        await started(other);
        await until(() => leftIn(other).length === 0);
      },
    );
  });

  test('is not done while somebody reads what was, and is finished by itself afterwards', async () => {
    const folder = newFolder();
    const program = await started(folder);
    const bird = await birdIn(program, await firstAdmin(program));
    const idToken = await doorToken(program, bird);
    const reader = new DatabaseSync(pathJoin(folder, 'read-models.sqlite'), { readOnly: true });
    reader.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    const answer = await deleteAccount(program, idToken);
    expect(answer.status).toBe(503);
    expect(leftIn(folder)).not.toEqual([]);
    reader.close();
    await until(() => leftIn(folder).length === 0);
    // Why it was not done is written down.
    expect(program.printed.out).toContain('"level":');
    expect(leftInLog(program)).toEqual([]);
  });
});

const canServe = redisServer !== undefined && findVersitygw() !== undefined;
describeWhere(canServe, 'an erasure on servers (doubles of two)', 'no redis-server or versitygw', () => {
  test('that was answered has left nothing in any document, object or key, nor in the log and the folder', async () => {
    const [folder, servers] = [newFolder(), await startServers(serverNames)];
    standOn(folder, servers);
    const keptBy = async (name: ServerName) => servers.get(name).kept();
    const left = async () => [
      ...leftIn(folder),
      ...leftOf((await Promise.all(serverNames.map(keptBy))).flat()),
    ];
    const program = await started(folder);
    const admin = await firstAdmin(program);
    const bird = await birdIn(program, admin);
    const idToken = await doorToken(program, bird);
    const inClear = async (name: ServerName) =>
      new Set(leftOf(await keptBy(name)).map((place) => place.split(' ')[0]));
    expect(await inClear('mongodb')).toEqual(new Set(['name', 'email', 'phone', 'network', 'program']));
    expect(await inClear('s3')).toEqual(new Set(['file']));
    // Nothing is in the clear in these: that they are looked at shows by what may stay.
    for (const [name, text] of [['eventstore', bird.userId] as const, ['redis', 'bonus'] as const])
      expect((await keptBy(name)).some(({ content }) => content.includes(text))).toBe(true);

    const exported = await openExport(program, admin);
    const streams = [await follow(admin.api), await follow(bird.api)];
    const answer = await deleteAccount(program, idToken);
    expect([answer.status, await left()]).toEqual([200, []]);
    for (const stream of streams) stream.close();
    await exported.text();

    const again = await birdIn(program, admin);
    expect(await left()).not.toEqual([]);
    program.child.kill('SIGTERM');
    await program.ended;
    expect(await tell(folder, 'erase', again.userId, '--yes')).toMatchObject({ code: 0 });
    expect(await left()).toEqual([]);
  });
});

/** Whether the row of a person in a table of identity is so. */
function hasIn(folder: string, table: string, so: string, userId: string): boolean {
  const db = new DatabaseSync(pathJoin(folder, 'identity.sqlite'), { readOnly: true, timeout: 2_000 });
  try {
    return db.prepare(`SELECT 1 FROM ${table} WHERE user_id = ? AND ${so}`).get(userId) !== undefined;
  } finally {
    db.close();
  }
}
