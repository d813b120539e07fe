import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as pathJoin } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MessageChannel } from 'node:worker_threads';
import { pino } from 'pino';
import { BONUS_TICK, Bus, CheckHealth, InviteFirstAdmin, OPERATOR } from '#application';
import { CLOCK_TOLERANCE, createGuardedClock } from '#clock';
import { createSqliteClockMarks, createSqliteClockRequests } from '#clock/sqlite';
import { createExecutor } from '#commands';
import { opening, type JoinedEngines } from '#engines';
import { createMemoryEventStore } from '#event-store/memory';
import { openFolderFiles } from '#files/folder';
import { openIdentityStore, openPersonKeys } from '#identity/sqlite';
import { createInProcessJobs } from '#jobs/in-process';
import { LodeError, systemTimers, type Timers } from '#kernel';
import { until } from '#kernel/testing';
import { leaseLimits, type CheckedLeases } from '#leases';
import { createMemoryLeases, type MemoryLeaseStore } from '#leases/memory';
import { accountDecider, accountStream } from '#ledger';
import { createMemoryBell, type BellRoom } from '#bell/memory';
import { createMemoryOrders, type MemoryOrderStore } from '#orders/memory';
import { openingWith, walletModels } from '#projections';
import { createSqliteCheckpoints } from '#reactors/sqlite';
import { openSqliteReadStore, openSqliteReadStoreReader } from '#read-store/sqlite';
import { compareReadModels } from '#verify';
import { serveProjector, type ProjectorThread } from '../../projector/index.js';
import { localBonusWorkers, type RunningProcesses } from '../../worker/index.js';
import { PROCESSES } from '../worker.module.js';
import { compose, type Composition } from '../compose.js';
import { everyPart } from '../parts.js';
import { readSettings } from '../settings.js';
import {
  createClient,
  credit,
  follow,
  invitationIn,
  join,
  keyed,
  problemIn,
  quietSettings,
  requestFunding,
  requestTransfer,
  setPin,
  signIn,
  type Client,
  type Frame,
  type Person,
} from '../testing/index.js';

/* Log and leases are shared in memory. The other ports have no adapter in memory: what is theirs is in a folder. */

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Leases are looked at again this soon, in milliseconds: their clock is the test's own. */
const LOOK_MS = 5;
const BUSY_MS = 2_000;

/** A composed program that listens. */
type Program = {
  readonly visitor: Client;
  readonly bus: Bus;
  readonly processes: RunningProcesses;
  /** What it has told its operator. */
  readonly problems: readonly Readonly<Record<string, unknown>>[];
  /** Cuts it off from the leases, or lets it reach them again. */
  readonly cutOff: (isCutOff: boolean) => void;
  readonly stop: () => Promise<void>;
};

const timers: Timers = {
  ...systemTimers,
  after: (ms, done) => systemTimers.after(ms === leaseLimits.ttlMs / 3 ? LOOK_MS : ms, done),
};

/** The projector on this thread, at the other end of a channel. */
function projectorHere(engines: JoinedEngines): ProjectorThread {
  const { port1, port2 } = new MessageChannel();
  void serveProjector(port2, engines);
  return {
    tell: (message) => port1.postMessage(message),
    onMessage: (listener) => port1.on('message', listener),
    onEnd: (listener) => port1.on('close', () => listener(undefined)),
  };
}

const noLooker = {
  look: async () => ({ looked: 0, found: [], next: undefined }),
  close: () => undefined,
};

