import { afterEach, expect, test } from '@jest/globals';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join as pathOf } from 'node:path';
import { startDouble as startEventStore } from '#event-store/eventstoredb/double';
import { findVersitygw } from '#files/s3/testing';
import { lackingRedis, redisServer } from '#jobs/bullmq/testing';
import { describeWhere, lacking } from '#kernel/testing';
import { freePort } from '#kernel/testing/port';
import { startDouble as startMongoDb } from '#mongodb/double';
import {
  dataFolder,
  join,
  killAll,
  makeSecrets,
  startProgram,
  startService,
  upload,
  type Listening,
} from '../testing/index.js';

/* The addresses and passwords that the containers get, with the servers that are here in place of their images. */

const versitygw = findVersitygw();
const isHere = versitygw !== undefined && redisServer !== undefined;
const WHAT =
  'Lode with the secrets of its containers, on EventStoreDB and MongoDB (double), Redis and versitygw';

describeWhere(isHere, WHAT, `${lacking('s3')}, or ${lackingRedis}`, () => {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });

  /** Starts a service of the compose file, until the test ends. */
  async function start(name: string, replaced: Readonly<Record<string, string>>): Promise<void> {
    const child: ChildProcess = await startService(name, replaced);
    closing.push(async () => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    });
  }

  test('is let in everywhere, stores a file in the bucket, and prints no secret', async () => {
    const folder = dataFolder();
    closing.push(async () => folder.remove());
    const secrets = pathOf(folder.path, 'secrets');
    await makeSecrets(secrets);
    const secret = (name: string) => readFileSync(pathOf(secrets, name), 'utf8').trim();

    const fileWith = (name: string, content: string) => {
      const file = pathOf(folder.path, name);
      writeFileSync(file, content);
      return file;
    };

    const password = secret('eventstore_password');
    const [key, certificate] = ['eventstore_key', 'eventstore_certificate'].map((name) =>
      Buffer.from(secret(name)),
    );
    if (key === undefined || certificate === undefined) throw new Error('there is no certificate');
    const access = { name: 'admin', password, letsAnybodyWrite: false };
    const eventStore = await startEventStore({ release: '22.6', tls: { key, certificate }, access });
    closing.push(() => eventStore.stop());
    const mongoDb = await startMongoDb();
    closing.push(() => mongoDb.stop());
    const [redisPort, s3Port] = [String(await freePort()), String(await freePort())];
    await start('redis', {
      '/run/secrets/redis_settings': fileWith(
        'redis_settings',
        `${secret('redis_settings')}\nport ${redisPort}\n`,
      ),
      'redis-cli': `redis-cli -p ${redisPort}`,
    });
    const data = pathOf(folder.path, 's3');
    // As the Dockerfile makes the bucket.
    mkdirSync(pathOf(data, 'lode'), { recursive: true });
    await start('s3', {
      '/run/secrets/': `${secrets}/`,
      '/app/versitygw': versitygw ?? '',
      ' /data': ` ${data}`,
      '7070': s3Port,
    });

    const portIn = (url: string) => new URL(url.replace(/^\w+:/, 'http:')).port;
    const at = (name: string, port: string) =>
      fileWith(name, secret(`local/${name}`).replace(/localhost:\d+/, `localhost:${port}`));
    const programs: Listening[] = [];
    closing.push(() => killAll(programs));
    const program = await startProgram(pathOf(folder.path, 'data'), {
      EVENTSTORE_URL_FILE: at('eventstore_url', portIn(eventStore.url)),
      // The double knows no users.
      MONGODB_URL_FILE: fileWith('mongodb_url', `mongodb://localhost:${portIn(mongoDb.url)}/lode`),
      REDIS_URL_FILE: at('redis_url', redisPort),
      S3_URL_FILE: at('s3_url', s3Port),
    });
    programs.push(program);
    const fileId = await upload(await join(program.visitor, 'Ann'));
    expect(readdirSync(pathOf(data, 'lode'))).toContain(fileId);
    const printed = program.printed.out + program.printed.err;
    for (const name of ['eventstore_password', 's3_secret']) expect(printed).not.toContain(secret(name));
  });
});
