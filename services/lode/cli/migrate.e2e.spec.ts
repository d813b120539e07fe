import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, cpSync, existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openEventStoreDb } from '#event-store/eventstoredb';
import { openLogReader, openSqliteEventStore } from '#event-store/sqlite';
import { findVersitygw } from '#files/s3/testing';
import { redisServer } from '#jobs/bullmq/testing';
import { canonicalJson, chainOf, eventId, positionOf, withoutUserInfo, type RecordedEvent } from '#kernel';
import { describeWhere, until } from '#kernel/testing';
import { accountStream } from '#ledger';
import { spawnDouble } from '#mongodb/double';
import { reactorLimits, transfers } from '#reactors';
import { createSqliteCheckpoints } from '#reactors/sqlite';
import {
  between,
  credit,
  dataFolder,
  dataFolders,
  deploymentOn,
  fillFromRecorded,
  firstAdmin,
  idleCustomers,
  invitationIn,
  join,
  keyed,
  killAll,
  PDF,
  recorded,
  requestFunding,
  requestTransfer,
  serverNames,
  setPin,
  signIn,
  spawnProgram,
  startServers,
  testedOn,
  upload,
  type Deployment,
  type Listening,
  type Person,
  type ServerName,
  type Servers,
} from '../testing/index.js';

/** Customers beside those of the recorded log, so that there is something to be cut off in. */
const IDLE = 25;
/** How often a command is killed on its way. */
const KILLS = Number(process.env['LODE_MIGRATE_KILLS'] ?? 2);
/** What the servers have written when it is killed first, in bytes; later it is more each time, up to what all of it takes. */
const KILL_BYTES = Math.round(240_000 / KILLS);

/** What was left at the source. */
type Source = {
  readonly folder: string;
  /** Payment evidence of Ann's. */
  readonly evidenceId: string;
  /** The token of an invitation that nobody has used yet. */
  readonly invitation: string;
  /** Transfers that were confirmed, and whose money is in transit: one parked by the reactor, one that it has not seen. */
  readonly owed: readonly string[];
};

const places: ReturnType<typeof dataFolder>[] = [];
let source: Source;
const programs: Listening[] = [];
const stands: Servers[] = [];
const { newFolder, removeFolders } = dataFolders();

const lacking = 'no redis-server or no versitygw, or LODE_TEST_ON names servers';
const isHere = redisServer !== undefined && findVersitygw() !== undefined && testedOn.length === 0;

async function started(deployment: Deployment): Promise<Listening> {
  const program = await deployment.start();
  programs.push(program);
  return program;
}

async function stopped({ child, ended }: Listening): Promise<void> {
  child.kill('SIGTERM');
  expect(await ended).toEqual({ code: 0, signal: null });
}

const known = (program: Listening, name: string): Promise<Person> =>
  signIn(program.visitor, recorded.people[name]!);

/** The recorded log with a few more people and things under way, as a program that was killed leaves them. */
async function makeSource(): Promise<Source> {
  const place = dataFolder();
  places.push(place);
  const folder = place.path;
  await fillFromRecorded(folder);
  await idleCustomers(folder, IDLE, 1);
  const program = await started(deploymentOn(folder));
  const [ada, ann, bob] = [
    await known(program, 'Ada'),
    await known(program, 'Ann'),
    await known(program, 'Bob'),
  ];
  const evidenceId = await upload(ann);
  await requestFunding(ann, '3.00', evidenceId);
  const invitation = invitationIn((await ada.api.get('inviteAdmin', { headers: keyed() })).path);
  await credit(ada, ann, { BTC: '50.00' });
  await setPin(ann);
  const { accountNumber } = await bob.api.get('account', { params: { userId: bob.userId } });
  const asked = [
    await requestTransfer(ann, accountNumber, '7.00'),
    await requestTransfer(ann, accountNumber, '8.00'),
  ];
  await stopped(program);
  const owed = asked.map(({ requestId }) => requestId);
  await confirmUnseen(folder, ann.userId, owed);
  return { folder, evidenceId, invitation, owed };
}

