import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import type { EventStore } from '#event-store';
import { openEventStoreDb } from '#event-store/eventstoredb';
import { startDouble } from '#event-store/eventstoredb/double';
import { openLogReader, openSqliteEventStore } from '#event-store/sqlite';
import type { RouteName } from '#contracts';
import { chainOf, eventId, hasCode } from '#kernel';
import { until } from '#kernel/testing';
import { accountStream } from '#ledger';
import {
  credit,
  dataFolder,
  firstAdmin,
  join,
  keyed,
  killAll,
  lode,
  lodeWith,
  notOn,
  problemIn,
  signIn,
  spawnProgram,
  startProgram,
  upload,
  usedFolder,
  type Person,
  type Program,
  type Used,
} from '../testing/index.js';
import { lodeVersion } from '../version.js';

const TOLD = 'A newer version of Lode wrote this, and this one can’t read it. An operator has to look.';
/** A version of Lode that is later than this one. */
const LATER = '99.10.0';
/** Between two looks at the read models. */
const LOOK_MS = 100;

/** What a newer program may write: a type that nobody knows today, or a version of one that is known. */
const newer = [
  ['AccountRenamed', 1, { name: 'Anna' }],
  ['FundingRejected', 9, { id: 'r', why: 'a test' }],
] as const;
type Newer = (typeof newer)[number];

const programs: Program[] = [];
afterEach(() => killAll(programs));

/** Writes to the end of a person's stream what a newer program would, which begins anew where another wrote just before. */
async function writeNewer(log: EventStore, person: Person, what: Newer): Promise<void> {
  try {
    await writeAtEnd(log, person, what);
  } catch (error) {
    if (!hasCode(error, 'conflict')) throw error;
    await writeNewer(log, person, what);
  }
}

async function writeAtEnd(log: EventStore, { userId }: Person, [type, version, data]: Newer): Promise<void> {
  const stream = accountStream(userId);
  const [last] = await log.readStream(stream, { direction: 'backwards', limit: 1 });
  if (last === undefined) throw new Error('the person has an account');
  const commandId = randomUUID();
  const revision = last.revision + 1;
  const { chain: _, ...meta } = { ...last.meta, commandId, requestHash: 'none' };
  const event = {
    id: eventId(commandId, 0),
    type,
    version,
    stream,
    revision,
    at: new Date().toISOString(),
    data,
    meta,
  };
  const sealed = { ...event, meta: { ...meta, chain: chainOf(last.meta.chain, event) } };
  await log.append({ stream, expected: last.revision, events: [sealed] });
}

/** Checks what a running program says of Ann, whose stream it can't read, and that Bob notices nothing. */
async function checkHeld(admin: Person, ann: Person, bob: Person, type: string) {
  const refused = await admin.api.call('adjustWallet', {
    params: { userId: ann.userId },
    body: { amounts: { BTC: '5.00' }, reason: 'a test' },
    headers: keyed(),
  });
  expect(problemIn(refused)).toMatchObject({ status: 503, code: 'storage_failed', detail: TOLD });
  const { position } = await credit(admin, bob, { BTC: '3.00' });
  await admin.api.get('totals', { headers: { 'Lode-Position': position } });

  // The log shows what it has; what follows from it is not told.
  const { items } = await admin.api.get('events', { query: { person: ann.userId } });
  expect(items[0]).toMatchObject({ type });
  const asOf = (at = '') => admin.api.call('accountAsOf', { params: { userId: ann.userId }, query: { at } });
  expect(problemIn(await asOf(items[0]?.at))).toMatchObject({
    status: 503,
    code: 'storage_failed',
    detail: TOLD,
  });
  expect((await asOf(items[1]?.at)).status).toBe(200);

  const parked = async () => (await admin.api.get('projections')).models.filter((one) => one.parked > 0);
  while ((await parked()).length === 0) await setTimeout(LOOK_MS);
  const held = (await parked()).map(({ name }) => name);
  expect(held).toEqual(expect.arrayContaining(['accounts', 'requests', 'transactions', 'totals']));
  expect(held).not.toContain('events');

  // What is made of them says that it is from before that event, where it is.
  const isHeld = async (name: RouteName, of?: Person) => {
    const ask = of === undefined ? {} : { params: { userId: of.userId } };
    return (await admin.api.call(name, ask)).headers.get('lode-held');
  };
  await until(async () => (await isHeld('account', ann)) === 'true');
  for (const list of ['ownFundRequests', 'ownTransactions', 'openRequests'] as const)
    expect([list, await isHeld(list, ann), await isHeld(list, bob)]).toEqual([list, 'true', null]);
  for (const list of ['people', 'fundRequests', 'transactions', 'stalledTransfers', 'counters'] as const)
    expect([list, await isHeld(list)]).toEqual([list, 'true']);
  expect([await isHeld('events'), await isHeld('products')]).toEqual([null, null]);
}

const isElsewhere = notOn(
  ['eventstore', 'mongodb', 'redis', 's3'],
  'a data folder that a newer program wrote to',
);
const describeInFolder = isElsewhere ? describe.skip : describe;

