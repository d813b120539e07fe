import type { Bell } from '#bell';
import { createMemoryBell } from '#bell/memory';
import { systemRandom, systemTimers } from '#kernel';
import type { Closing } from './closing.js';
import type { EngineSettings } from './engines.js';
import { redisPrefixOf } from './jobs.js';
import { isAllOnServers } from './servers.js';

/**
 * The bell between the programs of a log: over Redis where there is one and there may be other programs, else within this
 * one. Doesn't wait for Redis. Closed with `closing`.
 */
export async function openBell(settings: EngineSettings, logId: string, closing: Closing): Promise<Bell> {
  const { redisUrl } = settings;
  const bell =
    redisUrl !== undefined && isAllOnServers(settings)
      ? await onRedis(redisUrl, logId)
      : createMemoryBell(systemTimers);
  closing.add(bell.close);
  return bell;
}

async function onRedis(url: string, logId: string): Promise<Bell> {
  const { openRedisBell } = await import('#bell/redis');
  return openRedisBell({ url, prefix: redisPrefixOf(logId), random: systemRandom, timers: systemTimers });
}
