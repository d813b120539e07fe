import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemRandom, systemTimers } from '#kernel';
import { parseS3Url } from './address.js';
import { s3Limits } from './limits.js';
import { createObjects, type Objects } from './objects.js';

/** How far the store's time is from this machine's, and how far a request's may be from it. */
const AWAY_MS = 400 * 24 * 60 * 60_000;
const TOLERANCE_MS = 15 * 60_000;

/** An instant such as 20260101T000000Z. */
const instantOf = (text: string) =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

describe('a store in another time', () => {
  let server: Server;
  let objects: Objects;
  let takesKeys: boolean;
  /** Of each request, whether it was signed with the store's time. */
  let asked: boolean[];
  beforeEach(async () => {
    takesKeys = true;
    asked = [];
    server = createServer((request, response) => {
      const now = Date.now() - AWAY_MS;
      const isInTime = Math.abs(instantOf(String(request.headers['x-amz-date'])) - now) < TOLERANCE_MS;
      asked.push(isInTime);
      response.writeHead(isInTime && takesKeys ? 200 : 403, { Date: new Date(now).toUTCString() }).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    objects = createObjects({
      address: parseS3Url(`http://KEY:SECRET@127.0.0.1:${port}/lode`),
      limits: { ...s3Limits, retry: { firstMs: 1, lastMs: 2, jitter: 0 } },
      timers: systemTimers,
      random: systemRandom,
    });
  });
  afterEach(async () => {
    objects.close();
    server.close();
    await once(server, 'close');
  });

  test('is asked by its time once it has answered', async () => {
    await objects.check();
    await objects.check();
    expect(asked).toEqual([false, true, true]);
  });

  test('that refuses the keys is asked by its time, and no further', async () => {
    takesKeys = false;
    await expect(objects.check()).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringContaining('refuses the keys of S3_URL'),
    });
    expect(asked).toEqual([false, true]);
    await expect(objects.check()).rejects.toMatchObject({ code: 'storage_failed' });
    expect(asked).toEqual([false, true, true, true]);
  });
});