/** What programs share, and programs on it. */
function createWorld(folder: string) {
  const log = createMemoryEventStore();
  const leaseStore: MemoryLeaseStore = new Map();
  const orderStore: MemoryOrderStore = new Map();
  const bellRoom: BellRoom = new Set();
  const time = { leases: 0, ahead: 0 };
  const file = (name: string) => pathJoin(folder, name);
  const events = { ...log, close: async () => undefined };
  const clock = () => Date.now() + time.ahead;
  // Time passes on every clock of the machine alike.
  const guard = createGuardedClock({ wall: clock, monotonic: clock, uptime: clock }, CLOCK_TOLERANCE);

  /** Leases that can be cut off: what reaches them not is refused. */
  function leasesOf(owner: string) {
    const inner = createMemoryLeases(leaseStore, owner, () => time.leases);
    const state = { isCutOff: false };
    const reach = async () => {
      if (state.isCutOff) throw new LodeError('unavailable', 'The leases cannot be reached.');
    };
    const leases: CheckedLeases = {
      isHeld: (name) => reach().then(() => inner.isHeld(name)),
      check: inner.check,
      acquire: async (name) => {
        await reach();
        const lease = await inner.acquire(name);
        if (lease === undefined) return undefined;
        return { ...lease, renew: () => reach().then(lease.renew) };
      },
    };
    return { leases, cutOff: (isCutOff: boolean) => void (state.isCutOff = isCutOff) };
  }

  async function start(owner: string): Promise<Program> {
    const { leases, cutOff } = leasesOf(owner);
    const problems: Readonly<Record<string, unknown>>[] = [];
    const write = (line: string) => void problems.push(JSON.parse(line) as Record<string, unknown>);
    const api = {
      ...quietSettings,
      requestsPerMinute: 1_000_000,
      logger: pino({ level: 'warn' }, { write }),
    };
    return opening(async (closing) => {
      const database = new DatabaseSync(file('processes.sqlite'), { timeout: BUSY_MS });
      closing.add(() => database.close());
      const identity = await openIdentityStore({ file: file('identity.sqlite') });
      closing.add(() => identity.close());
      const files = await openFolderFiles({ folder: file('files') });
      closing.add(() => files.close());
      const engines: Composition['engines'] = {
        events,
        identity,
        files,
        models: openSqliteReadStoreReader({ file: file('read-models.sqlite') }),
        lanes: 1,
        stillHere: async () => undefined,
        leases,
        orders: createMemoryOrders(orderStore),
        bell: createMemoryBell(timers, bellRoom),
        openCheckpoints: (lease) => createSqliteCheckpoints(database, () => leases.check(lease)),
        storedReactors: async () => [],
        createJobs: (options) => createInProcessJobs({ ...options, database }),
        clockMarks: createSqliteClockMarks(database),
        clockRequests: createSqliteClockRequests(database),
        leftNotes: {
          leave: async () => undefined,
          stateOf: () => 'written',
          some: () => ({ notes: [], unreadable: [] }),
          refuse: () => undefined,
          remove: () => undefined,
          sweep: () => undefined,
        },
        hasRoom: () => true,
        mail: undefined,
        diskOfFiles: () => undefined,
        keepHead: async () => undefined,
        programs: { beyond: () => ({ kinds: {}, models: {} }), members: () => [] },
      };
      const accounts = createExecutor({ store: events, decider: accountDecider, clock });
      const program = await compose(
        {
          parts: everyPart,
          engines,
          owner,
          guard,
          timers,
          thread: () =>
            projectorHere({
              openEvents: async () => events,
              openModels: async () => openSqliteReadStore({ file: file('read-models.sqlite') }),
              openPersonKeys: async () => openPersonKeys({ file: file('identity.sqlite') }),
              mayActivate: async () => true,
            }),
          bonusWorkers: () => localBonusWorkers(accounts),
          scrub: { looker: noLooker, memory: { load: () => undefined, keep: () => undefined } },
          chores: {
            backups: { way: 'unset', folder: null, last: async () => null },
            run: () => null,
            begin: () => false,
            cancel: async () => false,
          },
          settings: readSettings({}),
          api,
          version: '0.0.0',
          say: () => undefined,
        },
        closing,
      );
      closing.add(async () => {
        const closed = program.close();
        program.getHttpServer().closeAllConnections();
        await closed;
      });
      await program.listen(0, '127.0.0.1');
      return {
        visitor: createClient(await program.getUrl()),
        bus: program.get(Bus),
        processes: program.get<RunningProcesses>(PROCESSES),
        problems,
        cutOff,
        stop: closing.run,
      };
    });
  }

  /** How the read models stand against the log; to be asked when no program runs. */
  async function compared(): Promise<readonly string[]> {
    const live = openSqliteReadStore({ file: file('read-models.sqlite') });
    const scratch = openSqliteReadStore({ file: ':memory:' });
    const keys = openPersonKeys({ file: file('identity.sqlite') });
    try {
      const reports = await compareReadModels({
        log,
        live,
        scratch,
        models: walletModels,
        ...openingWith(keys),
      });
      return reports.map(({ model, state, what = '' }) => `${model} ${state} ${what}`.trim());
    } finally {
      await live.close();
      await scratch.close();
      await keys.close();
    }
  }

  /** The numbers of a model's builds that are not to be removed. */
  async function buildsOf(model: string): Promise<readonly number[]> {
    const reader = openSqliteReadStoreReader({ file: file('read-models.sqlite') });
    try {
      return (await reader.builds())
        .filter(({ build, state }) => build.collection === model && state !== 'retired')
        .map(({ build }) => build.number);
    } finally {
      await reader.close();
    }
  }

  const typesOf = async ({ userId }: Person) =>
    (await log.readStream(accountStream(userId), { limit: 1_000 })).map(({ type }) => type);
  const orders = () =>
    [...orderStore.values()].map(({ order: { to }, outcome }) => ({ to, isDone: outcome !== undefined }));
  return { start, compared, buildsOf, orders, typesOf, time };
}