describeInFolder('a folder to which a newer program has written', () => {
  let used: Used;
  beforeAll(async () => {
    used = await usedFolder();
  });
  afterAll(() => used.remove());

  async function written(what: Newer, program?: string): Promise<string> {
    const folder = used.copy();
    const log = await openSqliteEventStore({ file: pathJoin(folder, 'events.sqlite') });
    await writeNewer(log, used.ann, what);
    if (program !== undefined) await log.changeHeader({ program });
    await log.close();
    return folder;
  }

  test.each([
    [newer[0], LATER, `Start Lode ${LATER}, or a later one.`],
    [newer[1], undefined, 'Start the version of Lode that wrote them, or a later one.'],
  ] as const)(
    '%j of %s is refused at the start, in a sentence that says what to start',
    async (what, of, todo) => {
      const [type, version] = what;
      const folder = await written(what, of);
      const program = spawnProgram({ LODE_DATA: folder });
      programs.push(program);
      expect((await program.ended).code).toBe(1);
      const sentence = `holds events of a newer Lode, which this one can't read: ${type} of version ${version}.`;
      expect(program.printed.err).toContain(sentence);
      expect(program.printed.err).toContain(todo);
      expect((await lode(folder, 'doctor')).out).toContain(sentence);
      const verified = await lode(folder, 'verify');
      expect([verified.code, verified.out]).toEqual([1, expect.stringContaining(sentence)]);
      const copy = dataFolder();
      const file = pathJoin(copy.path, 'log.ndjson');
      writeFileSync(file, '');
      const exported = await lode(folder, 'export', file);
      expect([exported.code, exported.out]).toEqual([0, expect.stringContaining(sentence)]);
      const imported = await lode(pathJoin(copy.path, 'new'), 'import', file);
      expect([imported.code, imported.out]).toEqual([1, expect.stringContaining('WRONG')]);
      const again = await lode(folder, 'import', file);
      expect([again.code, again.err]).toEqual([1, expect.stringContaining(sentence)]);
      // To servers that nobody has to be at: the source is refused first.
      const env = { EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false' };
      const migrated = await lodeWith({ env }, pathJoin(copy.path, 'moved'), 'migrate', 'from', folder);
      expect([migrated.code, migrated.err]).toEqual([1, expect.stringContaining(sentence)]);
      expect(migrated.err).toContain(todo);
      await copy.remove();
    },
  );

  test.each(newer)('%s of version %i is not folded where it is met', async (...what) => {
    const folder = await written(what);
    // As if it came in while the program runs.
    const db = new DatabaseSync(pathJoin(folder, 'events.sqlite'));
    db.exec('DELETE FROM kinds');
    db.close();
    const program = await startProgram(folder);
    programs.push(program);
    const admin = await signIn(program.visitor, used.admin);
    await checkHeld(admin, used.ann, used.bob, what[0]);
    // Nobody writes there but this program, so that no other can take its place.
    const ready = await program.visitor.call('healthReady');
    expect([ready.status, JSON.parse(ready.text)]).toMatchObject([200, { status: 'degraded' }]);
    // Signing in begins the bonus.
    const { email, password } = used.ann;
    const own = await program.visitor.call('signIn', { body: { email, password } });
    expect(problemIn(own)).toMatchObject({ status: 503, code: 'storage_failed', detail: TOLD });
  });

  test('which wrote nothing new starts as before, and so does one from before kinds were kept', async () => {
    const folder = used.copy();
    programs.push(await startProgram(folder));
    await killAll(programs);
    const log = openLogReader(pathJoin(folder, 'events.sqlite'));
    expect(log.header()?.program).toBe(lodeVersion());
    log.close();
    const db = new DatabaseSync(pathJoin(folder, 'events.sqlite'));
    db.exec('DROP TABLE kinds');
    db.close();
    programs.push(await startProgram(folder));
  });
});

describe('a program that shares its log on EventStoreDB (double) with a newer one', () => {
  test.each(newer)('does not fold %s of version %i, and does not start again', async (...what) => {
    const folder = dataFolder();
    const server = await startDouble();
    const env = { EVENTSTORE_URL: server.url };
    const program = await startProgram(folder.path, env);
    programs.push(program);
    const admin = await firstAdmin(program);
    const [ann, bob] = [await join(program.visitor, 'Ann'), await join(program.visitor, 'Bob')];
    await credit(admin, ann, { BTC: '7.00' });
    const evidenceId = await upload(ann);
    const log = await openEventStoreDb({ url: server.url });
    await writeNewer(log, ann, what).finally(() => log.close());
    await checkHeld(admin, ann, bob, what[0]);
    // Another program wrote there, which can take its place: it says so, also before it meets the event.
    const ready = () => program.visitor.call('healthReady');
    await until(async () => (await ready()).text.includes(`events ${what[0]} of version ${what[1]}`));
    expect((await ready()).status).toBe(503);
    const body = { amount: '1.00', currency: 'BTC', evidenceId } as const;
    const own = await ann.api.call('requestFunding', { body, headers: keyed() });
    expect(problemIn(own)).toMatchObject({ status: 503, code: 'storage_failed', detail: TOLD });
    await killAll(programs);
    const again = spawnProgram({ LODE_DATA: folder.path, ...env });
    programs.push(again);
    expect((await again.ended).code).toBe(1);
    expect(again.printed.err).toContain(
      `The log in EventStoreDB holds events of a newer Lode, which this one can't read: ${what[0]} of version ${what[1]}.`,
    );
    await server.stop();
    await folder.remove();
  });
});
