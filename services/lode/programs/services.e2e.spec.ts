import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findVersitygw } from '#files/s3/testing';
import { redisServer } from '#jobs/bullmq/testing';
import { logStart } from '#kernel';
import { describeWhere, until } from '#kernel/testing';
import { everyPart, type Part } from '../parts.js';
import {
  apiOf,
  confirmFunding,
  createWork,
  customersAtWork,
  dataFolders,
  drawnFrom,
  firstAdmin,
  inspect,
  isDone,
  join,
  killAll,
  problemIn,
  requestFunding,
  SEED,
  serverNames,
  spawnProgram,
  standOn,
  startProgram,
  startServers,
  tell,
  type Listening,
  type Person,
  type Servers,
} from '../testing/index.js';

/* Lode as three programs, as they are started on servers. */

const NOWHERE = 404;
const UNAVAILABLE = 503;
/** More than these tests write. */
const EVENTS_MAX = 10_000;

const { newFolder, removeFolders } = dataFolders();
afterAll(removeFolders);

test.each(everyPart)(
  'the %s alone refuses to start without servers, and names all that it lacks',
  async (part) => {
    const program = spawnProgram(
      { LODE_DATA: newFolder(), MONGODB_URL: 'mongodb://127.0.0.1:1/lode' },
      { part },
    );
    expect(await program.ended).toEqual({ code: 1, signal: null });
    expect(program.printed.err).toMatch(
      part === 'worker'
        ? /Not set: EVENTSTORE_URL, S3_URL, REDIS_URL\./
        : /Not set: EVENTSTORE_URL, S3_URL\./,
    );
  },
);

const isHere = redisServer !== undefined && findVersitygw() !== undefined;

