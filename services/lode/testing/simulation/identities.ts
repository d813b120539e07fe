import { accessHandlers, peopleHandlers, type Aggregates, type ApplicationParts } from '#application';
import type { EventStore } from '#event-store';
import type { Identity, IdentityStore } from '#identity';
import { quickHasher } from '#identity/testing';
import { openIdentityStoreInMemory } from '#identity/sqlite';
import { noHold } from '#kernel';
import { openIdentity } from '../../identity.js';
import { people } from './people.js';
import type { Life } from './machines.js';
import { call, type Server, type World } from './network.js';
import type { PlantedBug } from './plan.js';

/** Who is who, on a server. */
export type IdentityServer = {
  /** As a program has it. */
  readonly seenBy: (life: Life) => IdentityStore;
  /** Registers everybody. */
  readonly register: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** What only reads: whoever hears nothing of it knows that nothing was written. */
const READS: readonly string[] = [
  'credentialByEmail',
  'credentialOf',
  'personKey',
  'sessionByAccess',
  'sessionByRefresh',
  'sessionsOf',
] satisfies readonly (keyof IdentityStore)[];

/** The password that somebody has had so many others before. */
export function passwordOf(userId: string, changes: number): string {
  return `the password ${changes} of ${userId}`;
}

export function emailOf(userId: string): string {
  return `${userId}@lode.example`;
}

export function createIdentityServer(world: World): IdentityServer {
  const server: Server = { name: 'identities', awayUntil: 0 };
  const store = openIdentityStoreInMemory();
  const seenBy = (life: Life): IdentityStore => {
    const calls = Object.entries(store).map(([name, work]) => [
      name,
      (...args: readonly unknown[]) =>
        call(world, life, server, name, READS.includes(name) ? 'unavailable' : 'unknown_outcome', () =>
          (work as (...all: readonly unknown[]) => Promise<unknown>)(...args),
        ),
    ]);
    return Object.fromEntries(calls) as IdentityStore;
  };
  return {
    seenBy,
    register: async () => {
      for (const [n, userId] of people.entries()) {
        await store.reserve({
          userId,
          email: emailOf(userId),
          accountNumber: `300000000${n}`,
          passwordHash: await quickHasher.hash(passwordOf(userId, 0), Buffer.alloc(16)),
          role: 'user',
          reservedAt: 0,
          owner: '',
          personKey: new Uint8Array(32),
        });
        await store.activate(userId, 0);
      }
    },
    close: store.close,
  };
}

/** What identity stands on in a program. */
type Parts = {
  readonly world: World;
  readonly store: IdentityStore;
  readonly life: Life;
  readonly eventStore: EventStore;
  readonly aggregates: Aggregates;
  readonly bug: PlantedBug | undefined;
};

/** Identity as a program has it that shares it with others, and the handlers that let people in and keep them out. */
export async function identityOf({ world, store, life, eventStore, aggregates, bug }: Parts) {
  const { clock, monotonic, random } = life.machine;
  const note = (error: unknown) => world.time.note(`${life.name} says ${String(error)}`);
  const { identity, accessAudit } = await openIdentity({
    ...{ store, owner: life.name, eventStore, aggregates, clock, random, hasher: quickHasher, hold: noHold },
    monotonic: bug === 'trust-by-wall-clock' ? clock : monotonic,
    logger: { warn: note, error: note },
  });
  // Nobody here is an admin, and nobody is erased: of the others only the parts are asked for.
  const parts = { identity, accessAudit, aggregates, clock, hold: noHold, eventStore };
  const given = parts as unknown as ApplicationParts;
  return { identity, handlers: [...accessHandlers(given), ...peopleHandlers(given)] };
}

/** What clients reach of it. */
export type IdentityOfApi = Pick<Identity, 'credentials' | 'sessions'>;
