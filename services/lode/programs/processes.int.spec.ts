import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import {
  accessHandlers,
  bonusHandlers,
  Bus,
  createAccessAudit,
  createAggregates,
  createAdminRights,
  createSettingsInForce,
  dispatchTo,
  erasureHandlers,
  noMeter,
  settingsInForce,
  transferHandlers,
  type Aggregates,
  type Handled,
} from '#application';
import type { EventStore } from '#event-store';
import { createMemoryEventStore } from '#event-store/memory';
import type { FileStore } from '#files';
import { openFolderFiles } from '#files/folder';
import { createIdentity, FORGOTTEN, type Identity } from '#identity';
import { openIdentityStore } from '#identity/sqlite';
import { createInProcessJobs } from '#jobs/in-process';
import { noHold, systemClock, systemRandom, systemTimers, type StreamEvent } from '#kernel';
import { createMemoryLeases } from '#leases/memory';
import { accessStream, accountStream, messageStream } from '#ledger';
import { createSqliteCheckpoints } from '#reactors/sqlite';
import { openSqliteReadStoreReader } from '#read-store/sqlite';
import { reactionsOn } from '../../projector/index.js';
import { createProcesses, localBonusWorkers, type RunningProcesses } from '../../worker/index.js';

/** More steps than following up on everything below takes. */
const STEPS_MAX = 200;
const PDF = Buffer.from('%PDF-1.7\n%%EOF\n');
const CLIENT = { address: '192.0.2.1', agent: 'Test/1.0' };
const logger = pino({ level: 'silent' });

let folder: string;
let eventStore: EventStore;
let identity: Identity;
let files: FileStore;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lode-processes-'));
  eventStore = createMemoryEventStore();
  identity = await createIdentity({
    store: await openIdentityStore({ file: join(folder, 'identity.sqlite') }),
    isOpen: async () => true,
  });
  files = await openFolderFiles({ folder: join(folder, 'files') });
});
afterEach(async () => {
  await identity.close();
  await files.close();
  rmSync(folder, { recursive: true });
});

const context = () => {
  const id = randomUUID();
  const actor = { kind: 'operator', id: 'operator', role: 'system' } as const;
  return { actor, commandId: id, requestHash: id, correlationId: id, causationId: id };
};

/** A person with an account, a session, a file that the account names, and one that nothing names. */
async function somebody(aggregates: Aggregates) {
  const email = `${randomUUID()}@example.org`;
  const reserved = await identity.credentials.reserve({
    email,
    password: 'correct horse',
    role: 'user',
  });
  const { userId, accountNumber } = reserved;
  const profile = await identity.personKeys.encryptFor(userId, { firstname: 'Ann' });
  const stream = accountStream(userId);
  const opening = { type: 'OpenAccount', userId, accountNumber, role: 'user', profile } as const;
  await aggregates.accounts.execute(stream, opening, context());
  await identity.credentials.activate(reserved);
  const { fileId, mediaType, bytes, sha256 } = await files.put(PDF, {
    ownerId: userId,
    purpose: 'profile-image',
  });
  const image = { fileId, mediaType, bytes, sha256 };
  await aggregates.accounts.execute(stream, { type: 'ChangeProfileImage', image }, context());
  await files.put(PDF, { ownerId: userId, purpose: 'evidence' });
  const { session } = await identity.sessions.start({ userId, role: 'user' }, CLIENT);
  const { sessionId } = session;
  await aggregates.access.execute(accessStream(userId), { type: 'RecordSignIn', sessionId }, context());
  return { userId, email, profile };
}

/** An engine whose calls are steps of a life that ends after so many: before a call, or with its answer unseen. */
function mortal(stepsToLive: number) {
  let steps = 0;
  let isDead = false;
  const step = () => {
    isDead ||= (steps += 1) > stepsToLive;
    return isDead;
  };
  const never = new Promise<never>(() => undefined);
  const wrap = <T extends object>(engine: T, ...names: readonly (keyof T)[]): T => {
    const wrapped = names.map((name) => {
      const call = engine[name] as (...args: readonly unknown[]) => Promise<unknown>;
      const counted = async (...args: readonly unknown[]) => {
        if (step()) return never;
        const answer = await call.apply(engine, [...args]);
        return step() ? never : answer;
      };
      return [name, counted] as const;
    });
    return { ...engine, ...Object.fromEntries(wrapped) };
  };
  return { wrap, isDead: () => isDead };
}

