import { Redis, ReplyError } from 'ioredis';
import { isLodeError, LodeError, serializeError, withoutUserInfo } from '#kernel';
import { checkRedisAddress, redisOptions, type RedisTimes } from '#redis';
import { checkServer, sayRefusal } from './server.js';

/** A connection to a Redis that is fit for the jobs. */
export type RedisConnection = {
  readonly client: Redis;
  /** Does what asks Redis for something; whatever fails there is thrown as `unavailable`. */
  readonly guarded: <T>(work: () => Promise<T>) => Promise<T>;
  /** Whether that is what a Redis failed with that could not be reached, and not what one answered. */
  readonly isAway: (error: unknown) => boolean;
  /**
   * Calls the listener with what the first command failed with that did not reach Redis, and with nothing once one does
   * again: each time that it goes and comes back, and not for each command meanwhile.
   */
  readonly onOutage: (listener: (failure: LodeError | undefined) => void) => void;
  /** Calls the listener each time that Redis is there again. */
  readonly onReconnected: (listener: () => void) => void;
  readonly close: () => void;
};

export type ConnectionOptions = RedisTimes & {
  readonly url: string;
  /**
   * One that can't be reached yet is waited for: what is asked of it fails until it is there. Whether it is fit for the jobs is
   * not looked at then.
   */
  readonly mayBeAway?: boolean;
};

/**
 * Connects to a Redis. Throws `unavailable` when it can't be reached, and `storage_failed` when somebody has to change
 * something first: the address, the password, or how the server is set up.
 */
export async function connectRedis(options: ConnectionOptions): Promise<RedisConnection> {
  const { url, mayBeAway = false } = options;
  const address = withoutUserInfo(url);
  checkRedisAddress(url, address);
  const client = new Redis(url, redisOptions(options));
  // Why commands fail while there is no connection; without a listener ioredis writes it to the console.
  let last: Error | undefined;
  client.on('error', (error: Error) => {
    last = error;
  });

  const failed = (error: unknown): LodeError => {
    if (isLodeError(error)) return error;
    const message =
      client.status !== 'ready' && last !== undefined ? last.message : serializeError(error).message;
    const what = isUnreached(error)
      ? 'cannot be reached'
      : error instanceof ReplyError
        ? 'refuses a command'
        : 'was not asked';
    // The client's own error holds its command, and that may hold the password: it is no cause of ours.
    const told = "The store of jobs can't be reached.";
    return new LodeError('unavailable', `Redis at ${address} ${what}: ${message}`, {}, { told });
  };
  const outages = watchOutages();
  client.on('ready', outages.ended);
  let wasThere = false;
  client.once('ready', () => (wasThere = true));
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    // BullMQ would wait for the first connection for as long as there is none.
    if (!wasThere) throw failed(new Error(NEVER_THERE));
    const begun = outages.begin();
    try {
      const done = await work();
      begun.succeeded();
      return done;
    } catch (error) {
      const failure = failed(error);
      if (isUnreached(error)) outages.met(failure);
      throw failure;
    }
  };

  try {
    await client.connect();
    checkServer(await client.info(), address);
  } catch (error) {
    const refusal = sayRefusal(last ?? error, address) ?? failed(error);
    if (!mayBeAway || refusal.code !== 'unavailable') {
      client.disconnect();
      throw refusal;
    }
  }
  return {
    client,
    guarded,
    isAway: outages.isMet,
    onOutage: outages.onOutage,
    onReconnected: (listener) => void client.on('ready', listener),
    close: () => {
      outages.close();
      client.disconnect();
    },
  };
}

/** What is thrown in place of the client's own error while there has been no connection yet. */
const NEVER_THERE = 'Connection is closed.';

/** What the client rejects commands with that did not reach Redis, or to which no answer came; it gives them no code. */
const UNREACHED = new Set([
  'Command timed out',
  NEVER_THERE,
  "Stream isn't writeable and enableOfflineQueue options is false",
]);

/** Whether an error is one of the connection: of a socket, or of a command that was cut off or not answered in time. */
export function isUnreached(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'MaxRetriesPerRequestError' || 'syscall' in error) return true;
  return UNREACHED.has(error.message) || error.message.startsWith('Socket timeout.');
}

/**
 * Tells once that Redis is away, and once that it is back: by a connection that is made again, or by something that went
 * well and began after the last failure, so that what was under way beside a failure says nothing of it.
 */
export function watchOutages() {
  const listeners: ((failure: LodeError | undefined) => void)[] = [];
  const failures = new WeakSet<object>();
  let isAway = false;
  let met = 0;
  const ended = () => {
    if (isAway) tell(undefined);
  };
  const tell = (failure: LodeError | undefined) => {
    isAway = failure !== undefined;
    for (const listener of listeners) listener(failure);
  };
  return {
    met: (failure: LodeError) => {
      failures.add(failure);
      met += 1;
      if (!isAway) tell(failure);
    },
    ended,
    /** Called before something is asked for; what it returns is told when that went well. */
    begin: () => {
      const before = met;
      return {
        succeeded: () => {
          if (met === before) ended();
        },
      };
    },
    isMet: (error: unknown) => typeof error === 'object' && error !== null && failures.has(error),
    onOutage: (listener: (failure: LodeError | undefined) => void) => void listeners.push(listener),
    /** What fails from now on was cut off here. */
    close: () => void listeners.splice(0),
  };
}