/** Two programs, and people who are known to the API of each. */
async function pair(world: ReturnType<typeof createWorld>) {
  const one = await world.start('one');
  const two = await world.start('two');
  const invitation = await one.bus.execute(new InviteFirstAdmin({ actor: OPERATOR }));
  const admin = await join(one.visitor, 'Ada', invitationIn(invitation?.path));
  const [ann, bob] = [await join(one.visitor, 'Ann'), await join(two.visitor, 'Bob')];
  await setPin(ann);
  const at = async ({ visitor }: Program, person: Person) => signIn(visitor, person);
  return { one, two, admin, ann, bob, at };
}

let folder: string;
let world: ReturnType<typeof createWorld>;
let its: Awaited<ReturnType<typeof pair>>;
beforeEach(async () => {
  folder = mkdtempSync(pathJoin(tmpdir(), 'lode-two-'));
  world = createWorld(folder);
  its = await pair(world);
});
afterEach(async () => {
  await its.two.stop();
  await its.one.stop();
  rmSync(folder, { recursive: true });
});

const isOf = (data: unknown, collection: string, id: string) =>
  JSON.stringify(data).startsWith(JSON.stringify({ collection, id }).slice(0, -1));

const count = (types: readonly string[], type: string) => types.filter((one) => one === type).length;

/** What somebody's wallet holds as of a command, as they see it. */
async function balance({ api }: Person, { position }: { readonly position: string }): Promise<string> {
  return (await api.get('me', { headers: { 'Lode-Position': position } })).wallet.balance;
}

/** Whether this program's projector and its reactors run, or stand by. */
async function running({ bus, processes }: Program): Promise<string> {
  // Whoever runs the projections looks at everything that is kept.
  const { scrub } = (await bus.query(new CheckHealth())).checks;
  const runs = [scrub !== BY_ANOTHER, processes.reactors().length > 0];
  return runs.map((does) => (does ? 'runs' : 'stands by')).join(', ');
}
const BY_ANOTHER = 'run by another program';
const BOTH_RUN = 'runs, runs';
const BOTH_STAND_BY = 'stands by, stands by';

/** Has Ann send Bob some dollars, by the API that both persons are at. */
async function transfer(admin: Person, ann: Person, bob: Person, amount: string): Promise<void> {
  const { accountNumber } = await admin.api.get('account', { params: { userId: bob.userId } });
  const { requestId } = await requestTransfer(ann, accountNumber, amount);
  const params = { userId: ann.userId, requestId };
  await admin.api.get('confirmTransfer', { params, body: {}, headers: keyed() });
}

test('commands through both APIs reach the same accounts, each is applied once, and both show it', async () => {
  const { one, two, admin, ann, at } = its;
  const [adminAtTwo, annAtTwo] = [await at(two, admin), await at(two, ann)];
  expect([await running(one), await running(two)]).toEqual([BOTH_RUN, BOTH_STAND_BY]);
  const keys = Array.from({ length: 20 }, () => keyed());
  const send = (from: Person, headers: Record<string, string>) =>
    from.api.get('adjustWallet', {
      params: { userId: ann.userId },
      body: { amounts: { BTC: '1.00' }, reason: 'a test' },
      headers,
    });
  const answers = await Promise.all(
    keys.map(async (key) => Promise.all([send(admin, key), send(adminAtTwo, key)])),
  );
  for (const [here, there] of answers) expect(here.position).toBe(there.position);
  expect(count(await world.typesOf(ann), 'WalletCredited')).toBe(keys.length);
  const last = await credit(adminAtTwo, ann, { BTC: '5.00' });
  expect([await balance(ann, last), await balance(annAtTwo, last)]).toEqual(['25.00', '25.00']);
});

