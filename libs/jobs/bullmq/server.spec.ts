import { expect, test } from '@jest/globals';
import { checkServer, sayRefusal } from './server.js';

const info = (version: string, policy = 'noeviction') =>
  ['# Server', `redis_version:${version}`, '', '# Memory', `maxmemory_policy:${policy}`, ''].join('\r\n');
const check = (text: string) => () => checkServer(text, 'redis://host');

test.each(['6.2.0', '6.2.14', '7.0.15', '8.2.1', '10.0'])('a Redis %s is taken', (version) => {
  expect(check(info(version))).not.toThrow();
});

test.each(['6.0.16', '5.0.7', '3', 'unknown'])('a Redis %s is refused', (version) => {
  expect(check(info(version))).toThrow(
    `Redis at redis://host has version ${version}, and 6.2 is the oldest that works.`,
  );
});

test('one that says nothing of its version is refused', () => {
  expect(check('')).toThrow('Redis at redis://host has version unknown');
});

test.each(['allkeys-lru', 'volatile-ttl'])('one that evicts by %s is refused', (policy) => {
  expect(check(info('7.0.15', policy))).toThrow(`(maxmemory-policy ${policy})`);
});

test('a name that may do nothing is told apart from a server that is away', () => {
  const denied = new Error("NOPERM User lode has no permissions to run the 'info' command");
  expect(sayRefusal(denied, 'redis://host')).toMatchObject({
    code: 'storage_failed',
    message: 'Redis at redis://host does not let this name do what the jobs need.',
  });
  expect(sayRefusal(new Error('connect ECONNREFUSED'), 'redis://host')).toBeUndefined();
});
