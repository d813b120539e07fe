import { createBuckets, networkOf } from '#identity';
import { hasCode, LodeError, type Clock } from '#kernel';

const HOUR_MS = 60 * 60 * 1_000;
/** Networks that are remembered; the one that asked longest ago is forgotten first. */
const NETWORKS_MAX = 100_000;

/** Bounds the registrations that come from one network. */
export type RegistrationLimit = {
  /** Does one from an address. Refuses with `rate_limited`; what is refused for want of room doesn't count. */
  readonly within: <T>(address: string, register: () => Promise<T>) => Promise<T>;
};

/** So many registrations at once from one network, then one more each hour divided by as many. */
export function createRegistrationLimit(clock: Clock, perHour: number): RegistrationLimit {
  const buckets = createBuckets(clock, { burst: perHour, everyMs: HOUR_MS / perHour }, NETWORKS_MAX);
  return {
    within: async (address, register) => {
      const network = networkOf(address);
      const waitMs = buckets.waitMs(network);
      if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1_000));
      buckets.add(network, -1);
      try {
        return await register();
      } catch (error) {
        if (hasCode(error, 'overloaded')) buckets.add(network, 1);
        throw error;
      }
    },
  };
}

function tooMany(retryAfterSeconds: number): LodeError {
  return new LodeError('rate_limited', 'Too many registrations. Wait a little and try again.', {
    retryAfterSeconds,
  });
}