/** Confirms transfers while no program runs: the reactor has parked the first, and has seen none of the rest. */
async function confirmUnseen(folder: string, userId: string, owed: readonly string[]): Promise<void> {
  await between(folder, async ({ aggregates }) => {
    for (const requestId of owed) {
      const commandId = randomUUID();
      await aggregates.accounts.execute(
        accountStream(userId),
        { type: 'ConfirmTransfer', requestId },
        {
          actor: { kind: 'operator', id: 'operator', role: 'system' },
          commandId,
          requestHash: commandId,
          correlationId: commandId,
          causationId: commandId,
        },
      );
    }
  });
  const reader = openLogReader(pathJoin(folder, 'events.sqlite'));
  const first = reader
    .readStream(accountStream(userId), { from: 0, limit: 1_000 })
    .find(({ type, data }) => type === 'TransferConfirmed' && data['requestId'] === owed[0])!;
  reader.close();
  const database = new DatabaseSync(pathJoin(folder, 'processes.sqlite'));
  const parked = {
    position: first.position,
    eventId: first.id,
    stream: first.stream,
    revision: first.revision,
    type: first.type,
    key: owed[0]!,
    attempts: reactorLimits.tries,
    error: 'a test',
    since: first.at,
  };
  await createSqliteCheckpoints(database).save(transfers.name, {
    position: first.position,
    ordinal: Number(first.position),
    put: [parked],
    remove: [],
  });
  database.close();
}

/** A copy of the source. */
function copyOfSource(): Deployment {
  const folder = newFolder();
  cpSync(source.folder, folder, { recursive: true });
  return deploymentOn(folder);
}

/** Empty servers with a folder of their own for what is on none of them. */
async function emptyServers(
  ...names: readonly ServerName[]
): Promise<{ readonly servers: Servers; readonly target: Deployment }> {
  const servers = await startServers(names);
  stands.push(servers);
  return { servers, target: deploymentOn(newFolder(), servers.env) };
}

/** The log of a deployment, each event without its position. */
async function logOf(deployment: Deployment): Promise<readonly RecordedEvent[]> {
  const { code, out, err } = await deployment.lode('export');
  expect([code, err]).toEqual([0, '']);
  return out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedEvent);
}

const withoutPositions = (log: readonly RecordedEvent[]) =>
  log.map(({ position: _, ...event }) => canonicalJson(event));

/** A program that does not start: its exit code and what it says. */
async function refusedStart({ folder, env }: Deployment) {
  const { ended, printed } = spawnProgram({ LODE_DATA: folder, ...env });
  const { code } = await ended;
  return { code, err: printed.err };
}

async function expectNothingWrong(deployment: Deployment): Promise<void> {
  const { code, json } = await deployment.tell('verify');
  expect({ code, wrong: json['wrong'] }).toEqual({ code: 0, wrong: [] });
}

/** How often each step of the transfers that the source owed is in a log. */
function stepsOf(log: readonly RecordedEvent[], transferId: string): readonly string[] {
  return log
    .filter(({ data }) => [data['transferId'], data['requestId']].includes(transferId))
    .map(({ type }) => type);
}

const FINISHED = ['TransferRequested', 'TransferConfirmed', 'TransferReceived', 'TransferSettled'];

/** People, files, invitations and what was owed are as they were at the source. */
async function expectAllThere(program: Listening, { evidenceId }: Source): Promise<void> {
  const [ada, ann] = [await known(program, 'Ada'), await known(program, 'Ann')];
  await known(program, 'Bob');
  const file = await ann.api.call('file', { params: { fileId: evidenceId } });
  expect([file.status, file.text]).toEqual([200, PDF.toString()]);
  await until(async () =>
    (await ada.api.get('reactors')).items.every(({ state, owed }) => state === 'current' && owed === 0),
  );
}

const moved = (what: string, where: string) =>
  `${what} was moved to ${where}, and is as it was at that moment. Start Lode there.`;

