import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CreateBucketCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { freePort } from '#kernel/testing/port';

const ACCESS = 'lode-tests';
/** Has what must be written otherwise in an address. */
const SECRET = 'a/secret+of%tests';
const LOOK_EVERY_MS = 20;

/** The versitygw on this machine, or undefined: then nothing runs against an object store, and the run says so. */
export function findVersitygw(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = folders.map((folder) => join(folder, 'versitygw')).find(existsSync);
  if (found !== undefined) return found;
  const goPath = spawnSync('go', ['env', 'GOPATH'], { encoding: 'utf8' }).stdout?.trim();
  const built = join(goPath ?? '', 'bin', 'versitygw');
  return goPath && existsSync(built) ? built : undefined;
}

/** A bucket and what is in it. */
export type TestBucket = {
  /** Its `S3_URL`, by whatever port the store is reached. */
  readonly url: (over?: {
    readonly port?: number;
    readonly secret?: string;
    readonly bucket?: string;
  }) => string;
  readonly name: string;
  /** The keys in it, sorted. */
  readonly keys: () => Promise<readonly string[]>;
  /** The file on the disk that holds an object. */
  readonly fileOf: (key: string) => string;
};

/** An object store of its own on a free port, in a folder that goes with it. */
export type Versitygw = {
  readonly port: number;
  readonly secret: string;
  /** Where it keeps what is in its buckets, an object a file. */
  readonly folder: string;
  readonly createBucket: () => Promise<TestBucket>;
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  readonly pause: () => void;
  readonly resume: () => void;
  readonly close: () => Promise<void>;
};

/** Starts one. Throws when there is no versitygw on this machine. */
export async function startVersitygw(): Promise<Versitygw> {
  const binary = findVersitygw();
  if (binary === undefined) throw new Error('there is no versitygw here');
  const folder = mkdtempSync(join(tmpdir(), 'lode-s3-'));
  const port = await freePort();
  const client = new S3Client({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: ACCESS, secretAccessKey: SECRET },
  });
  let child: ChildProcess | undefined;
  const start = async () => {
    const settings = ['--quiet', '--access', ACCESS, '--secret', SECRET, '--port', `127.0.0.1:${port}`];
    child = spawn(binary, [...settings, 'posix', folder], { stdio: 'ignore' });
    await answers(port, child);
  };
  const kill = async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  await start();
  let buckets = 0;
  return {
    port,
    secret: SECRET,
    folder,
    createBucket: async () => {
      buckets += 1;
      const name = `lode-${buckets}`;
      await client.send(new CreateBucketCommand({ Bucket: name }));
      return {
        name,
        url: ({ port: other = port, secret = SECRET, bucket = name } = {}) =>
          `http://${ACCESS}:${encodeURIComponent(secret)}@127.0.0.1:${other}/${bucket}`,
        keys: async () => {
          const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: name }));
          return Contents.map(({ Key = '' }) => Key).sort();
        },
        fileOf: (key) => join(folder, name, key),
      };
    },
    kill,
    start,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    close: async () => {
      client.destroy();
      await kill();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Resolves when a program that was just started answers on its port. */
async function answers(port: number, child: ChildProcess): Promise<void> {
  const looked = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
  while (!(await looked())) {
    const end = child.exitCode ?? child.signalCode;
    if (end !== null) throw new Error(`versitygw ended with ${end}`);
    await setTimeout(LOOK_EVERY_MS);
  }
}

/** What stands between the store's client and the store, and does to their connections what a network may do. */
export type Proxy = {
  readonly port: number;
  /** Does something once a connection has sent as many bytes; the rest of what it sends comes after that. */
  readonly onceSent: (bytes: number, then: () => Promise<void>) => Promise<void>;
  /** Ends the connection of the next answer in place of giving it. */
  readonly loseNextAnswer: () => void;
  /** Ends the connection of every request that begins with one of these, in place of passing it on. */
  readonly breakAt: (beginnings: readonly string[]) => void;
  /** Connections that the client or the store has not ended. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
};

/** Listens on a free port, and connects whoever comes with `target`. */
export async function startProxy(target: number): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let watch: { readonly bytes: number; readonly then: () => void } | undefined;
  let losesAnswer = false;
  let broken: readonly string[] = [];
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    }
    let sent = 0;
    client.on('data', (chunk) => {
      sent += chunk.length;
      if (watch !== undefined && sent >= watch.bytes) {
        watch.then();
        watch = undefined;
      }
      const isBroken = broken.some((beginning) =>
        chunk.subarray(0, beginning.length).equals(Buffer.from(beginning)),
      );
      if (isBroken || upstream.destroyed) client.destroy();
      else if (!upstream.write(chunk)) client.pause();
    });
    upstream.on('drain', () => client.resume());
    upstream.on('data', (chunk) => {
      if (losesAnswer) {
        losesAnswer = false;
        client.destroy();
      } else if (!client.write(chunk)) upstream.pause();
    });
    client.on('drain', () => upstream.resume());
    // What was sent is sent, also when its sender has gone.
    client.on('close', () => upstream.end());
    // The store ends the connection after each answer, when the rest of the answer may still be on its way.
    upstream.on('close', (hadError) => (hadError ? client.destroy() : client.end()));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    onceSent: (bytes, then) =>
      new Promise((resolve, reject) => {
        watch = { bytes, then: () => void then().then(resolve, reject) };
      }),
    loseNextAnswer: () => {
      losesAnswer = true;
    },
    breakAt: (beginnings) => {
      broken = beginnings;
    },
    connections: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
