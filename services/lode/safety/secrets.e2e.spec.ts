import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join as pathJoin } from 'node:path';
import { startDouble as startEventStoreDb, type EventStoreDbDouble } from '#event-store/eventstoredb/double';
import { findVersitygw, startVersitygw, type TestBucket, type Versitygw } from '#files/s3/testing';
import { redisServer, startRedis, type TestRedis } from '#jobs/bullmq/testing';
import { describeWhere, until } from '#kernel/testing';
import { freePort } from '#kernel/testing/port';
import { startDouble as startMongoDb, type MongoDbDouble } from '#mongodb/double';
import {
  dataFolders,
  deploymentOn,
  fillFromRecorded,
  firstAdmin,
  killAll,
  serverNames,
  spawnProgram,
  startProgram,
  testedOn,
  upload,
  type Deployment,
  type Listening,
  type ServerName,
} from '../testing/index.js';

/** Has what must be written otherwise in an address. */
const PASSWORD = 'canary/of+a%secret';
const NAME = 'canary-name';

const variables = {
  eventstore: 'EVENTSTORE_URL',
  mongodb: 'MONGODB_URL',
  redis: 'REDIS_URL',
  s3: 'S3_URL',
} as const satisfies Record<ServerName, string>;

/** What becomes of a server's address. */
type State = 'working' | 'away' | 'wrong password' | 'wrong TLS';

/** Whatever a program and its commands have said. */
type Said = { readonly who: string; readonly text: string };

const hasOpenssl = (() => {
  try {
    return execFileSync('openssl', ['version']).length > 0;
  } catch {
    return false;
  }
})();
const isHere =
  redisServer !== undefined && findVersitygw() !== undefined && hasOpenssl && testedOn.length === 0;
const lacking = 'no redis-server, versitygw or openssl, or LODE_TEST_ON names servers';

const { newFolder, removeFolders } = dataFolders();
let eventStore: EventStoreDbDouble;
let mongo: MongoDbDouble;
let redis: TestRedis;
let s3: Versitygw;
let bucket: TestBucket;
let certificate: string;
let closedPort: number;
let source: string;

/** A certificate for this machine that signs itself, and its key. */
function certify(): { readonly key: Buffer; readonly certificate: Buffer } {
  const folder = newFolder();
  const keyFile = pathJoin(folder, 'key.pem');
  certificate = pathJoin(folder, 'ca.pem');
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', keyFile];
  const subject = ['-days', '2', '-subj', '/CN=double', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', ...key, ...subject, '-out', certificate], { stdio: 'ignore' });
  return { key: readFileSync(keyFile), certificate: readFileSync(certificate) };
}

/** The address of a server in a state. */
function urlOf(server: ServerName, state: State): string {
  const password = encodeURIComponent(state === 'wrong password' ? `${PASSWORD}-not` : PASSWORD);
  const [user, isAway, isPlain] = [`${NAME}:${password}`, state === 'away', state !== 'wrong TLS'];
  const at = (port: number) => `127.0.0.1:${isAway ? closedPort : port}`;
  switch (server) {
    case 'eventstore': {
      const trusted = isPlain ? `&tlsCAFile=${certificate}` : '';
      return `esdb://${user}@${at(eventStore.port)}?tls=true${trusted}`;
    }
    case 'mongodb':
      return `mongodb://${user}@${at(mongo.port)}/lode?authMechanism=PLAIN&tls=${!isPlain}`;
    case 'redis':
      return `redis${isPlain ? '' : 's'}://:${password}@${at(redis.port)}/0`;
    case 's3': {
      const secret = state === 'wrong password' ? `${s3.secret}-not` : s3.secret;
      const url = bucket.url({ secret, ...(isAway ? { port: closedPort } : {}) });
      return isPlain ? url : url.replace('http:', 'https:');
    }
  }
}

/** The environment that names a server by a file. */
function byFile(server: ServerName, state: State): Record<string, string> {
  const file = pathJoin(newFolder(), 'address');
  writeFileSync(file, `${urlOf(server, state)}\n`, { mode: 0o600 });
  return { [`${variables[server]}_FILE`]: file };
}

/** What must be nowhere: each secret as it is and as it is written in addresses and headers. */
function secrets(): readonly string[] {
  return [PASSWORD, s3.secret].flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    Buffer.from(`${NAME}:${secret}`).toString('base64'),
    Buffer.from(secret).toString('base64').replaceAll('=', ''),
  ]);
}

function expectNoSecret(said: readonly Said[]): void {
  expect(said.length).toBeGreaterThan(0);
  const told = said.filter(({ text }) => [...secrets(), NAME].some((secret) => text.includes(secret)));
  expect(told).toEqual([]);
}

