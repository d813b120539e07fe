import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { findVersitygw } from '#files/s3/testing';
import { lackingRedis, redisServer } from '#jobs/bullmq/testing';
import { describeWhere } from '#kernel/testing';
import { serverNames, startServers } from './servers.js';

const lacking = [
  ...(redisServer === undefined ? [lackingRedis] : []),
  ...(findVersitygw() === undefined ? ['no versitygw'] : []),
];

/** Whether somebody takes connections at an address. */
async function listens(url: string): Promise<boolean> {
  const [, port = ''] = /127\.0\.0\.1:(\d+)/.exec(url) ?? [];
  const socket = connect(Number(port), '127.0.0.1');
  const answer = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return answer;
}

describeWhere(lacking.length === 0, 'the servers that tests start (double)', lacking.join(', '), () => {
  test.each(serverNames)('%s is where it was after a kill and a start, and stops for good', async (name) => {
    const servers = await startServers([name]);
    try {
      const { url, variable, kill, start } = servers.get(name);
      expect(servers.env).toEqual({ [variable]: url });
      expect(await listens(url)).toBe(true);
      await kill();
      expect(await listens(url)).toBe(false);
      await start();
      expect(await listens(url)).toBe(true);
      await servers.stop();
      expect(await listens(url)).toBe(false);
    } finally {
      await servers.stop();
    }
  });

  test.each(serverNames)('%s that was paused can be killed and started', async (name) => {
    const servers = await startServers([name]);
    try {
      const { url, kill, pause, resume, start } = servers.get(name);
      await pause();
      await resume();
      await pause();
      await kill();
      await start();
      expect(await listens(url)).toBe(true);
    } finally {
      await servers.stop();
    }
  });
});
