import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventStore } from '#event-store';
import { createMemoryEventStore } from '#event-store/memory';
import {
  createIdentity,
  RESERVATION_MS,
  type Client,
  type Hasher,
  type Identity,
  type IdentityStore,
} from '#identity';
import { openIdentityStore } from '#identity/sqlite';
import { quickHasher } from '#identity/testing';
import { invariant, noHold, systemRandom, type Clock, type Hold, type Random } from '#kernel';
import { accessStream, accountStream, type AccountCommand, type Duty } from '#ledger';
import { createAccessAudit, type AccessAudit } from '../access/audit.js';
import { visitorContext } from '../access/context.js';
import { SignIn, SignInHandler, type SignedIn } from '../access/sign-in.js';
import type { Verification } from '../access/verify-email.js';
import { OPERATOR } from '../actors.js';
import type { Mailing } from '../mail/mailing.js';
import { createAdminRights, type AdminRights } from '../admins/rights.js';
import { createAggregates, type Aggregates } from '../aggregates.js';
import { noModels } from './no-models.js';
import { ErasePerson, ErasePersonHandler, type Erased } from '../erasure/erase-person.js';
import {
  InviteAdmin,
  InviteAdminHandler,
  InviteFirstAdmin,
  InviteFirstAdminHandler,
  type IssuedInvitation,
} from '../registration/invite.js';
import { createRegistrationLimit, type RegistrationLimit } from '../registration/limit.js';
import { Register, RegisterHandler, type NewPerson, type Registered } from '../registration/register.js';
import { createSettingsInForce, type SettingsInForce } from '../settings/in-force.js';

/** For how long money out waits after a change: a day. */
export const CHANGE_WAIT_MS = 86_400_000;
export const CLIENT: Client = { address: '192.0.2.1', agent: 'Test/1.0' };

/** What people's access needs, over a log in memory and an identity file of its own, with a clock that the test moves. */
export type AccessWorld = {
  readonly eventStore: EventStore;
  readonly identity: Identity;
  readonly aggregates: Aggregates;
  readonly admins: AdminRights;
  readonly accessAudit: AccessAudit;
  readonly registrationLimit: RegistrationLimit;
  /** Nobody is written to. */
  readonly mailing: Pick<Mailing, 'sendNotice' | 'sendLink' | 'notSent'>;
  /** Nobody is asked to verify an e-mail address. */
  readonly verification: Verification;
  readonly settings: SettingsInForce;
  readonly clock: Clock;
  readonly random: Random;
  readonly hold: Hold;
  readonly changeWaitMs: number;
  /** Lets so much time pass; unless it is said, so much that others may take reservations over. Milliseconds. */
  readonly waitLong: (ms?: number) => void;
  /** What the audit of a person says, each as its type and why. */
  readonly auditOf: (userId: string) => Promise<readonly string[]>;
  /** Sends a command to an account. */
  readonly tell: (userId: string, command: AccountCommand) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** `registrationsPerHour` from one network are more than a test asks for, unless it says so. */
export async function openAccessWorld({
  registrationsPerHour = 1_000,
  over = (store) => store,
  ...others
}: {
  readonly registrationsPerHour?: number;
  /** What stands in front of the store. */
  readonly over?: (store: IdentityStore) => IdentityStore;
  /** One whose hashes take no time, where it is left out. */
  readonly hasher?: Hasher;
  /** Where people's passkeys are; there are none where it is left out. */
  readonly publicUrl?: string;
} = {}): Promise<AccessWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'lode-access-'));
  const eventStore = createMemoryEventStore();
  let now = Date.parse('2026-01-01T00:00:00.000Z');
  const clock = () => now;
  const random = systemRandom;
  const aggregates = createAggregates({ eventStore, clock });
  const identity = await createIdentity({
    hasher: quickHasher,
    store: over(await openIdentityStore({ file: join(folder, 'identity.sqlite') })),
    isOpen: async (userId) => (await eventStore.readStream(accountStream(userId), { limit: 1 })).length > 0,
    clock,
    onReuse: (reuse) => accessAudit.reused(reuse),
    ...others,
  });
  const accessAudit = createAccessAudit({ identity, aggregates, log: { error: () => undefined }, random });
  return {
    eventStore,
    identity,
    aggregates,
    admins: createAdminRights({ aggregates, identity }),
    accessAudit,
    registrationLimit: createRegistrationLimit(clock, registrationsPerHour),
    mailing: {
      sendNotice: async () => undefined,
      sendLink: async () => ({ kind: 'queued', expiresAt: now }),
      notSent: () => undefined,
    },
    verification: { mayNot: [] },
    settings: createSettingsInForce(aggregates),
    clock,
    random,
    hold: noHold,
    changeWaitMs: CHANGE_WAIT_MS,
    waitLong: (ms = RESERVATION_MS) => void (now += ms),
    auditOf: async (userId) =>
      (await eventStore.readStream(accessStream(userId), { limit: 100 })).map(({ type, data }) =>
        [type, data['why']].filter((one) => one !== undefined).join(' '),
      ),
    tell: async (userId, command) => {
      const id = randomUUID();
      const context = {
        actor: OPERATOR,
        commandId: id,
        requestHash: id,
        correlationId: id,
        causationId: id,
      };
      await aggregates.accounts.execute(accountStream(userId), command, context);
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

/** Registers a visitor. */
export function register(world: AccessWorld, person: NewPerson): Promise<Registered> {
  return new RegisterHandler(world).execute(new Register(visitorContext(CLIENT), person));
}

/** Registers a customer. */
export async function registered(world: AccessWorld) {
  const person = somebody();
  const { userId } = await register(world, person);
  return { userId, email: person.profile.email, password: person.password };
}

/** Invites an admin, as if there were one already. */
export function inviteAdmin(world: AccessWorld, duty: Duty = 'owner'): Promise<IssuedInvitation> {
  const credentials = { ...world.identity.credentials, hasAdmin: async () => true };
  const identity = { ...world.identity, credentials };
  return new InviteAdminHandler({ ...world, identity }).execute(new InviteAdmin({ actor: OPERATOR }, duty));
}

/** Invites the first admin. */
export async function inviteFirstAdmin(world: AccessWorld): Promise<IssuedInvitation> {
  const issued = await new InviteFirstAdminHandler(world).execute(new InviteFirstAdmin({ actor: OPERATOR }));
  invariant(issued !== undefined, 'there is no admin yet');
  return issued;
}

/** Signs somebody in who has no second factor. */
export async function signIn(
  world: AccessWorld,
  credentials: { readonly email: string; readonly password: string },
  client = CLIENT,
): Promise<SignedIn> {
  const outcome = await new SignInHandler(world).execute(new SignIn(visitorContext(client), credentials));
  invariant('tokens' in outcome, 'nobody is asked for a code');
  return outcome;
}

/** Erases somebody who has no files. */
export function erase(world: AccessWorld, userId: string): Promise<Erased> {
  const files = { list: async () => [], delete: async () => false };
  return new ErasePersonHandler({ ...world, files, projections: noModels }).execute(
    new ErasePerson({ actor: OPERATOR }, userId),
  );
}
