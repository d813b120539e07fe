import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { bellLimits, type Bell } from '#bell';
import { describeBell } from '#bell/contract';
import { openRedisBell } from '#bell/redis';
import { lackingRedis, redisServer, startRedis, type TestRedis } from '#jobs/bullmq/testing';
import { systemRandom, systemTimers } from '#kernel';
import { describeWhere, until } from '#kernel/testing';

const PREFIX = 'lode:a-log';
const CHANNEL = `${PREFIX}:bell:documents`;
/** Rings while Redis says nothing. */
const MANY = 100_000;

/** Bells that are closed with their test. */
let opened: readonly Bell[] = [];
const open = (url: string, prefix = PREFIX): Bell => {
  const bell = openRedisBell({ url, prefix, random: systemRandom, timers: systemTimers });
  opened = [...opened, bell];
  return bell;
};
const connected = async (url: string, prefix = PREFIX): Promise<Bell> => {
  const bell = open(url, prefix);
  await until(() => bell.isConnected());
  return bell;
};
const closeAll = async () => {
  await Promise.all(opened.map((bell) => bell.close()));
  opened = [];
};

describeWhere(redisServer !== undefined, 'a bell on Redis', lackingRedis, () => {
  let redis: TestRedis;
  let owned: readonly TestRedis[] = [];
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());
  afterEach(async () => {
    await closeAll();
    await Promise.all(owned.map((own) => own.stop()));
    owned = [];
  });
  const startOwn = async (options?: readonly string[]) => {
    const own = await startRedis(options);
    owned = [...owned, own];
    return own;
  };

  describeBell('Redis', async () => ({
    open: () => connected(redis.url),
    openOther: () => connected(redis.url, 'lode:another-log'),
    cleanUp: closeAll,
  }));

  /** How often a bell is heard from now on. */
  const heardBy = (bell: Bell) => {
    const heard = { times: 0 };
    bell.on('documents', () => (heard.times += 1));
    return heard;
  };

  test('is opened while Redis is away, without an error and a word, and heard once it is there; so after each time that it goes', async () => {
    const own = await startOwn();
    await own.kill();
    const [ringing, hearing] = [open(own.url), open(own.url)];
    const heard = heardBy(hearing);
    for (let times = 0; times < 2; times += 1) {
      expect(hearing.isConnected()).toBe(false);
      ringing.ring('documents');
      await own.start();
      // It may have missed some: it is heard without a ring.
      const before = heard.times;
      await until(() => hearing.isConnected() && heard.times > before);
      await until(() => ringing.isConnected());
      const { times: connectedAt } = heard;
      await until(() => {
        ringing.ring('documents');
        return heard.times > connectedAt;
      });
      await own.kill();
      await until(() => !hearing.isConnected() && !ringing.isConnected());
    }
  });

  test('keeps little while Redis is slow, and rings once it goes on', async () => {
    const own = await startOwn();
    const [ringing, hearing] = [await connected(own.url), await connected(own.url)];
    const heard = heardBy(hearing);
    const admin = new Redis(own.url);
    await admin.ping();
    await own.pause();
    for (let n = 0; n < MANY; n += 1) ringing.ring('documents');
    expect(heard.times).toBe(0);
    await own.resume();
    await until(() => heard.times > 0);
    // One that was under way, and one that waited.
    const published = Number(/cmdstat_publish:calls=(\d+)/.exec(await admin.info('commandstats'))?.[1]);
    expect(published).toBeLessThanOrEqual(2);
    admin.disconnect();
  });

  test('takes from a stranger whatever is rung, as a ring, and seldom', async () => {
    const hearing = await connected(redis.url);
    const heard = heardBy(hearing);
    const stranger = new Redis(redis.url);
    const from = performance.now();
    for (const garbage of ['', '\0', '{"position":', 'x'.repeat(1_000_000)])
      for (let n = 0; n < 100; n += 1)
        await Promise.all([
          stranger.publish(CHANNEL, garbage),
          stranger.publish(`${PREFIX}:bell:x`, garbage),
        ]);
    await until(() => heard.times > 1);
    expect(heard.times).toBeLessThanOrEqual((performance.now() - from) / bellLimits.everyMs + 2);
    expect(hearing.isConnected()).toBe(true);
    stranger.disconnect();
  });

  test('is silent where its name may neither ring nor listen', async () => {
    const own = await startOwn();
    const admin = new Redis(own.url);
    await admin.call('ACL', 'SETUSER', 'lode', 'on', '>secret', '~*', '+@all', 'resetchannels');
    const refused = await (async () => open(own.url.replace('//', '//lode:secret@')))();
    for (let n = 0; n < 3; n += 1) refused.ring('documents');
    await until(async () => String(await admin.call('ACL', 'LOG')).includes('channel'));
    expect(refused.isConnected()).toBe(false);
    admin.disconnect();
  });

  test('refuses what is no address', () => {
    expect(() => open('http://:hunter2@127.0.0.1')).toThrow(
      'http://127.0.0.1 is no address of a Redis. One looks like redis://name:password@host:6379/0',
    );
  });
});