describeWhere(isHere, 'lode migrate (double)', lacking, () => {
  beforeAll(async () => {
    source = await makeSource();
  });
  afterEach(async () => {
    await killAll(programs);
    for (const servers of stands.splice(0)) await servers.stop();
    await removeFolders();
  });
  afterAll(async () => {
    for (const place of places) await place.remove();
  });

  test('moves everything to servers, where what was owed is done once, and back', async () => {
    const from = copyOfSource();
    const before = await logOf(from);
    const { target } = await emptyServers(...serverNames);
    const there = await target.tell('migrate', 'from', from.folder);
    expect(there).toMatchObject({
      code: 0,
      json: { ok: true, from: from.folder, events: before.length, files: expect.any(Number) },
    });
    expect(withoutPositions(await logOf(target))).toEqual(withoutPositions(before));
    await expectNothingWrong(target);
    const program = await started(target);
    await expectAllThere(program, source);
    await join(program.visitor, 'Amy', source.invitation);
    await stopped(program);
    await expectNothingWrong(target);
    const after = await logOf(target);
    for (const transferId of source.owed) expect(stepsOf(after, transferId)).toEqual(FINISHED);

    const back = deploymentOn(newFolder());
    expect(await target.tell('migrate', 'to', back.folder)).toMatchObject({
      code: 0,
      json: { events: after.length, to: back.folder },
    });
    expect(withoutPositions(await logOf(back))).toEqual(withoutPositions(after));
    const again = await started(back);
    await expectAllThere(again, source);
    await stopped(again);
    await expectNothingWrong(back);
    expect(stepsOf(await logOf(back), source.owed[0]!)).toEqual(FINISHED);
    expect((await refusedStart(target)).err).toBe(`${moved('The log in EventStoreDB', back.folder)}\n`);
  });

  test('goes on when it is given again, wherever it was killed, and never are both sides startable', async () => {
    const from = copyOfSource();
    const before = await logOf(from);
    const { servers, target } = await emptyServers(...serverNames);
    const size = () => sizeOf(servers.folder);
    const migrate = ['migrate', 'from', from.folder] as const;
    const empty = size();
    let isDone = false;
    for (let kill = 1; kill <= KILLS && !isDone; kill++) {
      const command = await target.spawn(...migrate);
      const ended = once(command, 'exit');
      let hasEnded = false;
      void ended.then(() => (hasEnded = true));
      const enough = empty + kill * KILL_BYTES;
      await until(() => hasEnded || size() >= enough);
      command.kill('SIGKILL');
      await ended;
      isDone = await expectOneStartable(from, target);
    }
    const { code, json } = await target.tell(...migrate);
    expect(isDone ? json['code'] : code).toBe(isDone ? 'conflict' : 0);
    expect(withoutPositions(await logOf(target))).toEqual(withoutPositions(before));
    const program = await started(target);
    await expectAllThere(program, source);
    await stopped(program);
    await expectNothingWrong(target);
    const after = await logOf(target);
    for (const transferId of source.owed) expect(stepsOf(after, transferId)).toEqual(FINISHED);
  });

  test('goes on when MongoDB alone, which has people and what reactors remember, died at any write', async () => {
    const from = copyOfSource();
    const before = await logOf(from);
    const place = dataFolder();
    places.push(place);
    const double = await spawnDouble(pathJoin(place.path, 'mongodb'), 'rs0');
    const target = deploymentOn(newFolder(), { MONGODB_URL: double.url() });
    try {
      let writes = 1;
      for (let code: unknown = null; code !== 0; writes *= 3) {
        await double.dieAfter(writes);
        let hasDied = false;
        const again = double.died().then(() => {
          hasDied = true;
          return double.revive();
        });
        const told = await target.tell('migrate', 'from', from.folder);
        code = told.code;
        if (code !== 0) expect(told.json['code']).toMatch(/^(?:unavailable|unknown_outcome)$/);
        if (!hasDied) await double.kill();
        await again;
      }
      expect(writes).toBeGreaterThan(9);
      expect(withoutPositions(await logOf(target))).toEqual(withoutPositions(before));
      const program = await started(target);
      await expectAllThere(program, source);
      await stopped(program);
      await expectNothingWrong(target);
      for (const transferId of source.owed)
        expect(stepsOf(await logOf(target), transferId)).toEqual(FINISHED);
      expect((await refusedStart(from)).err).toContain(' was moved to ');
    } finally {
      await killAll(programs);
      await double.kill();
    }
  });

  test('leaves a source that nothing writes any more, and that can be looked at', async () => {
    const from = copyOfSource();
    const before = await logOf(from);
    const { target } = await emptyServers('mongodb');
    const copied = pathJoin(newFolder(), 'log.ndjson');
    expect((await from.lode('export', copied)).code).toBe(0);
    expect((await target.tell('migrate', 'from', from.folder)).code).toBe(0);
    const sentence = moved(`The log ${pathJoin(from.folder, 'events.sqlite')}`, whereOf(target));
    const { userId } = recorded.people['Bob']!;
    appendFileSync(copied, `${afterLast(copied)}\n`);
    const commands = [['tick'], ['erase', userId, '--yes'], ['invite-admin'], ['import', copied]];
    for (const command of commands) {
      const { code, json } = await from.tell(...command);
      expect({ command, code, json }).toMatchObject({ code: 1, json: { message: sentence } });
    }
    expect(await refusedStart(from)).toEqual({ code: 1, err: `${sentence}\n` });
    // Nor is it moved twice.
    const other = deploymentOn(newFolder());
    const twice = await other.tell('migrate', 'from', from.folder);
    expect(twice).toMatchObject({ code: 1, json: { code: 'conflict' } });
    expect(twice.json['message']).toContain('was moved to');
    expect(await target.tell('migrate', 'from', from.folder)).toMatchObject({
      code: 1,
      json: { code: 'conflict' },
    });
    expect(await logOf(from)).toEqual(before);
    await expectNothingWrong(from);
    expect((await from.tell('doctor')).json['findings']).toContainEqual(
      expect.objectContaining({ what: expect.stringContaining('was moved to') }),
    );
  });

  test('ends what was cut off between the two marks, when neither side starts', async () => {
    const from = copyOfSource();
    const { target } = await emptyServers('mongodb');
    const migrate = ['migrate', 'from', from.folder] as const;
    expect((await target.tell(...migrate)).code).toBe(0);
    const log = await openSqliteEventStore({ file: pathJoin(target.folder, 'events.sqlite') });
    await log.changeHeader({ filling: true });
    await log.close();
    expect((await refusedStart(from)).err).toContain(' was moved to ');
    expect((await refusedStart(target)).err).toContain(' is being filled by ');
    const backup = await deploymentOn(target.folder).tell('backup', pathJoin(newFolder(), 'half'));
    expect(backup).toMatchObject({ code: 1, json: { message: expect.stringContaining('is being filled') } });
    expect((await target.tell(...migrate)).code).toBe(0);
    await stopped(await started(target));
    expect((await refusedStart(from)).err).toContain(' was moved to ');
  });

  test('refuses a target that has something, and leaves it as it is', async () => {
    const from = copyOfSource();
    const { target } = await emptyServers('eventstore', 'mongodb');
    const program = await started(target);
    await firstAdmin(program);
    await stopped(program);
    const before = await logOf(target);
    const refusal = {
      code: 1,
      json: { code: 'conflict', message: expect.stringContaining(' has data already') },
    };
    expect(await target.tell('migrate', 'from', from.folder)).toMatchObject(refusal);
    expect(await logOf(target)).toEqual(before);
    const other = copyOfSource();
    const otherLog = await logOf(other);
    expect(await from.tell('migrate', 'to', other.folder)).toMatchObject(refusal);
    expect(await logOf(other)).toEqual(otherLog);
    // Both go on as if nothing had been asked.
    for (const one of [target, other, from]) await stopped(await started(one));
  });

  test('refuses a side that is in use', async () => {
    const from = copyOfSource();
    const { target } = await emptyServers('eventstore', 'mongodb', 's3');
    const there = await started(target);
    await firstAdmin(there);
    const beside = deploymentOn(newFolder(), target.env);
    for (const refused of [
      await target.tell('migrate', 'from', from.folder),
      await target.tell('migrate', 'to', newFolder()),
    ])
      expect(refused).toMatchObject({
        code: 1,
        json: {
          code: 'unavailable',
          message: expect.stringContaining(`Lode is running on ${target.folder}`),
        },
      });
    for (const refused of [
      await beside.tell('migrate', 'from', from.folder),
      await beside.tell('migrate', 'to', newFolder()),
    ])
      expect(refused).toMatchObject({
        code: 1,
        json: { code: 'unavailable', message: expect.stringContaining('A program runs on these servers') },
      });
    await stopped(there);
    await started(from);
    const refused = await deploymentOn(newFolder()).tell('migrate', 'from', from.folder);
    expect(refused).toMatchObject({
      code: 1,
      json: { code: 'unavailable', message: expect.stringContaining(`Lode is running on ${from.folder}`) },
    });
  });

  test('refuses what is typed wrong, and a source that is none', async () => {
    const from = deploymentOn(newFolder());
    const typed = async (...args: readonly string[]) => {
      const { code, json } = await from.tell('migrate', ...args);
      return [code, json['code'], json['message']];
    };
    expect(await typed('over', '/tmp/x')).toEqual([
      2,
      'validation_failed',
      'migrate goes from a folder or to one, not "over".',
    ]);
    expect(await typed('to', from.folder)).toEqual([
      2,
      'validation_failed',
      `${from.folder} is the data folder of the other side too: name another with --data.`,
    ]);
    expect((await typed('from'))[0]).toBe(2);
    expect((await typed())[0]).toBe(2);
    const missing = pathJoin(from.folder, 'missing');
    expect(await typed('from', missing)).toEqual([
      1,
      'unavailable',
      `There is no log in ${missing}: there is nothing to copy.`,
    ]);
    expect(existsSync(missing)).toBe(false);
    const { code, err } = await from.lode('migrate', 'over', '/tmp/x');
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^migrate goes from .+\n\n {2}lode migrate <from\|to> <folder> /),
    ]);
  });
});