async function ran(deployment: Deployment, ...args: readonly string[]): Promise<Said> {
  const { code, out, err } = await deployment.lode(...args);
  return { who: `${args.join(' ')}: ${code}`, text: out + err };
}

/** A start that ends by itself. */
async function startEnds({ folder, env }: Deployment): Promise<Said> {
  const { ended, printed } = spawnProgram({ LODE_DATA: folder, ...env });
  expect((await ended).code).toBe(1);
  return { who: 'start', text: printed.out + printed.err };
}

describeWhere(isHere, 'secrets of servers (double)', lacking, () => {
  beforeAll(async () => {
    const tls = certify();
    const access = { name: NAME, password: PASSWORD, letsAnybodyWrite: true };
    eventStore = await startEventStoreDb({ tls, access });
    mongo = await startMongoDb({ user: { name: NAME, password: PASSWORD } });
    redis = await startRedis(['--requirepass', PASSWORD]);
    s3 = await startVersitygw();
    bucket = await s3.createBucket();
    closedPort = await freePort();
    source = newFolder();
    await fillFromRecorded(source);
  });
  afterAll(async () => {
    await eventStore.stop();
    await mongo.stop();
    await redis.stop();
    await s3.close();
    await removeFolders();
  });

  test.each(
    serverNames.flatMap((server) =>
      (['away', 'wrong password', 'wrong TLS'] as const).map((state) => ({ server, state })),
    ),
  )('are said nowhere while $server is: $state', async ({ server, state }) => {
    const on = () => deploymentOn(newFolder(), { LODE_LOG: 'debug', ...byFile(server, state) });
    const said = await Promise.all([
      startEnds(on()),
      ran(on(), 'doctor', '--json'),
      // Redis has nothing that is copied.
      server === 'redis'
        ? ran(deploymentOn(source, on().env), 'doctor')
        : ran(on(), 'migrate', 'from', source),
    ]);
    expectNoSecret(said);
    const { host } = new URL(urlOf(server, state).replace(/^\w+:/, 'http:'));
    // A store of files that refuses is named by its setting.
    expect(said[0].text).toMatch(new RegExp(`${host}|S3_URL`));
    for (const { who } of said.slice(1)) expect(who).toMatch(/: 1$/);
  });

  test('are said nowhere while all servers work, nor when one after the other goes away', async () => {
    const env = Object.fromEntries([
      ['LODE_LOG', 'debug'],
      ...serverNames.flatMap((name) => Object.entries(byFile(name, 'working'))),
    ]);
    const lode = deploymentOn(newFolder(), env);
    const program: Listening = await startProgram(lode.folder, env);
    try {
      const admin = await firstAdmin(program);
      const said: Said[] = [];
      const ask = async (name: 'account' | 'jobs' | 'uploadEvidence') => {
        const answer =
          name === 'uploadEvidence'
            ? await upload(admin).catch((error: unknown) => ({ text: String(error), status: 503 }))
            : await admin.api.call(name, { params: { userId: admin.userId } });
        const { text, status } = typeof answer === 'string' ? { text: answer, status: 200 } : answer;
        said.push({ who: name, text });
        return status;
      };
      for (const path of ['/metrics', '/health/ready', '/api/projections'])
        said.push({ who: path, text: await (await fetch(program.visitor.address + path)).text() });
      const doctor = await lode.lode('doctor', '--json');
      expect(doctor.out).toContain(' lets anybody write ');
      said.push({ who: 'doctor', text: doctor.out + doctor.err });
      for (const args of [
        ['verify'],
        ['tick'],
        ['rebuild'],
        ['invite-admin'],
        ['export'],
        ['migrate', 'to', newFolder()],
      ])
        said.push(await ran(lode, ...args));
      const outages = [
        { stop: eventStore.stop, start: eventStore.start },
        { stop: mongo.stop, start: mongo.start },
        { stop: redis.kill, start: redis.start },
        { stop: s3.kill, start: s3.start },
      ];
      for (const { stop, start } of outages) {
        await stop();
        for (const name of ['account', 'jobs', 'uploadEvidence'] as const) await ask(name);
        said.push({
          who: '/metrics',
          text: await (await fetch(`${program.visitor.address}/metrics`)).text(),
        });
        await start();
        await until(async () => (await ask('jobs')) === 200);
      }
      program.child.kill('SIGTERM');
      await program.ended;
      const { out, err } = program.printed;
      expect((out + err).length).toBeGreaterThan(1_000);
      expectNoSecret([...said, { who: 'the program', text: out + err }]);
    } finally {
      await killAll([program]);
    }
  });
});
