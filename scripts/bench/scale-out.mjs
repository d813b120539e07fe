import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import {
  ADJUSTMENT,
  adjustmentsOf,
  call,
  joinAdmin,
  joinWithMoney,
  sender,
  startLode,
  untilFolded,
  WARM_UP,
} from './api.mjs';
import { quantile, verdict } from './client.mjs';
import { processorTimesOver } from './processor.mjs';

/** How many APIs commands are sent through, one number after another, and connections over all of them. */
const APIS = [1, 2, 4];
const CONNECTIONS = 64;
/** Those that go on sending while it is looked how soon a command is visible, each with so many milliseconds between two. */
const LIGHT = { connections: 4, pauseMs: 40 };
/** How many projectors share the lanes of the read models, one number after another, and the models that they fold anew. */
const PROJECTORS = [1, 2, 4];
const FOLDED = ['accounts', 'events', 'transactions'];
const LANES = 16;
const ASK_MS = 20;
/** Projectors that are killed while they fold. */
const TAKEOVERS = 5;
/** Milliseconds that are promised between a command's answer and a query that shows it. */
const PROMISED = { between: 100, across: 10_000 };
/** What health says of a part that another program runs. */
const ELSEWHERE = 'run by another program';
/** By what is in its command line, what a process is. */
const KINDS = {
  APIs: '/services/api/',
  projector: '/services/projector/',
  'double of EventStoreDB': '/eventstoredb/double/',
  'double of MongoDB': '/mongodb/double/',
};

/**
 * Lode as several programs on the doubles of EventStoreDB and MongoDB, which are no databases: commands a second through
 * one, two and four APIs, on many accounts and on one; then how soon a command through one API is visible through another
 * beside a light load, while nothing is killed and when the projector that folds is; then how many events a second one, two and
 * four projectors fold anew. False where there is no versitygw.
 */
export async function measureScaleOut(root, folder, seconds, { row, say }) {
  const { findVersitygw } = await import(join(root, 'dist', 'libs', 'files', 's3', 'testing', 'index.js'));
  if (findVersitygw() === undefined) return false;
  const { redisServer } = await import(join(root, 'dist', 'libs', 'jobs', 'bullmq', 'testing', 'index.js'));
  const bells = redisServer === undefined ? [] : ['redis'];
  if (bells.length === 0) say('without a redis-server nobody rings for whoever waits');
  const { startServers } = await import(join(root, 'dist', 'services', 'lode', 'testing', 'servers.js'));
  say(`the machine's load in the minute before: ${loadavg()[0].toFixed(1)}`);
  const servers = await startServers(['eventstore', 'mongodb', 's3', ...bells]);
  const programs = [];
  const start = async (part) => {
    const own = join(folder, String(programs.length));
    mkdirSync(own, { recursive: true });
    const program = { ...(await startLode(root, own, { part, env: servers.env })), part };
    programs.push(program);
    return program;
  };
  try {
    const first = await start('api');
    const admin = await joinAdmin(first.port, first.invitation);
    const people = [];
    for (let n = 0; n < CONNECTIONS; n++) people.push(await joinWithMoney(first.port, admin, n));
    const projector = await start('projector');
    const its = { start, programs, admin, people, apis: [first] };
    await commands(its, seconds, row);
    const { laneOf } = await import(join(root, 'dist', 'libs', 'kernel', 'index.js'));
    await visibility({ ...its, laneOf }, projector, seconds, row);
    await folding(its, row);
    return true;
  } finally {
    for (const { child } of programs) child.kill('SIGKILL');
    await servers.stop();
  }
}

/** Rows of commands a second, through more and more APIs. */
async function commands({ start, admin, people, apis }, seconds, row) {
  for (const count of APIS) {
    while (apis.length < count) apis.push(await start('api'));
    for (const [whose, personOf] of [
      ['64 accounts', (connection) => people[connection]],
      ['one account', () => people[0]],
    ]) {
      await untilFolded(apis[0].port, admin);
      const name = `programs: durable commands, ${count} ${count === 1 ? 'API' : 'APIs'}, ${whose}`;
      row(name, await throughAll({ apis, admin, seconds, personOf }));
    }
  }
}

/** Commands through all APIs at once, on as many connections in all as through one, and the processor time of each kind of program. */
async function throughAll({ apis, admin, seconds, personOf }) {
  const share = CONNECTIONS / apis.length;
  const [used, ...all] = await Promise.all([
    processorTimesOver(KINDS, WARM_UP, seconds),
    ...apis.map(({ child, port }, n) =>
      sender({ pid: child.pid, port, admin })({
        seconds,
        connections: share,
        personOf: (connection) => personOf(n * share + connection),
      }),
    ),
  ]);
  const latencies = Float64Array.from(all.flatMap((one) => [...one.latencies])).sort();
  const done = latencies.length;
  const costs = Object.entries(used).map(([kind, time]) => `${kind} ${Math.round((time / done) * 1e6)}`);
  const isGood = all.every(({ wrong }) => wrong === 0);
  return {
    perSecond: done / Math.max(...all.map((one) => one.seconds)),
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    note: isGood
      ? `µs of processor a command: ${costs.join(', ')}`
      : `not as expected: ${JSON.stringify(all.map(({ statuses }) => statuses))}`,
  };
}

