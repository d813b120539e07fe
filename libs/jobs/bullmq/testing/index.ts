import { Redis } from 'ioredis';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#kernel/testing/port';

/** Where a redis-server may be; `REDIS_SERVER` names another. */
const PROGRAMS = ['/usr/bin/redis-server', '/usr/local/bin/redis-server'];

/** The redis-server on this machine, or undefined: then nothing runs on it, and the run says so. */
export const redisServer = [process.env['REDIS_SERVER'], ...PROGRAMS].find(
  (path) => path !== undefined && existsSync(path),
);

/** What is said where there is none. */
export const lackingRedis = 'no redis-server, 6.2 or later; REDIS_SERVER may name one';

/** A redis-server of a test's own, on a free port, which keeps nothing on the disk. */
export type TestRedis = {
  readonly port: number;
  readonly url: string;
  /** Everything in it is lost. */
  readonly flush: () => Promise<void>;
  /** Everything in it, as the bytes of its own file, nothing compressed. */
  readonly dump: () => Promise<Buffer>;
  /** Dies without a word, and everything in it is lost. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Answers nobody until it is resumed. */
  readonly pause: () => Promise<void>;
  readonly resume: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Starts a redis-server with further options, such as `['--requirepass', 'secret']`. */
export async function startRedis(options: readonly string[] = []): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'lode-redis-'));
  const port = await freePort();
  let server = await run(port, folder, options);
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  };
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    flush: async () => {
      const client = new Redis(port, '127.0.0.1');
      await client.flushall();
      client.disconnect();
    },
    dump: async () => {
      const client = new Redis(port, '127.0.0.1');
      await client.config('SET', 'rdbcompression', 'no');
      await client.save();
      client.disconnect();
      return readFileSync(join(folder, 'dump.rdb'));
    },
    kill,
    start: async () => {
      server = await run(port, folder, options);
    },
    pause: async () => void server.kill('SIGSTOP'),
    resume: async () => void server.kill('SIGCONT'),
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs the program, and waits until it takes connections. */
async function run(port: number, folder: string, options: readonly string[]): Promise<ChildProcess> {
  const settings = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  const server = spawn(redisServer ?? '', ['--port', `${port}`, ...settings, ...options], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let said = '';
  for await (const text of server.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    said += String(text);
    if (!said.includes('Ready to accept connections')) continue;
    server.stdout.resume();
    return server;
  }
  throw new Error(`redis-server did not start: ${said}`);
}