describeWhere(isHere, 'API, projector and worker as programs', 'no redis-server or versitygw', () => {
  let servers: Servers;
  /** Of whoever looks at the servers beside the programs. */
  const folder = newFolder();
  let api: Listening;
  let projector: Listening;
  let worker: Listening;
  let admin: Person;
  const programs: Listening[] = [];

  const start = async (part: Part): Promise<Listening> => {
    const program = await startProgram(newFolder(), servers.env, { part });
    programs.push(program);
    return program;
  };

  beforeAll(async () => {
    servers = await startServers(serverNames);
    standOn(folder, servers);
    // Any of them may be the first: what is not there yet each waits for.
    [api, projector, worker] = await Promise.all([start('api'), start('projector'), start('worker')]);
    admin = await firstAdmin(api);
  });
  afterAll(() => killAll(programs));

  test('carry a customer’s money together', async () => {
    const [ann] = await customersAtWork(api.visitor, admin);
    if (ann === undefined) throw new Error('there are customers');
    const { requestId } = await requestFunding(ann.person, '7.00');
    const { position } = await confirmFunding(admin, ann.person, requestId);
    const { wallet } = await ann.person.api.get('me', { headers: { 'Lode-Position': position } });
    expect(wallet.balance).toBe('47.00');
  });

  test('have a run of a job that is asked for at the API done by the worker', async () => {
    const { id } = (await admin.api.get('runBonusTick', { body: { reason: 'a test' } })).run;
    const runs = async () => (await admin.api.get('jobs')).items.flatMap((job) => job.runs);
    await until(async () => (await runs()).some((run) => run.id === id && run.state === 'done'));
  });

  test('show at the API how the reactors of the projector stand, and have them try again from there', async () => {
    const reactors = async () => (await admin.api.get('reactors')).items;
    const names = ['access', 'changes', 'erasure', 'transfers'];
    await until(async () => (await reactors()).length === names.length);
    expect((await reactors()).map(({ name, parked }) => [name, parked])).toEqual(
      names.map((name) => [name, []]),
    );
    expect((await admin.api.get('retryReactors')).items).toHaveLength(names.length);
  });

  test('answer how they are, and all but the API nothing else', async () => {
    for (const { visitor } of [api, projector, worker]) {
      expect((await visitor.call('healthLive')).status).toBe(200);
      await until(async () => (await visitor.call('healthReady')).status === 200);
      expect((await visitor.call('metrics')).text).toContain('lode_build_info');
    }
    for (const { visitor } of [projector, worker])
      for (const name of ['me', 'products', 'live', 'projections'] as const)
        expect((await visitor.call(name)).status).toBe(NOWHERE);
  });

  test('let an API be stopped under load: whatever it took is answered', async () => {
    const second = await start('api');
    const customers = await customersAtWork(second.visitor, admin);
    const work = createWork({ admin, customers, idle: [], draw: drawnFrom(SEED) });
    const before = work.sent.length;
    const working = work.run(second.visitor, () => second.child.exitCode !== null);
    await until(() => work.sent.filter(isDone).length > before);
    second.child.kill('SIGTERM');
    expect(await second.ended).toEqual({ code: 0, signal: null });
    await working;
    // One that nobody answered it never took.
    const log = await (await inspect(folder)).openLog();
    const events = await log.readAll(logStart, EVENTS_MAX);
    await log.close();
    expect(events.length).toBeLessThan(EVENTS_MAX);
    const taken = new Set(events.map(({ meta }) => meta.commandId));
    const [open, answered] = [
      work.sent.filter(({ answer }) => answer === undefined),
      work.sent.filter(isDone),
    ];
    expect(open.filter((command) => taken.has(work.idOf(command)))).toEqual([]);
    expect(answered.filter((command) => !taken.has(work.idOf(command)))).toEqual([]);
  });

  test('tell of a worker without its Redis, and that none is there', async () => {
    const readyAt = async ({ visitor }: Listening) => (await visitor.call('healthReady')).status;
    const lastSeen = async () => {
      const { text } = await api.visitor.call('metrics');
      return Number(/^lode_jobs_worker_last_seen_seconds (.+)$/m.exec(text)?.[1]);
    };
    await until(async () => (await lastSeen()) === 0);
    await servers.get('redis').kill();
    await until(async () => (await readyAt(worker)) === UNAVAILABLE);
    await until(async () => (await lastSeen()) > 0);
    expect(await readyAt(api)).toBe(200);
    await servers.get('redis').start();
    await until(async () => (await readyAt(worker)) === 200);
    await until(async () => (await lastSeen()) === 0);
    worker.child.kill('SIGKILL');
    await until(async () => (await lastSeen()) > 0);
    worker = await start('worker');
    await until(async () => (await lastSeen()) === 0);
  });

  test('start and work together while Redis is away, but for what is a job’s, and know of it once it is back', async () => {
    await servers.get('redis').kill();
    const [another, standby] = await Promise.all([start('api'), start('projector')]);
    const there = apiOf(another.visitor, admin);
    expect((await there.call('jobs')).status).toBe(UNAVAILABLE);
    projector.child.kill('SIGKILL');
    projector = standby;
    // What is folded from now on the new projector folds.
    const ann = await join(api.visitor, 'Later');
    await until(async () => (await there.call('account', { params: { userId: ann.userId } })).status === 200);
    await servers.get('redis').start();
    await until(async () => (await there.call('jobs')).status === 200);
  });

  test('end in order when they are told to', async () => {
    const end = async ({ child, ended, printed }: Listening) => {
      child.kill('SIGTERM');
      expect(await ended).toEqual({ code: 0, signal: null });
      expect(printed.err).toBe('');
    };
    const logAt = async () => /^lode_log_position .+$/m.exec((await api.visitor.call('metrics')).text)?.[0];
    await end(worker);
    await end(projector);
    const before = await logAt();
    // Nobody is there to do it: whoever waits for it is told that it is kept, before connections are cut off.
    const ordered = admin.api.call('rebuildModel', { params: { model: 'accounts' } });
    await until(async () => (await logAt()) !== before);
    await end(api);
    expect(problemIn(await ordered).code).toBe('unknown_outcome');
    expect(await tell(folder, 'verify')).toMatchObject({ code: 0, json: { wrong: [] } });
  });
});