/** A line that could be imported after the last of an export. */
function afterLast(file: string): string {
  const last = JSON.parse(readFileSync(file, 'utf8').trimEnd().split('\n').at(-1)!) as RecordedEvent;
  const commandId = randomUUID();
  const event = {
    ...last,
    id: eventId(commandId, 0),
    revision: last.revision + 1,
    meta: { ...last.meta, commandId },
  };
  const chain = chainOf(last.meta.chain, event);
  return JSON.stringify({
    ...event,
    position: positionOf(BigInt(last.position) + 1n),
    meta: { ...event.meta, chain },
  });
}

/** The bytes of all files below a folder. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(pathJoin(folder, name), { throwIfNoEntry: false }))
    .reduce((sum, stat) => sum + (stat?.isFile() === true ? stat.size : 0), 0);
}

/** At most one side may be started, and what must not be says so; true when it is the target. */
async function expectOneStartable(from: Deployment, target: Deployment): Promise<boolean> {
  const reader = openLogReader(pathJoin(from.folder, 'events.sqlite'));
  const isMoved = reader.header()?.movedTo !== undefined;
  reader.close();
  const log = await openEventStoreDb({ url: target.env['EVENTSTORE_URL']! });
  const header = await log.header();
  await log.close();
  if (header?.filling !== true) {
    // Either it was killed before anything was written there, or it is done.
    expect(isMoved).toBe(header?.filling === false);
    return isMoved;
  }
  expect(await refusedStart(target)).toEqual({
    code: 1,
    err: 'The log in EventStoreDB is being filled by `lode migrate`, or that was not finished. Give the same command again.\n',
  });
  return false;
}

/** Where a deployment is, as `migrate` names it. */
function whereOf({ folder, env }: Deployment): string {
  const servers = ['EVENTSTORE_URL', 'MONGODB_URL', 'S3_URL']
    .flatMap((name) => env[name] ?? [])
    .map(withoutUserInfo);
  return [...(servers.length === 3 ? [] : [folder]), ...servers].join(', ');
}