test('who is suspended through one program changes and takes along nothing through the other, and soon sees nothing', async () => {
  const { two, admin, ann, at } = its;
  const annAtTwo = await at(two, ann);
  expect((await annAtTwo.api.call('me')).status).toBe(200);
  await admin.api.get('suspend', { params: { userId: ann.userId }, body: {}, headers: keyed() });
  // At once, whatever the other program remembers.
  const params = { userId: ann.userId };
  const refused = await Promise.all([
    annAtTwo.api.call('endOtherSessions', {}),
    annAtTwo.api.call('ownTransactions', { params, query: { format: 'csv' } }),
    annAtTwo.api.call('profileImage', { params }),
  ]);
  expect(refused.map(({ status }) => status)).toEqual([401, 401, 401]);
  const now = () => annAtTwo.api.call('me');
  await until(async () => (await now()).status === 401);
  expect((await now()).text).toContain('token_invalid');
});

test('an admin who is given another duty through one program does nothing of the old one through the other', async () => {
  const { one, two, admin, ann, at } = its;
  const { token } = await admin.api.get('inviteAdmin', { body: { duty: 'finance' } });
  const fin = await at(two, await join(one.visitor, 'Fin', token));
  const book = () =>
    fin.api.call('adjustWallet', {
      params: { userId: ann.userId },
      body: { amounts: { BTC: '1.00' }, reason: 'a test' },
      headers: keyed(),
    });
  const exported = () => fin.api.call('transactions', { query: { format: 'csv' } });
  expect([(await book()).status, (await exported()).status]).toEqual([200, 200]);
  const params = { userId: fin.userId };
  await admin.api.get('changeDuty', {
    params,
    body: { duty: 'auditor', reason: 'a test' },
    headers: keyed(),
  });
  expect(problemIn(await book()).code).toBe('duty_missing');
  expect((await exported()).status).toBe(200);
  expect(count(await world.typesOf(ann), 'WalletCredited')).toBe(1);
});

test('health says of a program that stands by how the other’s projections are, and that it runs the reactors', async () => {
  const healthOf = async ({ bus }: Program) => (await bus.query(new CheckHealth())).checks;
  const projections = expect.stringContaining('accounts current');
  expect(await healthOf(its.two)).toMatchObject({ projections, reactors: BY_ANOTHER });
  expect(await healthOf(its.one)).toMatchObject({
    projections,
    reactors: expect.stringContaining('transfers'),
  });
});

test('both programs show the same read models, standing at the same place', async () => {
  const { one, two, admin, ann, at } = its;
  const adminAtTwo = await at(two, admin);
  const { position } = await credit(admin, ann, { BTC: '5.00' });
  const shownBy = async (person: Person) => {
    const headers = { 'Lode-Position': position };
    await person.api.get('totals', { headers });
    const { models } = await person.api.get('projections');
    return models.map(({ name, version, state, parked }) => ({ name, version, state, parked }));
  };
  const shown = await shownBy(admin);
  expect([await running(one), await running(two)]).toEqual([BOTH_RUN, BOTH_STAND_BY]);
  expect(shown.length).toBe(walletModels.length);
  expect(await shownBy(adminAtTwo)).toEqual(shown);
});

test('a rebuild that is asked for where another program runs the projections is done there, and can be cancelled there', async () => {
  const { one, two, admin, at } = its;
  const adminAtTwo = await at(two, admin);
  const params = { model: 'accounts' };
  const [before] = await world.buildsOf('accounts');
  expect(await adminAtTwo.api.get('rebuildModel', { params })).toEqual({
    model: 'accounts',
    state: 'rebuilding',
  });
  await until(async () => {
    const builds = await world.buildsOf('accounts');
    return builds.length === 1 && builds[0] !== before;
  });
  // There is none under way any more, and none of a model that there is not.
  expect(await adminAtTwo.api.get('cancelRebuild', { params })).toMatchObject({ cancelled: false });
  const replayed = await adminAtTwo.api.get('replayParked', { params, body: {} });
  expect(replayed).toEqual({ model: 'accounts', replayed: 0, left: 0 });
  const unknown = await adminAtTwo.api.call('rebuildModel', { params: { model: 'nothing' } });
  expect([unknown.status, unknown.text]).toEqual([404, expect.stringContaining('route_not_found')]);
  expect([await running(one), await running(two)]).toEqual([BOTH_RUN, BOTH_STAND_BY]);
});