/** The program's processes on what is there, for so many steps. They remember nothing of earlier lives. */
async function live(
  stepsToLive: number,
): Promise<{ readonly processes: RunningProcesses; readonly isDead: () => boolean }> {
  const { wrap, isDead } = mortal(stepsToLive);
  const store = wrap(eventStore, 'append', 'readStream', 'readTypes', 'head');
  const own: Identity = {
    ...identity,
    credentials: wrap(identity.credentials, 'known', 'suspend', 'reinstate', 'erase'),
    personKeys: wrap(identity.personKeys, 'destroyKey'),
  };
  const aggregates = createAggregates({ eventStore: store, clock: systemClock });
  const database = new DatabaseSync(':memory:');
  const ports = {
    // There are no read models: nothing that happens here asks them.
    readStore: openSqliteReadStoreReader({ file: join(folder, 'read-models.sqlite') }),
    eventStore: store,
    identity: own,
    files: wrap(files, 'list', 'delete'),
    clock: systemClock,
    hold: noHold,
  };
  const common = { ...ports, aggregates, timers: systemTimers, random: systemRandom };
  const accessAudit = createAccessAudit({ ...common, log: logger });
  const admins = createAdminRights({ aggregates, identity: own });
  const settings = createSettingsInForce(aggregates);
  const processes = createProcesses({
    runs: { reactors: true, jobs: true },
    memory: {
      mail: undefined,
      orders: undefined,
      openCheckpoints: () => createSqliteCheckpoints(database),
      storedReactors: async () => [],
      createJobs: (options) => createInProcessJobs({ ...options, database }),
    },
    leases: createMemoryLeases(new Map(), 'one life', systemClock),
    timers: systemTimers,
    ports,
    settings,
    reactions: reactionsOn(store),
    bonusWorkers: () => localBonusWorkers(aggregates.accounts),
    logger,
  });
  const projections = {
    status: async () => [],
    replay: async () => ({ replayed: 0, left: 0 }),
    waitFor: async () => true,
    overwrite: async () => undefined,
  };
  const mailing = {
    sendLink: async () => ({ kind: 'queued', expiresAt: 0 }) as const,
    sendNotice: async () => undefined,
    pretendLink: async () => undefined,
  };
  const parts = {
    ...common,
    admins,
    accessAudit,
    settings,
    processes,
    projections,
    mailing,
    changeWaitMs: 0,
    verification: { mayNot: [] },
  };
  const handlers = [accessHandlers, bonusHandlers, erasureHandlers, transferHandlers];
  const handled = handlers.flatMap((handlersOf): readonly Handled[] => handlersOf(parts));
  const bus = new Bus(dispatchTo(handled), { meter: noMeter, mayAnswer: async () => undefined });
  await processes.start(bus);
  return { processes, isDead };
}

/** Waits until these processes have done everything there is, or died over it. */
async function done({ processes, isDead }: Awaited<ReturnType<typeof live>>): Promise<void> {
  let isDone = false;
  void processes.caughtUp(60_000).then((caughtUp) => (isDone = caughtUp));
  while (!isDone && !isDead()) await setImmediate();
}

const typesIn = async (stream: string) =>
  (await eventStore.readStream(stream, { limit: 100 })).map(({ type, data }: StreamEvent) =>
    [type, data['why']].join(' ').trim(),
  );

test('what follows from the log is done once by the last of many lives, each of which dies a step later', async () => {
  const aggregates = createAggregates({ eventStore, clock: systemClock });
  const [suspended, activated, forgotten] = [
    await somebody(aggregates),
    await somebody(aggregates),
    await somebody(aggregates),
  ];
  const tell = async (userId: string, ...types: readonly ('Suspend' | 'Activate')[]) => {
    for (const type of types) await aggregates.accounts.execute(accountStream(userId), { type }, context());
  };
  await tell(suspended.userId, 'Suspend');
  await identity.credentials.suspend(activated.userId);
  await tell(activated.userId, 'Suspend', 'Activate');
  const { prices } = await settingsInForce(aggregates);
  const forget = { type: 'ForgetPerson', prices } as const;
  await aggregates.accounts.execute(accountStream(forgotten.userId), forget, context());
  const messageId = 'm1';
  await identity.personKeys.createKey(messageId);
  const sealed = await identity.personKeys.encryptFor(messageId, { message: 'secret' });
  const message = messageStream(messageId);
  const sending = { type: 'SendMessage', messageId, userId: undefined, sealed } as const;
  await aggregates.messages.execute(message, sending, context());
  await aggregates.messages.execute(message, { type: 'ForgetMessage' }, context());

  let last: Awaited<ReturnType<typeof live>> | undefined;
  let lives = 0;
  for (let steps = 1; last === undefined && steps < STEPS_MAX; steps += 1) {
    const life = await live(steps);
    await done(life);
    if (!life.isDead()) last = life;
    lives += 1;
  }
  expect(lives).toBeGreaterThan(20);
  expect(last?.processes.reactors().map(({ owed }) => owed)).toEqual([0, 0, 0, 0]);
  await last?.processes.stop();

  expect((await identity.credentials.known(suspended.userId))?.suspended).toBe(true);
  expect(await identity.sessions.list(suspended.userId)).toEqual([]);
  expect(await typesIn(accessStream(suspended.userId))).toEqual(['SignedIn', 'SessionsEnded suspended']);
  expect((await identity.credentials.known(activated.userId))?.suspended).toBe(false);
  expect(await typesIn(accountStream(activated.userId))).toEqual([
    'AccountOpened',
    'ProfileImageChanged',
    'AccountSuspended',
    'AccountActivated',
    'BonusCycleStarted',
  ]);
  expect(await identity.credentials.knownByEmail(forgotten.email)).toBeUndefined();
  expect(await identity.personKeys.decryptFor(forgotten.userId, forgotten.profile)).toBe(FORGOTTEN);
  expect(await identity.sessions.list(forgotten.userId)).toEqual([]);
  expect(await typesIn(accessStream(forgotten.userId))).toEqual(['SignedIn', 'SessionsEnded forgotten']);
  expect(await identity.personKeys.decryptFor(messageId, sealed)).toBe(FORGOTTEN);
  const left = (await files.list({ limit: 10 })).map(({ ownerId }) => ownerId);
  expect(left.sort()).toEqual(
    [suspended, suspended, activated, activated].map(({ userId }) => userId).sort(),
  );
});

test('a start does not wait for ever for what can not be done', async () => {
  const { processes } = await live(0);
  expect(await processes.caughtUp(1)).toBe(false);
});
