import { describe, expect, test } from '@jest/globals';
import { everyPart, nameOf, refuseLackingServers } from './parts.js';

const none = { eventStoreUrl: undefined, mongodbUrl: undefined, redisUrl: undefined, s3Url: undefined };
const all = {
  eventStoreUrl: 'esdb://a',
  mongodbUrl: 'mongodb://a',
  redisUrl: 'redis://a',
  s3Url: 'http://a',
};

describe('a program of one part', () => {
  test.each([
    ['api', 'EVENTSTORE_URL, MONGODB_URL, S3_URL'],
    ['projector', 'EVENTSTORE_URL, MONGODB_URL, S3_URL'],
    ['worker', 'EVENTSTORE_URL, MONGODB_URL, S3_URL, REDIS_URL'],
  ] as const)('that is the %s names every server that it lacks at once', (part, names) => {
    expect(() => refuseLackingServers(part, none)).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        message: expect.stringContaining(`Not set: ${names}.`),
      }),
    );
    refuseLackingServers(part, all);
  });

  test('needs Redis as the worker alone', () => {
    const withoutRedis = { ...all, redisUrl: undefined };
    refuseLackingServers('api', withoutRedis);
    refuseLackingServers('projector', withoutRedis);
    expect(() => refuseLackingServers('worker', withoutRedis)).toThrow(/Not set: REDIS_URL\./);
  });
});

test('a program says which part of Lode it is, and all of it by the name alone', () => {
  expect([nameOf(everyPart), nameOf(['worker'])]).toEqual(['Lode', 'Lode (worker)']);
});
