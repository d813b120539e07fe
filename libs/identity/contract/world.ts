import { randomUUID } from 'node:crypto';
import {
  createIdentity,
  SHARED_TRUST_MS,
  type Identity,
  type IdentityStore,
  type RefreshReuse,
} from '#identity';
import { quickHasher } from '#identity/testing';
import { systemRandom } from '#kernel';

/** What a test needs of an adapter: an empty store, and a way to stop it and open it again on the same data. */
export type IdentityStoreFixture = {
  readonly open: () => Promise<IdentityStore>;
  /** Called with the store that is open; answers with a new one over the same data. */
  readonly reopen: (store: IdentityStore) => Promise<IdentityStore>;
  readonly cleanUp: () => Promise<void>;
};

/** Identity over a fresh store, with a clock and a log that the test moves. */
export type World = {
  store: IdentityStore;
  identity: Identity;
  /** Milliseconds since the epoch. */
  now: number;
  /** People whose account is open in the log. */
  readonly open: Set<string>;
  readonly reuses: RefreshReuse[];
  /** Identity over the same store in another program. */
  readonly other: (owner: string) => Promise<Identity>;
  /** Replaces store and identity by new ones over the same data. */
  readonly restart: () => Promise<void>;
  readonly end: () => Promise<void>;
};

/** Where people reach the program. */
export const PUBLIC_URL = 'https://lode.example';
export const START = Date.parse('2026-01-01T00:00:00.000Z');
export const CLIENT = { address: '192.0.2.1', agent: 'Contract/1.0' };

export async function createWorld(fixture: () => Promise<IdentityStoreFixture>): Promise<World> {
  const engine = await fixture();
  const open = new Set<string>();
  const reuses: RefreshReuse[] = [];
  const identityOver = (store: IdentityStore, owner = '') =>
    createIdentity({
      // Time passes when the test says so, whatever the store's own clock is.
      store: { ...store, now: async () => world.now },
      owner,
      hasher: quickHasher,
      isOpen: async (userId) => open.has(userId),
      clock: () => world.now,
      monotonic: () => world.now,
      random: systemRandom,
      publicUrl: PUBLIC_URL,
      onReuse: (reuse) => void reuses.push(reuse),
      ...(owner === '' ? {} : { trustMs: SHARED_TRUST_MS }),
    });
  const store = await engine.open();
  const world: World = {
    store,
    identity: undefined as never,
    now: START,
    open,
    reuses,
    other: (owner) => identityOver(world.store, owner),
    restart: async () => {
      world.store = await engine.reopen(world.store);
      world.identity = await identityOver(world.store);
    },
    end: async () => {
      await world.store.close();
      await engine.cleanUp();
    },
  };
  world.identity = await identityOver(store);
  return world;
}

/** A whole registration with a new e-mail. */
export async function register(world: World, role: 'user' | 'admin' = 'user') {
  const email = `${randomUUID()}@example.org`;
  const password = `pass ${randomUUID()}`;
  const reserved = await world.identity.credentials.reserve({ email, password, role });
  world.open.add(reserved.userId);
  await world.identity.credentials.activate(reserved);
  return { ...reserved, email, password, role };
}