test('live pages of both programs are told of the same changes, each person of their own', async () => {
  const { one, two, admin, ann, bob, at } = its;
  const [annAtTwo, bobAtTwo] = [await at(two, ann), await at(two, bob)];
  const streams = [await follow(ann.api), await follow(annAtTwo.api)];
  const bobs = await follow(bobAtTwo.api);
  const { position } = await credit(admin, ann, { BTC: '5.00' });
  const hears = (frames: readonly Frame[]) =>
    frames.some(({ event, data }) => event === 'change' && isOf(data, 'accounts', ann.userId));
  for (const stream of streams) {
    const frames = await stream.until(hears);
    expect(frames.filter(({ event }) => event === 'reset')).toEqual([]);
    expect(frames.findLast(({ event }) => event === 'change')?.data).toMatchObject({ position });
  }
  expect(bobs.frames.filter(({ event }) => event !== 'hello')).toEqual([]);
  for (const stream of [...streams, bobs]) stream.close();
  expect([await running(one), await running(two)]).toEqual([BOTH_RUN, BOTH_STAND_BY]);
});

/** The place that whoever is cut off from a stream goes on from. */
const placeIn = (frames: readonly Frame[]) => frames.findLast(({ id }) => id !== undefined)?.id ?? '';

const hears = (frames: readonly Frame[], collection: string, id: string) =>
  frames.some(({ event, data }) => event === 'change' && isOf(data, collection, id));

/** Listens at a program until a change of one's own was told of with its place, closes, and gives the place. */
async function leftAfterAChange(person: Person): Promise<string> {
  const stream = await follow(person.api);
  await stream.until((frames) => frames.length > 0);
  const { requestId } = await requestFunding(person);
  const frames = await stream.until(
    (all) => hears(all, 'requests', requestId) && all.at(-1)?.id !== undefined,
  );
  stream.close();
  await stream.ended;
  return placeIn(frames);
}

/** Comes back from a place, and waits until each of some requests is told of, or that everything is to be fetched anew. */
async function comeBack(person: Person, place: string, missed: readonly string[]): Promise<'all' | 'reset'> {
  const stream = await follow(person.api, { 'Last-Event-ID': place });
  const isReset = (frames: readonly Frame[]) => frames.some(({ event }) => event === 'reset');
  const frames = await stream.until(
    (all) => isReset(all) || missed.every((requestId) => hears(all, 'requests', requestId)),
  );
  stream.close();
  return isReset(frames) ? 'reset' : 'all';
}

test('whoever comes back at the other program is told of all that was missed', async () => {
  const { two, admin, ann, at } = its;
  const [adminAtTwo, annAtTwo] = [await at(two, admin), await at(two, ann)];
  // Somebody listens there, so that it knows what changes; and it knows from before the place.
  const there = await follow(adminAtTwo.api);
  const before = await requestFunding(ann);
  await there.until((frames) => hears(frames, 'requests', before.requestId));
  const place = await leftAfterAChange(ann);
  const missed = [(await requestFunding(ann)).requestId, (await requestFunding(ann)).requestId];
  await there.until((frames) => missed.every((requestId) => hears(frames, 'requests', requestId)));
  there.close();
  expect(await comeBack(annAtTwo, place, missed)).toBe('all');
});

test('who comes back at the other program before that is as far, or as it begins or takes over, misses nothing without being told so', async () => {
  const { one, two, ann, at } = its;
  const annAtTwo = await at(two, ann);
  // With and without somebody who listens there, and whatever it has come to.
  for (let times = 0; times < 6; times++) {
    const there = times % 2 === 0 ? undefined : await follow(annAtTwo.api);
    const place = await leftAfterAChange(ann);
    const missed = [(await requestFunding(ann)).requestId];
    await comeBack(annAtTwo, place, missed);
    there?.close();
  }
  // From a place that nobody may be shown yet.
  const scope = (await leftAfterAChange(ann)).replace(/^\d+/, '');
  const { position } = await requestFunding(ann);
  await comeBack(annAtTwo, position + scope, [(await requestFunding(ann)).requestId]);

  await two.stop();
  const place = await leftAfterAChange(ann);
  const missed = [(await requestFunding(ann)).requestId];
  const again = await world.start('two again');
  try {
    const annThere = await at(again, ann);
    expect(await comeBack(annThere, place, missed)).toBe('reset');
    const last = await leftAfterAChange(ann);
    const lost = [(await requestFunding(ann)).requestId];
    await one.stop();
    await until(async () => (await running(again)) === BOTH_RUN);
    await comeBack(annThere, last, lost);
  } finally {
    await again.stop();
  }
});