/** Rows of how soon a command is visible, through two APIs, while others are sent. */
async function visibility({ start, people, apis, laneOf, ...its }, projector, seconds, row) {
  for (const { child } of apis.splice(2)) child.kill('SIGKILL');
  await untilFolded(apis[0].port, its.admin);
  // What an admin has proved is asked for again after some minutes.
  const session = { token: undefined };
  const signIn = async () => (session.token = await joinAdmin(apis[0].port));
  await signIn();
  const load = lightLoad(apis, session, people);
  // One whom the first of two projectors folds, which is the one that is killed.
  const isFirsts = ({ userId }) => laneOf(`account-${userId}`, LANES) < LANES / 2;
  const look = untilVisible(apis, session, people.slice(LIGHT.connections).find(isFirsts));
  const between = [];
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) between.push(await look());
  const across = [];
  const projectors = [projector];
  for (let n = 0; n < TAKEOVERS; n++) {
    projectors.push(await start('projector'));
    await signIn();
    const active = await activeOf(projectors);
    projectors.splice(projectors.indexOf(active), 1);
    active.child.kill('SIGKILL');
    across.push(await look());
    await look();
  }
  const note = `beside ${Math.round(await load.end())} commands/s`;
  const figures = (times, promised) => {
    times.sort((a, b) => a - b);
    const p99 = quantile(times, 0.99);
    return { p50: quantile(times, 0.5), p99, note: `${verdict(p99, promised)}, ${times.length}, ${note}` };
  };
  row('programs: command to visible through another API', figures(between, PROMISED.between));
  row('programs: … when the projector was killed', figures(across, PROMISED.across));
}

/** Rows of events a second that more and more projectors fold together into models that are built anew. */
async function folding({ start, apis: [{ port }], programs }, row) {
  const isProjector = ({ part, child }) =>
    part === 'projector' && child.exitCode === null && child.signalCode === null;
  for (const count of PROJECTORS) {
    while (programs.filter(isProjector).length < count) await start('projector');
    const projectors = programs.filter(isProjector);
    await untilTrue(async () => {
      const lanes = await Promise.all(projectors.map(lanesOf));
      return lanes.every((one) => one === LANES / count);
    });
    const token = await joinAdmin(port);
    await untilFolded(port, token);
    const models = async () => (await call(port, 'GET', '/api/projections', undefined, { token })).models;
    const before = (await models()).find(({ name }) => name === 'events').position;
    const from = performance.now();
    for (const name of FOLDED) await call(port, 'POST', `/api/projections/${name}/rebuild`, {}, { token });
    let events = 0;
    await untilTrue(async () => {
      const building = (await models()).flatMap(({ rebuild }) => rebuild ?? []);
      events = Math.max(events, ...building.map(({ of }) => of));
      return events > 0 && building.length === 0;
    });
    const seconds = (performance.now() - from) / 1_000;
    row(
      `programs: ${FOLDED.length} models folded anew by ${count} ${count === 1 ? 'projector' : 'projectors'}`,
      {
        perSecond: events / seconds,
        note: `${events} events up to position ${before}`,
      },
    );
  }
}

/** How many lanes a program folds. */
async function lanesOf({ port }) {
  const text = await call(port, 'GET', '/metrics', undefined, { isText: true });
  return Number(/^lode_projection_lanes (\d+)$/m.exec(text)?.[1]);
}

async function untilTrue(look) {
  while (!(await look())) await after(ASK_MS);
}

/** Sends a few commands a second until it is ended, and gives how many a second these were. */
function lightLoad(apis, session, people) {
  const from = performance.now();
  let isOver = false;
  let done = 0;
  const one = async (_, n) => {
    while (!isOver) {
      await adjust(apis[n % apis.length], session, people[n]);
      done++;
      await after(LIGHT.pauseMs);
    }
  };
  const all = Promise.all(Array.from({ length: LIGHT.connections }, one));
  return {
    end: async () => {
      isOver = true;
      await all;
      return (done * 1_000) / (performance.now() - from);
    },
  };
}

/** Looks, as often as it is called, how long a command through the first API takes to be in a list of the second one; in milliseconds. */
function untilVisible([writing, reading], session, person) {
  let before;
  return async () => {
    const { position } = await adjust(writing, session, person);
    const from = performance.now();
    for (;;) {
      const path = `/api/accounts/${person.userId}/transactions?limit=1`;
      const { items } = await call(reading.port, 'GET', path, undefined, { token: person.token, position });
      const [newest] = items;
      if (newest !== undefined && newest.position !== before) {
        before = newest.position;
        return performance.now() - from;
      }
    }
  };
}

function adjust({ port }, { token }, person) {
  return call(port, 'POST', adjustmentsOf(person), ADJUSTMENT, { token, key: randomUUID() });
}

/** The projector that has the lease, by what health says of the look that goes with it. */
async function activeOf(projectors) {
  for (const projector of projectors) {
    const { checks } = await call(projector.port, 'GET', '/health/ready');
    if (checks.scrub !== ELSEWHERE) return projector;
  }
  throw new Error('nobody runs the projections');
}
