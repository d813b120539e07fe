import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { readSettings, settingSources } from './settings.js';

describe('settings', () => {
  test('have defaults, also for variables that are empty', () => {
    expect(readSettings({ PORT: '', EVENTSTORE_URL: '', LODE_PROXIES: '' })).toMatchObject({
      port: 3_000,
      host: '127.0.0.1',
      secure: false,
      proxies: [],
      requestsPerMinute: 1_200,
      passwordPolicy: { minLength: 6, maxLength: 256, requires: [] },
      identityToolkit: false,
      identityToolkitOrigins: [],
      stateCacheBytes: 134_217_728,
    });
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

  test('take the memory for states in MiB', () => {
    expect(readSettings({ LODE_STATE_CACHE_MIB: '512' }).stateCacheBytes).toBe(536_870_912);
  });

  test.each(['0', '-1', '1.5', 'much', '1048577'])('take no memory of %s MiB for states', (size) => {
    expect(() => readSettings({ LODE_STATE_CACHE_MIB: size })).toThrow(
      `LODE_STATE_CACHE_MIB must be a whole number of MiB from 1 to 1048576, not "${size}".`,
    );
  });

  test('take a password policy', () => {
    const env = {
      LODE_PASSWORD_MIN: '8',
      LODE_PASSWORD_MAX: '64',
      LODE_PASSWORD_REQUIRES: 'numeric, non-alphanumeric',
    };
    expect(readSettings(env).passwordPolicy).toEqual({
      minLength: 8,
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
    [
      { LODE_PROXIES: 'everybody' },
      'LODE_PROXIES must be addresses or networks of proxies, parted by commas, not "everybody".',
    ],
    [{ LODE_PASSWORD_MIN: '5' }, 'LODE_PASSWORD_MIN must be a whole number from 6 to 256, not "5".'],
    [{ LODE_PASSWORD_MAX: 'x' }, 'LODE_PASSWORD_MAX must be a whole number from 6 to 256, not "x".'],
    [
      { LODE_PASSWORD_REQUIRES: 'emoji' },
      'LODE_PASSWORD_REQUIRES must be some of lowercase, uppercase, numeric, non-alphanumeric, parted by commas, not "emoji".',
    ],
    [
      { LODE_PASSWORD_MIN: '9', LODE_PASSWORD_MAX: '8' },
      'LODE_PASSWORD_MAX must not be below LODE_PASSWORD_MIN.',
    ],
  ])('refuse %j in one sentence', (env, sentence) => {
    expect(() => readSettings(env)).toThrow(sentence);
  });
});