test('what reactors could not do is tried again by the program that runs them, wherever that is asked for', async () => {
  const { two, admin, at } = its;
  const adminAtTwo = await at(two, admin);
  await adminAtTwo.api.get('retryReactors');
  await until(() => world.orders().some(({ to, isDone }) => to === 'reactors' && isDone));
});

test('a job that is due runs once, whoever takes it', async () => {
  const { one, two, admin, ann, bob } = its;
  await credit(admin, ann, { BTC: '100.00' });
  for (const person of [ann, bob])
    await until(async () => count(await world.typesOf(person), 'BonusCycleStarted') > 0);
  // The job pays whom the read models know to be due.
  const { head } = await admin.api.get('projections');
  await admin.api.get('totals', { headers: { 'Lode-Position': head } });
  world.time.ahead += DAY_MS;
  one.processes.startJobs();
  two.processes.startJobs();
  const ran = ({ processes }: Program) => processes.jobs.runs(BONUS_TICK, 10);
  await until(async () => (await ran(one))[0]?.state === 'done');
  const [run, ...others] = await ran(one);
  expect(others).toEqual([]);
  expect(run).toMatchObject({ attempts: 1, report: { accrued: 2, failed: 0 } });
  expect(await ran(two)).toEqual([run]);
  for (const person of [ann, bob]) expect(count(await world.typesOf(person), 'BonusAccrued')).toBe(1);
});

test('what a deposed runner writes is refused, and the read models stay true to the log', async () => {
  const { one, two, admin, ann, bob } = its;
  await credit(admin, ann, { BTC: '100.00' });
  one.cutOff(true);
  world.time.leases += leaseLimits.ttlMs;
  await until(async () => (await running(two)) === BOTH_RUN);
  // It does not know yet that it is replaced, reads what is new and goes on.
  expect(await running(one)).toBe(BOTH_RUN);
  await transfer(admin, ann, bob, '30.00');
  await until(() => one.problems.some(({ type, reactor }) => type === 'failing' && reactor === 'transfers'));
  await until(() => one.problems.some(({ msg, code }) => msg === 'projector' && code === 'conflict'));
  expect(one.problems).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ msg: 'projector', message: 'Another program writes the read models now.' }),
      expect.objectContaining({ reactor: 'transfers', message: 'Another program runs the reactors now.' }),
    ]),
  );
  await until(async () => count(await world.typesOf(ann), 'TransferSettled') > 0);
  expect(count(await world.typesOf(bob), 'TransferReceived')).toBe(1);

  one.cutOff(false);
  await until(async () => (await running(one)) === BOTH_STAND_BY);
  const last = await credit(admin, ann, { BTC: '1.00' });
  expect([await balance(ann, last), await balance(bob, last)]).toEqual(['71.00', '30.00']);
  expect(one.problems).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: 'deposed', lease: 'projector' }),
      expect.objectContaining({ type: 'deposed', lease: 'reactors' }),
    ]),
  );
  await two.stop();
  await one.stop();
  expect(await world.compared()).toEqual(walletModels.map(({ name }) => `${name} equal`));
});

test('the other takes over when the first one stops', async () => {
  const { one, two, admin, ann, bob, at } = its;
  const adminAtTwo = await at(two, admin);
  const annAtTwo = await at(two, ann);
  await credit(admin, ann, { BTC: '100.00' });
  await one.stop();
  await until(async () => (await running(two)) === BOTH_RUN);
  await transfer(adminAtTwo, annAtTwo, bob, '30.00');
  await until(async () => count(await world.typesOf(ann), 'TransferSettled') > 0);
  const last = await credit(adminAtTwo, ann, { BTC: '1.00' });
  expect([await balance(annAtTwo, last), await balance(bob, last)]).toEqual(['71.00', '30.00']);
  await two.stop();
  expect(await world.compared()).toEqual(walletModels.map(({ name }) => `${name} equal`));
});
