import { Redis, ReplyError, type RedisOptions } from 'ioredis';
import { delay, isLodeError, LodeError, serializeError, withoutUserInfo, type Random } from '#kernel';
import { checkServer, sayRefusal } from './server.js';

/** A connection to a Redis that is fit for the jobs. */
export type RedisConnection = {
  readonly client: Redis;
  /** Does what asks Redis for something; whatever fails there is thrown as `unavailable`. */
  readonly guarded: <T>(work: () => Promise<T>) => Promise<T>;
  /** Calls the listener each time that Redis is there again. */
  readonly onReconnected: (listener: () => void) => void;
  readonly close: () => void;
};

export type ConnectionOptions = {
  readonly url: string;
  readonly random: Random;
  /** Milliseconds in which Redis has to answer. */
  readonly timeoutMs: number;
};

/** First and longest pause between two tries to connect; a part is drawn, so that programs don't come all at once. */
const RECONNECT = { firstMs: 50, lastMs: 5_000, jitter: 0.5 };

/** How long a server may take to close a connection; the process stays alive for it, also when it is closed already. */
const DISCONNECT_MS = 100;

/**
 * How Lode speaks to Redis, in one place. Nothing waits for a Redis that is away: it fails, and the next look at what is
 * due tries it again.
 *
 * BullMQ wants connections that block to retry for ever. None of these does: runs are fetched without blocking. It also
 * refuses a `keyPrefix`; its own `prefix` is set on the queues.
 */
function settings({ random, timeoutMs }: ConnectionOptions) {
  return {
    lazyConnect: true,
    // Ready is a server that has loaded what it kept.
    enableReadyCheck: true,
    // What can't be sent now fails now, and what was sent fails with the connection: whether it was done is seen later.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    disconnectTimeout: DISCONNECT_MS,
    // A connection on which nothing has come for so long is given up, though nobody closed it.
    socketTimeout: 2 * timeoutMs,
    retryStrategy: (times: number) => delay(times, RECONNECT, random),
  } satisfies RedisOptions;
}

/**
 * Connects to a Redis. Throws `unavailable` when it can't be reached, and `storage_failed` when somebody has to change
 * something first: the address, the password, or how the server is set up.
 */
export async function connectRedis(options: ConnectionOptions): Promise<RedisConnection> {
  const { url } = options;
  const address = withoutUserInfo(url);
  checkAddress(url, address);
  const client = new Redis(url, settings(options));
  // Why commands fail while there is no connection; without a listener ioredis writes it to the console.
  let last: Error | undefined;
  client.on('error', (error: Error) => {
    last = error;
  });

  const failed = (error: unknown): LodeError => {
    if (isLodeError(error)) return error;
    const message =
      client.status !== 'ready' && last !== undefined ? last.message : serializeError(error).message;
    const what = error instanceof ReplyError ? 'refuses a command' : 'cannot be reached';
    // The client's own error holds its command, and that may hold the password: it is no cause of ours.
    const told = "The store of jobs can't be reached.";
    return new LodeError('unavailable', `Redis at ${address} ${what}: ${message}`, {}, { told });
  };
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw failed(error);
    }
  };

  try {
    await client.connect();
    checkServer(await client.info(), address);
  } catch (error) {
    client.disconnect();
    throw sayRefusal(last ?? error, address) ?? failed(error);
  }
  return {
    client,
    guarded,
    onReconnected: (listener) => void client.on('ready', listener),
    close: () => client.disconnect(),
  };
}

function checkAddress(url: string, address: string): void {
  // The client would take settings from behind a ?, before those that are made here.
  if (/^rediss?:\/\/[^?]+$/.test(url) && URL.canParse(url)) return;
  throw new LodeError(
    'storage_failed',
    `${address} is no address of a Redis. One looks like redis://name:password@host:6379/0, or rediss:// for TLS, with nothing behind it.`,
  );
}
