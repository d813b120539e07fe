import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { canMount, mountReadOnly } from '#event-store/sqlite/testing';
import { describeWhere, until } from '#kernel/testing';
import {
  dataFolder,
  finished,
  firstAdmin,
  join,
  keyed,
  killAll,
  lode,
  lodeWith,
  notOn,
  signIn,
  startProgram,
  tellWith,
  type Listening,
  type Person,
} from '../testing/index.js';

type Noted = {
  readonly type: string;
  readonly stream: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly meta: { readonly actor: unknown };
};

let folder: ReturnType<typeof dataFolder>;
let elsewhere: ReturnType<typeof dataFolder>;
const programs: Listening[] = [];
let program: Listening;
let admin: Person;
let ann: Person;
let bob: Person;
beforeEach(async () => {
  folder = dataFolder();
  elsewhere = dataFolder();
  program = await startProgram(folder.path);
  programs.push(program);
  admin = await firstAdmin(program);
  ann = await join(program.visitor, 'Ann');
  bob = await join(program.visitor, 'Bob');
});
afterEach(async () => {
  await killAll(programs);
  await folder.remove();
  await elsewhere.remove();
});

/** What the log says of access once the program was stopped. */
async function notedByNow(): Promise<{ readonly text: string; readonly events: readonly Noted[] }> {
  program.child.kill('SIGTERM');
  await once(program.child, 'close');
  const { out } = await lode(folder.path, 'export');
  return { text: out, events: eventsIn(out) };
}

/** What an export says of access. */
function eventsIn(exported: string): readonly Noted[] {
  return exported
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Noted)
    .filter(({ stream }) => stream.startsWith('security-'));
}

/** How often it was noted so, whatever minutes it was in. */
const countOf = (events: readonly Noted[], type: string, of: (data: Noted['data']) => boolean = () => true) =>
  events
    .filter((event) => event.type === type && of(event.data))
    .reduce((sum, { data }) => sum + Number(data['count']), 0);

const wrong = (email: string) => program.visitor.call('signIn', { body: { email, password: 'wrong' } });
const account = (reader: Person, { userId }: Person) => reader.api.call('account', { params: { userId } });

describe('a program that is asked for what it does not give', () => {
  test('has noted each kind of it once it is stopped, and no address', async () => {
    const words = { message: 'Hello.', subject: 'Rigs', businessType: 'none' };
    const visitor = { ...words, name: 'Eve', email: 'eve@example.org', phone: '1' };
    expect((await ann.api.call('people')).status).toBe(403);
    expect((await account(ann, bob)).status).toBe(403);
    expect((await wrong('nobody@example.org')).status).toBe(401);
    const guesses = [];
    for (let n = 0; n < 7; n += 1) guesses.push((await wrong(bob.email)).status);
    const sent = [];
    while (sent.at(-1) !== 429 && sent.length < 20)
      sent.push((await program.visitor.call('sendMessage', { body: visitor, headers: keyed() })).status);
    const { text, events } = await notedByNow();
    expect(countOf(events, 'RequestsForbidden', ({ userId }) => userId === ann.userId)).toBe(2);
    const refused = guesses.filter((status) => status === 401).length;
    expect(countOf(events, 'SignInsRefused')).toBe(refused + 1);
    expect(countOf(events, 'AttemptsLockedOut')).toBe(guesses.length - refused);
    expect(countOf(events, 'AttemptsLockedOut')).toBeGreaterThan(0);
    expect(countOf(events, 'RequestsLimited')).toBe(1);
    expect(text).not.toContain('127.0.0.1');
  });

  test('has noted what an admin was shown of a person and every list that was a file, before it gave them', async () => {
    expect((await account(admin, bob)).status).toBe(200);
    await finished(program.visitor, admin);
    const about = { query: { type: 'PersonRead' } };
    const found = await admin.api.get('events', about);
    expect(found.items.map(({ data, actorName }) => [data['about'], actorName])).toEqual([
      [bob.userId, 'Ada Miller'],
    ]);
    const asCsv = { headers: { Accept: 'text/csv' } };
    expect((await admin.api.call('events', asCsv)).status).toBe(200);
    expect((await account(bob, bob)).status).toBe(200);
    const own = { params: { userId: bob.userId }, ...asCsv };
    expect((await bob.api.call('ownTransactions', own)).status).toBe(200);
    const { events } = await notedByNow();
    expect(countOf(events, 'PersonRead')).toBe(1);
    expect(
      countOf(events, 'ListExported', ({ userId, route }) => userId === admin.userId && route === 'events'),
    ).toBe(1);
    expect(countOf(events, 'ListExported', ({ userId }) => userId === bob.userId)).toBe(1);
  });
});

