import type { RedisOptions } from 'ioredis';
import { delay, LodeError, type Random } from '#kernel';

export type RedisTimes = {
  readonly random: Random;
  /** Milliseconds in which Redis has to answer. */
  readonly timeoutMs: number;
};

/** How long Redis may take to answer where nothing else is asked for, in milliseconds. */
export const REDIS_TIMEOUT_MS = 5_000;

/** First and longest pause between two tries to connect; a part is drawn, so that programs don't come all at once. */
const RECONNECT = { firstMs: 50, lastMs: 5_000, jitter: 0.5 };

/** How long a server may take to close a connection; the process stays alive for it, also when it is closed already. */
const DISCONNECT_MS = 100;

/**
 * How Lode speaks to Redis, in one place. Nothing waits for a Redis that is away: it fails, and whoever asked looks again.
 *
 * BullMQ wants connections that block to retry for ever. None of these does: runs are fetched without blocking. It also
 * refuses a `keyPrefix`; its own `prefix` is set on the queues.
 */
export function redisOptions({ random, timeoutMs }: RedisTimes) {
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
    // One that became a replica answers all but writes, for as long as the connection is kept: another one leads to the primary.
    reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
  } satisfies RedisOptions;
}

/** Refuses with `storage_failed` what is no address of a Redis. `shown` is the address as it may be shown. */
export function checkRedisAddress(url: string, shown: string): void {
  // The client would take settings from behind a ?, before those that are made here.
  if (/^rediss?:\/\/[^?]+$/.test(url) && URL.canParse(url)) return;
  throw new LodeError(
    'storage_failed',
    `${shown} is no address of a Redis. One looks like redis://name:password@host:6379/0, or rediss:// for TLS, with nothing behind it.`,
  );
}
