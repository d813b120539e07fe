import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { manualTimers } from '#commands/testing';
import { isLodeError, LodeError } from '#kernel';
import { accountStream, adminsStream } from '#ledger';
import { contextOf } from '../testing/index.js';
import { ReconcileAccess, ReconcileAccessHandler } from '../access/reconcile.js';
import {
  ActivatePerson,
  ActivatePersonHandler,
  SuspendPerson,
  SuspendPersonHandler,
} from '../people/suspension.js';
import {
  erase,
  inviteAdmin,
  inviteFirstAdmin,
  openAccessWorld,
  register,
  signIn,
  somebody,
  type AccessWorld,
} from '../testing/index.js';
import { createAdminGate } from './gate.js';
import { createAdminRights, watchAdminRights } from './rights.js';
import { sessionsInForce } from './sessions.js';

const PROJECTIONS = { status: async () => [], replay: async () => ({ replayed: 0, left: 0 }) };

describe('who may act as an admin', () => {
  let world: AccessWorld;
  let ids: readonly string[];
  beforeEach(async () => {
    world = await openAccessWorld();
    const joined = [(await join((await inviteFirstAdmin(world)).token)).userId];
    for (let n = 1; n < 4; n += 1) joined.push((await join((await inviteAdmin(world)).token)).userId);
    ids = joined;
  });
  afterEach(() => world.close());

  async function join(token: string, joining = world) {
    const person = { ...somebody(), invitation: token };
    const { userId } = await register(joining, person);
    return { userId, email: person.profile.email, password: person.password };
  }
  const by = (userId: string, key: string) => contextOf({ kind: 'person', id: userId, role: 'admin' }, key);
  const suspend = (actor: string, userId: string, key = `${actor} suspends ${userId}`, on = world) =>
    new SuspendPersonHandler(on).execute(new SuspendPerson(by(actor, key), userId));
  const activate = (actor: string, userId: string, key = `${actor} activates ${userId}`, on = world) =>
    new ActivatePersonHandler(on).execute(new ActivatePerson(by(actor, key), userId));
  const statusOf = async (userId: string) => {
    const { state } = await world.aggregates.accounts.load(accountStream(userId));
    return state.kind === 'open' ? state.status : undefined;
  };
  const standings = () => Promise.all(ids.map((userId) => world.admins.standingOf(userId)));
  const statuses = () => Promise.all(ids.map(statusOf));
  const reconcile = (userId: string) =>
    new ReconcileAccessHandler({ ...world, projections: PROJECTIONS }).execute(
      new ReconcileAccess(by('system', `because ${userId}`), userId),
    );
  const types = async () =>
    (await world.eventStore.readStream(adminsStream, { limit: 100 })).map(({ type }) => type);
  /** The world with a log that fails before it has the account's own event. */
  const cutOff = (): AccessWorld => ({
    ...world,
    aggregates: {
      ...world.aggregates,
      accounts: {
        ...world.aggregates.accounts,
        execute: () => Promise.reject(new Error('cut off')),
      },
    },
  });

  test('is everybody who registered by an invitation, and nobody else', async () => {
    const { userId } = await register(world, somebody());
    expect(await standings()).toEqual(['active', 'active', 'active', 'active']);
    expect(await world.admins.standingOf(userId)).toBeUndefined();
    expect(await world.admins.mayAct(userId)).toBe(false);
  });

  test('has the duty of the invitation from the first moment, also where the registration is cut off', async () => {
    const { token } = await inviteAdmin(world, 'auditor');
    const person = { ...somebody(), invitation: token };
    await expect(register(cutOff(), person)).rejects.toThrow('cut off');
    const [expected] = [...(await world.admins.all())].filter(([, { duty }]) => duty === 'auditor');
    expect(expected?.[1].standing).toBe('expected');
    expect(await world.admins.deciders()).not.toContain(expected?.[0]);
    world.waitLong();
    const { userId } = await register(world, person);
    expect(userId).toBe(expected?.[0]);
    expect([await world.admins.standingOf(userId), world.admins.dutyOf(userId)]).toEqual([
      'active',
      'auditor',
    ]);
  });

  test('of four who each suspend all others at once one is left, and can come in', async () => {
    const answers = await Promise.allSettled(
      ids.flatMap((actor) => ids.filter((one) => one !== actor).map((userId) => suspend(actor, userId))),
    );
    for (const answer of answers)
      if (answer.status === 'rejected')
        expect(isLodeError(answer.reason) && answer.reason.code).toBe('not_permitted');
    expect((await standings()).filter((one) => one === 'active')).toHaveLength(1);
    expect(await statuses()).toEqual(await standings());
  });

  test('of four who suspend the next one each at once somebody is left, and accounts follow the list', async () => {
    await Promise.allSettled(ids.map((actor, n) => suspend(actor, ids[(n + 1) % ids.length] ?? '')));
    expect(await standings()).toContain('active');
    expect(await statuses()).toEqual(await standings());
  });

  test('what was decided of the same person at once ends as the list has it', async () => {
    const [ada = '', eve = '', bob = ''] = ids;
    for (let round = 0; round < 20; round += 1) {
      await Promise.allSettled([
        suspend(ada, eve, `suspend ${round}`),
        activate(bob, eve, `activate ${round}`),
        suspend(bob, eve, `suspend again ${round}`),
      ]);
      await reconcile(eve);
      expect(await statusOf(eve)).toBe(await world.admins.standingOf(eve));
    }
  });

  test('somebody suspended may not act from the moment the list says so, with a session that is still there', async () => {
    const [ada = ''] = ids;
    const eve = await join((await inviteAdmin(world)).token);
    const { tokens } = await signIn(world, eve);
    const sessions = sessionsInForce(world.identity.sessions, world.admins);
    expect(await sessions.authenticate(tokens.accessToken)).toMatchObject({ userId: eve.userId });
    await expect(suspend(ada, eve.userId, 'cut off', cutOff())).rejects.toThrow('cut off');
    expect(await statusOf(eve.userId)).toBe('active');
    expect(await world.identity.sessions.authenticate(tokens.accessToken)).toMatchObject({ role: 'admin' });
    await expect((async () => sessions.authenticate(tokens.accessToken))()).rejects.toMatchObject({
      code: 'token_invalid',
    });
    expect(await sessions.isAlive(tokens.session)).toBe(false);
    await expect(signIn(world, eve)).rejects.toMatchObject({ code: 'account_suspended' });
    await expect(suspend(eve.userId, ada)).rejects.toMatchObject({ code: 'not_permitted' });
    await reconcile(eve.userId);
    expect(await statusOf(eve.userId)).toBe('suspended');
  });

  test('what another program decided of an admin holds here before the next thing that is guarded, and in vain without the log', async () => {
    const [ada = ''] = ids;
    const fin = { userId: (await join((await inviteAdmin(world, 'finance')).token)).userId };
    const { aggregates, identity } = world;
    let isAway = false;
    let reads = 0;
    const load: typeof aggregates.admins.load = async (stream) => {
      reads += 1;
      if (isAway) throw new LodeError('unavailable', 'The log cannot be reached.');
      return aggregates.admins.load(stream);
    };
    const watching = (isShared: boolean) =>
      watchAdminRights({
        aggregates: { ...aggregates, admins: { ...aggregates.admins, load } },
        identity,
        timers: manualTimers().timers,
        isShared,
        mayWrite: true,
      });
    const [other, alone] = [await watching(true), await watching(false)];
    const gate = createAdminGate(identity.sessions, other);
    const decide = () => gate.requireLatest(fin).then(() => gate.requireDuty(fin, 'decide on money'));
    await decide();
    await world.admins.changeDuty(fin.userId, 'auditor', by(ada, 'off duty'));
    await expect(decide()).rejects.toMatchObject({ code: 'duty_missing' });
    await world.admins.changeDuty(fin.userId, 'finance', by(ada, 'on duty'));
    isAway = true;
    await expect(decide()).rejects.toMatchObject({ code: 'unavailable' });
    isAway = false;
    reads = 0;
    await Promise.all(Array.from({ length: 20 }, decide));
    expect(reads).toBeLessThanOrEqual(2);
    await suspend(ada, fin.userId);
    await expect(decide()).rejects.toMatchObject({ code: 'token_invalid' });
    isAway = true;
    await alone.latest();
    other.stop();
    alone.stop();
  });

  test('a suspension that was cut off and undone since is not done by its repeat', async () => {
    const [ada = '', eve = ''] = ids;
    await expect(suspend(ada, eve, 'one', cutOff())).rejects.toThrow('cut off');
    await activate(ada, eve, 'two');
    expect(await suspend(ada, eve, 'one')).toMatchObject({ replayed: true });
    expect(await statusOf(eve)).toBe('active');
    expect(await types()).toEqual([
      ...Array.from({ length: 4 }, () => 'AdminAdmitted'),
      'AdminSuspended',
      'AdminActivated',
    ]);
  });

  test('the last one who may come in is neither suspended nor erased', async () => {
    const [ada = '', ...others] = ids;
    for (const userId of others.slice(1)) await suspend(ada, userId);
    const [eve = ''] = others;
    await erase(world, eve);
    expect(await standings()).toEqual(['active', 'removed', 'suspended', 'suspended']);
    await expect(erase(world, ada)).rejects.toMatchObject({ code: 'not_permitted' });
    expect(await statusOf(ada)).toBe('active');
  });

  test('an erasure that is cut off has taken the admin off the list, and is finished by asking again', async () => {
    const [ada = ''] = ids;
    await expect(erase(cutOff(), ada)).rejects.toThrow('cut off');
    expect(await world.admins.mayAct(ada)).toBe(false);
    expect(await statusOf(ada)).toBe('active');
    expect(await erase(world, ada)).toMatchObject({ isNew: true });
    expect(await statusOf(ada)).toBe('closed');
  });

  test('a log from before there was a list gets one, once, whoever starts at once', async () => {
    const [ada = '', eve = ''] = ids;
    await suspend(ada, eve);
    // The same accounts, and a list that nobody has begun.
    const empty = await openAccessWorld();
    try {
      const parts = {
        aggregates: { accounts: world.aggregates.accounts, admins: empty.aggregates.admins },
        identity: world.identity,
      };
      expect(await createAdminRights(parts).mayAct(ada)).toBe(true);
      expect(await createAdminRights(parts).mayAct(eve)).toBe(false);
      const loaded: string[] = [];
      const load: typeof parts.aggregates.accounts.load = (stream) => {
        loaded.push(stream);
        return world.aggregates.accounts.load(stream);
      };
      const counting = {
        ...parts,
        aggregates: { ...parts.aggregates, accounts: { ...world.aggregates.accounts, load } },
      };
      await Promise.all([1, 2, 3].map((n) => createAdminRights(n === 1 ? counting : parts).admitAll()));
      expect(new Set(loaded).size).toBe(loaded.length);
      const listed = await empty.eventStore.readStream(adminsStream, { limit: 100 });
      expect(listed.map(({ type }) => type).toSorted()).toEqual([
        ...Array.from({ length: 4 }, () => 'AdminAdmitted'),
        'AdminSuspended',
      ]);
      expect(await createAdminRights(parts).mayAct(ada)).toBe(true);
      expect(await createAdminRights(parts).standingOf(eve)).toBe('suspended');
    } finally {
      await empty.close();
    }
  });
});
