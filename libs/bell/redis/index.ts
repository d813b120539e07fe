import { Redis } from 'ioredis';
import {
  bellLimits,
  createBellListeners,
  rings,
  seldom,
  type Bell,
  type BellListeners,
  type Ring,
} from '#bell';
import { repeatEvery, withoutUserInfo, type Timers } from '#kernel';
import { checkRedisAddress, REDIS_TIMEOUT_MS, redisOptions, type RedisTimes } from '#redis';

export type RedisBellOptions = Pick<RedisTimes, 'random'> & {
  /** `redis://name:password@host:6379/0`, or `rediss://…` for TLS. Channels are common to all databases of a server. */
  readonly url: string;
  /** What the channels' names begin with: the deployment's own, so that no other one is woken for nothing. */
  readonly prefix: string;
  readonly timers: Timers;
};

/** What is sent: nobody reads it. */
const MESSAGE = '';
/** How often a connection that hears is asked whether it still does, in milliseconds: one that is cut off is as silent as one that nobody rings. */
const ASK_MS = 10_000;

/**
 * A bell over the channels of a Redis. Doesn't wait for it: while it is away nobody is woken, and it is tried again for as
 * long as the bell is open, without a word. Throws `storage_failed` for what is no address, and nothing else.
 */
export function openRedisBell(options: RedisBellOptions): Bell {
  const { url, prefix, timers } = options;
  checkRedisAddress(url, withoutUserInfo(url));
  const channelOf = (about: Ring) => `${prefix}:bell:${about}`;
  const [ringing, hearing] = [connect(options), connect(options)];
  const listeners = createBellListeners(timers);
  const ringers = new Map(rings.map((about) => [about, ringerOf(ringing, channelOf(about), timers)]));
  const isConnected = hear(
    hearing,
    new Map(rings.map((about) => [channelOf(about), about])),
    listeners,
    timers,
  );
  return {
    ring: (about) => ringers.get(about)?.(),
    on: listeners.on,
    isConnected: () => isConnected.now() && ringing.status === 'ready',
    close: async () => {
      isConnected.end();
      listeners.end();
      ringing.disconnect();
      hearing.disconnect();
    },
  };
}

/** Begins a connection, which is made again and again while it fails. */
function connect({ url, random }: RedisBellOptions): Redis {
  const client = new Redis(url, {
    ...redisOptions({ random, timeoutMs: REDIS_TIMEOUT_MS }),
    // It asks of a server no more than to carry rings, and hears again what it wants to once a connection is made.
    enableReadyCheck: false,
    autoResubscribe: false,
  });
  // Without a listener the client writes each failure to the console.
  client.on('error', () => undefined);
  client.connect().catch(() => undefined);
  return client;
}

/** Rings on a channel: one message at a time is under way, and one more waits at most, however slow Redis is. */
function ringerOf(client: Redis, channel: string, timers: Timers): () => void {
  let isUnderWay = false;
  let isAskedAgain = false;
  const ring = seldom(timers, bellLimits.everyMs, () => {
    isAskedAgain = isUnderWay;
    // Without a connection whoever would hear it looks by itself.
    if (isUnderWay || client.status !== 'ready') return;
    isUnderWay = true;
    const settled = () => {
      isUnderWay = false;
      if (isAskedAgain) ring();
    };
    client.publish(channel, MESSAGE).then(settled, settled);
  });
  return ring;
}

/** Has the listeners hear what is rung on some channels, and tells whether it does; `end` ends that. */
function hear(
  client: Redis,
  channels: ReadonlyMap<string, Ring>,
  { call, callAll }: BellListeners,
  timers: Timers,
): { readonly now: () => boolean; readonly end: () => void } {
  let hears = false;
  client.on('message', (channel: string) => {
    const about = channels.get(channel);
    if (about !== undefined) call(about);
  });
  const subscribe = async () => {
    await client.subscribe(...channels.keys());
    hears = true;
    // What was rung before it heard is seen to now.
    callAll();
  };
  const refused = () => undefined;
  client.on('ready', () => void subscribe().catch(refused));
  client.on('close', () => (hears = false));
  const endAsking = repeatEvery(timers, ASK_MS, () => {
    if (client.status !== 'ready') return;
    // One that lacks the right to listen may be given it.
    if (!hears) void subscribe().catch(refused);
    else client.ping().catch(() => client.disconnect(true));
  });
  const end = () => {
    hears = false;
    endAsking();
  };
  return { now: () => hears, end };
}
