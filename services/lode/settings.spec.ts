import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { linkWayOf, readSettings, settingSources } from './settings.js';

describe('settings', () => {
  test('have defaults, also for variables that are empty', () => {
    expect(readSettings({ PORT: '', EVENTSTORE_URL: '', LODE_PROXIES: '' })).toMatchObject({
      port: 3_000,
      host: '127.0.0.1',
      secure: false,
      proxies: [],
      requestsPerMinute: 1_200,
      connections: { most: 10_000, perNetwork: 1_000, headMs: 10_000, ownDescriptors: 384 },
      passwordPolicy: { minLength: 8, maxLength: 128, requires: [] },
      identityToolkit: false,
      identityToolkitOrigins: [],
      stateCacheBytes: 134_217_728,
    });
  });

  test('say where the public reaches it: this machine, until they are told', () => {
    expect(readSettings({}).publicUrl).toBe('http://localhost:3000');
    expect(readSettings({ PORT: '80' }).publicUrl).toBe('http://localhost');
    expect(readSettings({ LODE_PUBLIC_URL: 'https://lode.example:8443' }).publicUrl).toBe(
      'https://lode.example:8443',
    );
    const shown = { name: 'LODE_PUBLIC_URL', value: 'http://localhost:8080', source: 'default' };
    expect(settingSources({ PORT: '8080' })).toContainEqual(shown);
  });

  test('tell links on the console while nobody but whoever is at the machine reaches it, and no mail is sent', () => {
    expect(linkWayOf(readSettings({}))).toBe('console');
    for (const env of [
      { LODE_HOST: '0.0.0.0' },
      { LODE_HOST: '10.0.0.7' },
      { LODE_PROXIES: '127.0.0.1' },
      { LODE_SECURE: 'true' },
      { LODE_PUBLIC_URL: 'https://lode.example.org' },
    ])
      expect([env, linkWayOf(readSettings(env))]).toEqual([env, 'none']);
    const sending = { SMTP_URL: 'smtp://localhost', LODE_PUBLIC_URL: 'https://lode.example.org' };
    expect(linkWayOf(readSettings(sending))).toBe('mail');
  });

  test('keep withdrawals from whoever has not verified the e-mail address, where mails are sent', () => {
    const sending = { SMTP_URL: 'smtp://localhost', LODE_PUBLIC_URL: 'https://lode.example.org' };
    const shown = (env: object) =>
      settingSources({ ...env }).find(({ name }) => name === 'LODE_UNVERIFIED_MAY_NOT')?.value;
    for (const [env, acts, text] of [
      [{}, [], 'nothing'],
      [sending, ['withdraw'], 'withdraw'],
      [{ ...sending, LODE_UNVERIFIED_MAY_NOT: 'nothing' }, [], 'nothing'],
      [{ LODE_UNVERIFIED_MAY_NOT: 'withdraw, transfer,fund' }, ['withdraw', 'transfer', 'fund'], undefined],
    ] as const) {
      expect(readSettings(env).unverifiedMayNot).toEqual(acts);
      if (text !== undefined) expect(shown(env)).toBe(text);
    }
    for (const bad of ['breathe', 'nothing,withdraw'])
      expect(() => readSettings({ LODE_UNVERIFIED_MAY_NOT: bad })).toThrow(
        'LODE_UNVERIFIED_MAY_NOT must be nothing, or some of withdraw, transfer, fund, parted by commas',
      );
  });

  test.each([
    ['LODE_PASSWORT_MIN', '8', 'Did you mean LODE_PASSWORD_MIN?'],
    ['LODE_COLOUR', 'red', 'See docs/reference/settings.md.'],
    ['LODE_PORT', '4000', 'Did you mean PORT?'],
    ['LODE_REDIS_URL', 'redis://a', 'Did you mean REDIS_URL?'],
    ['MONGODB_URI', 'mongodb://a', 'Did you mean MONGODB_URL?'],
    ['EVENTSTORE_URI', 'esdb://a', 'Did you mean EVENTSTORE_URL?'],
    ['Redis_Url', 'redis://a', 'Did you mean REDIS_URL?'],
    ['PROT', '4000', 'Did you mean PORT?'],
  ])('refuse %s, which is none', (name, value, hint) => {
    expect(() => readSettings({ [name]: value })).toThrow(
      `${name} is set, and is no setting of Lode. ${hint}`,
    );
    expect(() => readSettings({ [name]: '' })).not.toThrow();
  });

  test.each([
    { PATH: '/bin', HTTP_URL: 'http://a', SFTP_URL: 'sftp://a', SMTP_HOST: 'a', OTEL_SERVICE_NAME: 'a' },
    { PORT: '3000', PORTS: '3000,3001', PORT0: '3000' },
    { REDIS_URL: 'redis://a', REDIS_URI: 'redis://b' },
    { LODE_SERVICE_HOST: '10.0.0.1', LODE_SERVICE_PORT: '80', LODE_SERVICE_PORT_HTTP: '80' },
    {
      LODE_PORT: 'tcp://10.0.0.1:80',
      LODE_PORT_80_TCP: 'tcp://10.0.0.1:80',
      LODE_PORT_80_TCP_ADDR: '10.0.0.1',
    },
    {
      LODE_API_PORT: 'tcp://10.0.0.1:80',
      LODE_API_SERVICE_HOST: '10.0.0.1',
      REDIS_PORT: 'tcp://10.0.0.2:6379',
    },
  ])('leave other programs’ variables and those of Kubernetes alone: %j', (env) => {
    expect(readSettings(env)).toMatchObject({ port: 3_000 });
  });

  describe.each([
    ['EVENTSTORE_URL', 'eventStoreUrl', 'esdb://lode:secret@host:2113?tls=true', 'esdb://host:2113'],
    ['MONGODB_URL', 'mongodbUrl', 'mongodb://lode:secret@a,b/lode?replicaSet=rs0', 'mongodb://a,b/lode'],
    ['REDIS_URL', 'redisUrl', 'redis://lode:secret@redis:6379/0', 'redis://redis:6379/0'],
    ['S3_URL', 's3Url', 'https://KEY:secret@host/bucket?region=eu', 'https://host/bucket'],
  ] as const)('take the address of a server, %s', (name, setting, url, shown) => {
    const folder = mkdtempSync(join(tmpdir(), 'lode-settings-'));
    const file = (content: string) => {
      const path = join(folder, randomUUID());
      writeFileSync(path, content);
      return path;
    };
    const named = (content: string) => ({ [`${name}_FILE`]: content });
    afterAll(() => rmSync(folder, { recursive: true }));

    test('as it is, or from a file, or none', () => {
      expect(readSettings({ [name]: url })[setting]).toBe(url);
      expect(readSettings(named(file(`${url}\n`)))[setting]).toBe(url);
      expect(readSettings({ [name]: '', ...named('') })[setting]).toBeUndefined();
    });

    test('and not both, nor from a file that is missing or empty', () => {
      const [empty, missing] = [file(' \n'), join(folder, 'missing')];
      expect(() => readSettings({ [name]: url, ...named(empty) })).toThrow(
        `${name} and ${name}_FILE are both set: unset one of them.`,
      );
      expect(() => readSettings(named(empty))).toThrow(`${name}_FILE names ${empty}, which is empty.`);
      expect(() => readSettings(named(url))).toThrow(
        `${name}_FILE takes the name of a file that has the address.`,
      );
      expect(() => readSettings(named(missing))).toThrow(
        `${name}_FILE names ${missing}, which can't be read.`,
      );
    });

    test('and show it without name and password', () => {
      expect(settingSources({ [name]: url })).toContainEqual({ name, value: shown, source: 'environment' });
      expect(settingSources(named(file(url)))).toContainEqual({ name, value: shown, source: 'file' });
      expect(settingSources({}).map((one) => one.name)).not.toContain(name);
    });
  });

  test('take the address of a collector of traces, and a share of them, and show it without its password', () => {
    expect(readSettings({ OTEL_TRACES_SAMPLER_ARG: '0.1' }).tracing).toBeUndefined();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://name:secret@otel.example:4318' };
    expect(readSettings(env).tracing).toEqual({ endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT, share: 1 });
    expect(readSettings({ ...env, OTEL_TRACES_SAMPLER_ARG: '0.25' }).tracing?.share).toBe(0.25);
    expect(settingSources(env)).toContainEqual({
      name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
      value: 'https://otel.example:4318',
      source: 'environment',
    });
    for (const OTEL_EXPORTER_OTLP_ENDPOINT of ['otel.example:4318', 'ftp://otel.example', 'nowhere'])
      expect(() => readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT })).toThrow(
        'OTEL_EXPORTER_OTLP_ENDPOINT must be an address such as http://localhost:4318.',
      );
    expect(() => readSettings({ OTEL_TRACES_SAMPLER_ARG: '2' })).toThrow('must be a number from 0 to 1');
  });

  test('take a folder for backups outside the data folder, and show it', () => {
    const env = { LODE_DATA: '/srv/lode', LODE_BACKUPS: '/srv/lode-backups' };
    expect(readSettings(env).backupFolder).toBe('/srv/lode-backups');
    expect(readSettings(env).sources).toContainEqual({
      name: 'LODE_BACKUPS',
      value: '/srv/lode-backups',
      source: 'environment',
    });
    expect(readSettings({}).backupFolder).toBeUndefined();
  });

  test('take no folder for backups that a link leads into the data folder, though nothing is there yet', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lode-'));
    try {
      const data = join(folder, 'data');
      symlinkSync(data, join(folder, 'link'));
      symlinkSync('link/backups', join(folder, 'other'));
      symlinkSync('itself', join(folder, 'itself'));
      const into = (name: string) => () =>
        readSettings({ LODE_DATA: data, LODE_BACKUPS: join(folder, name) });
      const tried = () => {
        expect(into('link/backups')).toThrow('which is in the data folder');
        expect(into('other')).toThrow('which is in the data folder');
        expect(into('itself')).not.toThrow();
      };
      tried();
      mkdirSync(data);
      tried();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('take the memory for states in MiB', () => {
    expect(readSettings({ LODE_STATE_CACHE_MIB: '512' }).stateCacheBytes).toBe(536_870_912);
  });

  test('take how connections are bounded', () => {
    const env = {
      LODE_CONNECTIONS: '9',
      LODE_CONNECTIONS_PER_ADDRESS: '3',
      LODE_REQUEST_HEAD_SECONDS: '2',
      LODE_OWN_DESCRIPTORS: '99',
    };
    const connections = { most: 9, perNetwork: 3, headMs: 2_000, ownDescriptors: 99 };
    expect(readSettings(env).connections).toEqual(connections);
  });

  test('take how many hours a session of an admin lasts, which are 8 until they are told', () => {
    expect(readSettings({}).adminSessionMs).toBe(28_800_000);
    expect(readSettings({ LODE_ADMIN_SESSION_HOURS: '1' }).adminSessionMs).toBe(3_600_000);
  });

  test.each(['0', '1.5', '721', 'long'])('let no session of an admin last %s hours', (hours) => {
    expect(() => readSettings({ LODE_ADMIN_SESSION_HOURS: hours })).toThrow(
      `LODE_ADMIN_SESSION_HOURS must be a whole number of hours from 1 to 720, not "${hours}".`,
    );
  });

  test.each(['0', '1.5', '121', 'soon'])('wait no %s seconds for the head of a request', (seconds) => {
    expect(() => readSettings({ LODE_REQUEST_HEAD_SECONDS: seconds })).toThrow(
      `LODE_REQUEST_HEAD_SECONDS must be a whole number of seconds from 1 to 120, not "${seconds}".`,
    );
  });

  test.each(['0', '-1', '1.5', 'much', '1048577'])('take no memory of %s MiB for states', (size) => {
    expect(() => readSettings({ LODE_STATE_CACHE_MIB: size })).toThrow(
      `LODE_STATE_CACHE_MIB must be a whole number of MiB from 1 to 1048576, not "${size}".`,
    );
  });

  test('take a password policy', () => {
    const env = {
      LODE_PASSWORD_MIN: '6',
      LODE_PASSWORD_MAX: '64',
      LODE_PASSWORD_REQUIRES: 'numeric, non-alphanumeric',
    };
    expect(readSettings(env).passwordPolicy).toEqual({
      minLength: 6,
      maxLength: 64,
      requires: ['numeric', 'non-alphanumeric'],
    });
  });

  test('take proxies as addresses and networks, parted by commas', () => {
    expect(readSettings({ LODE_PROXIES: '10.0.0.7, 192.168.0.0/16,::1' }).proxies).toEqual([
      '10.0.0.7',
      '192.168.0.0/16',
      '::1',
    ]);
  });

  test('take origins as browsers say them, parted by commas', () => {
    const env = {
      LODE_IDENTITY_TOOLKIT: 'true',
      LODE_IDENTITY_TOOLKIT_ORIGINS: 'https://app.example.org, http://localhost:5173',
    };
    expect(readSettings(env).identityToolkitOrigins).toEqual([
      'https://app.example.org',
      'http://localhost:5173',
    ]);
  });

  test.each([
    '*',
    'null',
    'app.example.org',
    'https://app.example.org/',
    'https://App.example.org',
    'ftp://a.org',
  ])('take no origin %s, which no browser says of a page', (origin) => {
    const env = { LODE_IDENTITY_TOOLKIT: 'true', LODE_IDENTITY_TOOLKIT_ORIGINS: origin };
    expect(() => readSettings(env)).toThrow(
      `LODE_IDENTITY_TOOLKIT_ORIGINS must be origins such as https://app.example.org, parted by commas, not "${origin}".`,
    );
  });

  test.each([
    [
      { LODE_IDENTITY_TOOLKIT_ORIGINS: 'https://app.example.org' },
      'LODE_IDENTITY_TOOLKIT_ORIGINS is set, but LODE_IDENTITY_TOOLKIT is not true: nothing would be served to them.',
    ],
    [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535, not "70000".'],
    [{ LODE_SECURE: 'yes' }, 'LODE_SECURE must be true or false, not "yes".'],
    ...['lode.example', 'https://lode.example/', 'https://lode.example/shop', 'ftp://lode.example'].map(
      (LODE_PUBLIC_URL) =>
        [
          { LODE_PUBLIC_URL },
          `LODE_PUBLIC_URL must be an origin such as https://lode.example.org, not "${LODE_PUBLIC_URL}".`,
        ] as const,
    ),
    [
      { LODE_PROXIES: 'everybody' },
      'LODE_PROXIES must be addresses or networks of proxies, parted by commas, not "everybody".',
    ],
    [{ LODE_PASSWORD_MIN: '5' }, 'LODE_PASSWORD_MIN must be a whole number from 6 to 128, not "5".'],
    [{ LODE_PASSWORD_MAX: 'x' }, 'LODE_PASSWORD_MAX must be a whole number from 6 to 128, not "x".'],
    [
      { LODE_PASSWORD_REQUIRES: 'emoji' },
      'LODE_PASSWORD_REQUIRES must be some of lowercase, uppercase, numeric, non-alphanumeric, parted by commas, not "emoji".',
    ],
    [
      { LODE_PASSWORD_MIN: '9', LODE_PASSWORD_MAX: '8' },
      'LODE_PASSWORD_MAX must not be below LODE_PASSWORD_MIN.',
    ],
    [
      { SMTP_URL: 'smtp://lode:secret@host' },
      'SMTP_URL is set, but LODE_PUBLIC_URL is not: links in mails would lead to whatever machine they are read on.',
    ],
    [
      { LODE_DATA: '/srv/lode', LODE_BACKUPS: '/srv/lode/backups' },
      'which is in the data folder: keep backups elsewhere',
    ],
    [
      { LODE_DATA: '/srv/lode', LODE_BACKUPS: '/srv/lode' },
      'which is in the data folder: keep backups elsewhere',
    ],
  ])('refuse %j in one sentence', (env, sentence) => {
    expect(() => readSettings(env)).toThrow(sentence);
  });
});
