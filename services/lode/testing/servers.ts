import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentsOf, filesBelow, type Kept } from './kept.js';

/** The servers that a program may stand on, each in place of what it would have in its folder. */
export const serverNames = ['eventstore', 'mongodb', 'redis', 's3'] as const;
export type ServerName = (typeof serverNames)[number];

/** A server of a test's own, as a process, and what may become of it. */
export type Server = {
  /** A double speaks the server's protocol and is no proof of the server. */
  readonly kind: 'double' | 'server';
  readonly variable: 'EVENTSTORE_URL' | 'MONGODB_URL' | 'REDIS_URL' | 'S3_URL';
  readonly url: string;
  /** Dies without a word. What it holds for good is there when it is started again: Redis holds nothing so. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Answers nobody until it is resumed; its connections stay. */
  readonly pause: () => void | Promise<void>;
  readonly resume: () => void | Promise<void>;
  /** Empties it, where Lode can lose everything that is in it: Redis. */
  readonly reset: (() => Promise<void>) | undefined;
  /** All that it gives to whoever asks for everything, or all of its files. */
  readonly kept: () => Promise<readonly Kept[]>;
  readonly stop: () => Promise<void>;
};

/** The database of a program whose address names none. */
export const DATABASE = 'lode';

/** Servers of a test's own, empty. */
export type Servers = {
  readonly get: (name: ServerName) => Server;
  /** What a program is told of them. */
  readonly env: Readonly<Record<string, string>>;
  /** What the doubles keep. */
  readonly folder: string;
  readonly stop: () => Promise<void>;
};

/** How each is started; its client and its double are loaded by whoever starts one, since most tests stand on none. */
const starting: { readonly [Name in ServerName]: (folder: string) => Promise<Server> } = {
  eventstore: async (folder) => {
    const { spawnDouble } = await import('#event-store/eventstoredb/double');
    const double = await spawnDouble(join(folder, 'eventstoredb'));
    return {
      kind: 'double',
      variable: 'EVENTSTORE_URL',
      url: double.url,
      kill: double.kill,
      start: double.revive,
      pause: double.freeze,
      resume: double.thaw,
      reset: undefined,
      kept: async () => filesBelow(folder).filter(({ where }) => where.startsWith('eventstoredb')),
      stop: double.kill,
    };
  },
  mongodb: async (folder) => {
    const { spawnDouble } = await import('#mongodb/double');
    const double = await spawnDouble(join(folder, 'mongodb'), 'rs0');
    return {
      kind: 'double',
      variable: 'MONGODB_URL',
      url: double.url(),
      kill: double.kill,
      start: double.revive,
      pause: double.freeze,
      resume: double.thaw,
      reset: undefined,
      kept: () => documentsOf(double.url(), DATABASE),
      stop: double.kill,
    };
  },
  redis: async () => {
    const { startRedis } = await import('#jobs/bullmq/testing');
    const { flush: reset, dump, ...server } = await startRedis();
    const kept = async () => [{ where: 'redis', content: await dump() }];
    return { ...server, kind: 'server', variable: 'REDIS_URL', reset, kept };
  },
  s3: async () => {
    const { startVersitygw } = await import('#files/s3/testing');
    const { folder, createBucket, kill, start, pause, resume, close } = await startVersitygw();
    const url = (await createBucket()).url();
    return {
      kind: 'server',
      variable: 'S3_URL',
      url,
      kill,
      start,
      pause,
      resume,
      reset: undefined,
      kept: async () => filesBelow(folder),
      stop: close,
    };
  },
};

/** Starts empty servers. Fails where a program that is needed is not on this machine. */
export async function startServers(names: readonly ServerName[]): Promise<Servers> {
  const folder = mkdtempSync(join(tmpdir(), 'lode-servers-'));
  const started = new Map<ServerName, Server>();
  let stopping: Promise<void> | undefined;
  const stopAll = async () => {
    for (const server of started.values()) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (const name of names) started.set(name, await starting[name](folder));
  } catch (error) {
    await stopAll();
    throw error;
  }
  return {
    get: (name) => {
      const server = started.get(name);
      if (server === undefined) throw new Error(`${name} was not started`);
      return server;
    },
    env: Object.fromEntries([...started.values()].map(({ variable, url }) => [variable, url])),
    folder,
    stop: () => (stopping ??= stopAll()),
  };
}
