import type { Identity } from '#identity';
import { isLodeError, type Clock } from '#kernel';
import type { SecurityNote } from '#ledger';

/** Months that are looked back on for keys whose time is over: a program may not have run for long. */
const MONTHS_BACK = 120;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** Characters of an ISO instant that say its month. */
const MONTH_LENGTH = 7;

export type NetworkKeysParts = {
  readonly identity: { readonly personKeys: Identity['personKeys'] };
  /** Days after its month for which a key is kept. */
  readonly networkDays: number;
  readonly clock: Clock;
};

/** The id of the key of a month; `at` is an ISO instant in it. */
export function networkKeyOf(at: string): string {
  return `networks-${at.slice(0, MONTH_LENGTH)}`;
}

/** The keys of networks that nobody was signed in from: one a month, since they are nobody's. */
export function createNetworkKeys({ identity: { personKeys } }: Pick<NetworkKeysParts, 'identity'>) {
  const made = new Set<string>();
  return {
    async seal(address: string, at: string): Promise<Pick<SecurityNote, 'network' | 'key'>> {
      const key = networkKeyOf(at);
      if (!made.has(key)) await personKeys.createKey(key);
      made.add(key);
      return { network: await personKeys.encryptFor(key, { address }), key };
    },
  };
}

/** Destroys the keys whose month has ended so long ago. May be repeated. Says how many there were. */
export async function destroyOldNetworkKeys(parts: NetworkKeysParts): Promise<number> {
  const { identity, networkDays, clock } = parts;
  const limit = new Date(clock() - networkDays * DAY_MS);
  let destroyed = 0;
  for (let back = 1; back <= MONTHS_BACK; back += 1) {
    const month = new Date(Date.UTC(limit.getUTCFullYear(), limit.getUTCMonth() - back));
    const key = networkKeyOf(month.toISOString());
    if (!(await isThere(identity.personKeys, key))) continue;
    await identity.personKeys.destroyKey(key);
    destroyed += 1;
  }
  return destroyed;
}

/** Asked first, because to destroy a key overwrites files, whether it was there or not. */
async function isThere(keys: Identity['personKeys'], id: string): Promise<boolean> {
  try {
    await keys.digestFor(id, id);
    return true;
  } catch (error) {
    if (isLodeError(error) && error.code === 'account_not_found') return false;
    throw error;
  }
}
