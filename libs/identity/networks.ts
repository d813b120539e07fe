import { networkOf } from './addresses.js';
import type { PersonKeys } from './person-keys.js';
import type { IdentityStore } from './port.js';

/**
 * The networks that people have signed in from, so that what strangers try never keeps them out there. What is kept is a
 * digest under the person's key, which says nothing once that is destroyed.
 */
export type OwnNetworks = {
  readonly has: (userId: string, address: string) => Promise<boolean>;
  /** Whether the person has signed in before, and never from there as far as that is remembered. */
  readonly isNew: (userId: string, address: string) => Promise<boolean>;
  /** Remembers that the person was there just now; the network of longest ago is forgotten for it. */
  readonly remember: (userId: string, address: string) => Promise<void>;
};

export type OwnNetworksParts = {
  readonly store: IdentityStore;
  readonly personKeys: Pick<PersonKeys, 'digestFor'>;
};

/** The networks of people, in the store. */
export function createOwnNetworks({ store, personKeys }: OwnNetworksParts): OwnNetworks {
  const digestOf = (userId: string, address: string) =>
    personKeys.digestFor(userId, `network ${networkOf(address)}`);
  return {
    has: async (userId, address) => {
      const networks = await store.networksOf(userId);
      return networks.length > 0 && networks.includes(await digestOf(userId, address));
    },
    isNew: async (userId, address) => {
      const networks = await store.networksOf(userId);
      return networks.length > 0 && !networks.includes(await digestOf(userId, address));
    },
    remember: async (userId, address) => {
      const digest = await digestOf(userId, address);
      const [last] = await store.networksOf(userId);
      if (last !== digest) await store.putNetwork(userId, digest);
    },
  };
}
