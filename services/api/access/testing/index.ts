import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import type { EventStore } from '#event-store';
import { createMemoryEventStore } from '#event-store/memory';
import { createIdentity, RESERVATION_MS, type Identity } from '#identity';
import { openIdentityStore } from '#identity/sqlite';
import { accessStream, accountStream, type AccountCommand } from '#ledger';
import { createAggregates } from '#application';
import type { Ledger } from '../../commands/ledger.js';
import { createEntrance, type Entrance } from '../entrance.js';
import { register, type NewPerson } from '../registration.js';
import { createTrail, type Trail } from '../trail.js';

export const CLIENT = { address: '192.0.2.1', agent: 'Test/1.0' };

/** The way in over a log in memory and an identity file of its own, with a clock that the test moves. */
export type House = {
  readonly eventStore: EventStore;
  readonly identity: Identity;
  readonly ledger: Ledger;
  readonly trail: Trail;
  readonly entrance: Entrance;
  /** Lets reservations grow so old that others may take them over. */
  readonly waitLong: () => void;
  /** What the trail of a person says, each as its type and why. */
  readonly trailOf: (userId: string) => Promise<readonly string[]>;
  /** Sends a command to an account. */
  readonly tell: (userId: string, command: AccountCommand) => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function openHouse(): Promise<House> {
  const folder = mkdtempSync(join(tmpdir(), 'lode-access-'));
  const eventStore = createMemoryEventStore();
  let now = Date.parse('2026-01-01T00:00:00.000Z');
  const clock = () => now;
  const ledger = createAggregates({ eventStore, clock });
  const identity = await createIdentity({
    store: await openIdentityStore({ file: join(folder, 'identity.sqlite') }),
    isOpen: async (userId) => (await eventStore.readStream(accountStream(userId), { limit: 1 })).length > 0,
    clock,
    onReuse: (reuse) => trail.reused(reuse),
  });
  const trail = createTrail({ identity, ledger, logger: pino({ level: 'silent' }) });
  return {
    eventStore,
    identity,
    ledger,
    trail,
    entrance: createEntrance({ identity, ledger, trail }),
    waitLong: () => void (now += RESERVATION_MS),
    trailOf: async (userId) =>
      (await eventStore.readStream(accessStream(userId), { limit: 100 })).map(({ type, data }) =>
        [type, data['why']].filter((one) => one !== undefined).join(' '),
      ),
    tell: async (userId, command) => {
      const commandId = randomUUID();
      await ledger.accounts.execute(accountStream(userId), command, {
        actor: { kind: 'operator', id: 'operator', role: 'system' },
        commandId,
        requestHash: commandId,
        correlationId: commandId,
        causationId: commandId,
      });
    },
    close: async () => {
      await identity.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Somebody who is not registered yet. */
export function somebody(email = `${randomUUID()}@example.org`): NewPerson {
  return { profile: { firstname: 'Ann', lastname: 'Miller', email, phone: '1' }, password: 'correct horse' };
}

/** Registers a customer. */
export async function registered(house: House) {
  const person = somebody();
  const { userId } = await register(house, person);
  return { userId, email: person.profile.email, password: person.password };
}