describe('what an operator takes away by the command line', () => {
  const byCommand = ({ data }: Noted) => data['command'] !== undefined;

  test('is in the log before it is given beside a program, and else from its next start on, once', async () => {
    const file = pathJoin(elsewhere.path, 'log.ndjson');
    expect((await lode(folder.path, 'export', file)).code).toBe(0);
    const given = eventsIn(readFileSync(file, 'utf8')).filter(byCommand);
    expect(given.map(({ type, data, meta }) => [type, data['command'], meta.actor])).toEqual([
      ['ListExported', 'export', { kind: 'operator', id: 'operator', role: 'system' }],
    ]);
    // That it was taken once more nobody has written yet.
    const { events } = await notedByNow();
    expect(events.filter(byCommand)).toHaveLength(1);
    // One that can't be read keeps no other from being written.
    mkdirSync(pathJoin(folder.path, 'notes', '00000000-0000-4000-8000-000000000000.json'));
    program = await startProgram(folder.path);
    programs.push(program);
    const { api } = await signIn(program.visitor, admin);
    const found = async () =>
      (await api.get('events', { query: { type: 'ListExported' } })).items.filter(byCommand);
    await until(async () => (await found()).length > 1);
    expect((await notedByNow()).events.filter(byCommand)).toHaveLength(2);
  });

  const onReadOnly = canMount('an export from a folder that is mounted read-only') ? test : test.skip;
  onReadOnly(
    'is given beside a program whose folder it sees read-only, and it says that it is not noted',
    async () => {
      const readOnly = mountReadOnly(folder.path);
      try {
        const how = { env: { LODE_DATA: readOnly.folder } };
        const files = ['tools', 'people'].map((name) => pathJoin(elsewhere.path, name));
        const [forTools = '', forPeople = ''] = files;
        const { code, json } = await tellWith(how, folder.path, 'export', forTools);
        expect([code, json['noted']]).toEqual([0, false]);
        const told = await lodeWith(how, folder.path, 'export', forPeople);
        expect([told.code, told.err]).toEqual([
          0,
          expect.stringContaining('The log will not say that there was this export'),
        ]);
        for (const file of files) expect(readFileSync(file, 'utf8')).toContain(admin.userId);
      } finally {
        readOnly.unmount();
      }
      expect((await notedByNow()).events.filter(byCommand)).toEqual([]);
    },
  );
});

describeWhere(
  !notOn(['eventstore'], 'a log that is locked'),
  'a log that can’t be written',
  'it is a file',
  () => {
    test('gives no admin anything of a person and nobody a file, and refuses and answers all else as before', async () => {
      const log = new DatabaseSync(pathJoin(folder.path, 'events.sqlite'));
      log.exec('BEGIN IMMEDIATE');
      try {
        const file = pathJoin(elsewhere.path, 'log.ndjson');
        const [read, list, exported] = await Promise.all([
          account(admin, bob),
          admin.api.call('events', { headers: { Accept: 'text/csv' } }),
          lode(folder.path, 'export', file),
        ]);
        expect([read.status, read.text]).toEqual([503, expect.stringContaining('"unavailable"')]);
        expect(list.status).toBe(503);
        expect([exported.code, exported.err]).toEqual([1, expect.stringContaining('has to be noted')]);
        expect(existsSync(file)).toBe(false);
        expect((await account(ann, bob)).status).toBe(403);
        expect((await account(bob, bob)).status).toBe(200);
      } finally {
        log.exec('ROLLBACK');
        log.close();
      }
      expect((await account(admin, bob)).status).toBe(200);
      const metrics = await (await fetch(`${program.visitor.address}/metrics`)).text();
      expect(metrics).toMatch(/lode_security_total\{type="PersonRead"\} 2/);
      expect(metrics).toMatch(/lode_security_unwritten_total\{type="PersonRead"\} 1/);
      expect(metrics).toMatch(/lode_security_total\{type="RequestsForbidden"\} 1/);
    });
  },
);
