import { expect, test } from '@jest/globals';
import { manualTimers } from '#commands/testing';
import type { EventKinds } from '#event-store';
import { LodeError, systemMonotonic, systemRandom } from '#kernel';
import { until } from '#kernel/testing';
import { createMemoryLeases } from '#leases/memory';
import { memberLimits, type Member, type Membership } from '#membership';
import { createMemoryMembership, type MemoryMemberStore } from '#membership/memory';
import { walletModels } from '#projections';
import type { BuildState } from '#read-store';
import { allMake, lowered, mayActivateBy } from './members.js';
import { holdingBack, joinPrograms, leavesEvents, leavesProjections, modelsBeyond } from './programs.js';

const KNOWN = { Opened: 2, Closed: 1 };
const [model] = walletModels;
const NAME = model?.name ?? '';
const VERSION = model?.version ?? 0;

const member = (name: string, change: Partial<Member> = {}): Member => ({
  name,
  program: '1.0.0',
  projects: true,
  kinds: KNOWN,
  models: { [NAME]: VERSION },
  ...change,
});
const active = (version: number) =>
  ({ build: { collection: NAME, version, number: 1 }, state: 'active' }) as BuildState;

/** A log and read models that programs share, on a clock and timers that the test moves. */
function world() {
  const store: MemoryMemberStore = new Map();
  const state = { now: 0, kinds: KNOWN as EventKinds, builds: [active(VERSION)], isAway: false, looks: 0 };
  /** What a look at the log waits for. */
  let answer: Promise<void> = Promise.resolve();
  const inner = createMemoryMembership(store, () => state.now);
  const reach = async () => {
    if (state.isAway) throw new LodeError('unavailable', 'It is away.');
  };
  const membership: Membership = {
    members: () => reach().then(inner.members),
    join: async (one) => {
      await reach();
      const joined = await inner.join(one);
      return { ...joined, renew: () => reach().then(joined.renew) };
    },
  };
  const { timers, waiting, fire } = manualTimers();
  const start = (
    shared: { readonly isShared: boolean; readonly knownKinds: EventKinds } = {
      isShared: true,
      knownKinds: KNOWN,
    },
  ) =>
    joinPrograms({
      name: 'old',
      projects: true,
      log: { name: 'the log', program: '1.0.0', ...shared },
      events: {
        kinds: async () => {
          state.looks += 1;
          await answer;
          return state.kinds;
        },
        header: async () => undefined,
      },
      models: { builds: async () => state.builds },
      membership,
      timers,
      machine: { clock: () => state.now, monotonic: systemMonotonic, random: systemRandom },
    });
  /** Lets it renew and look once more. */
  const look = async () => {
    await until(() => waiting().length === 2);
    fire(Infinity);
    await until(() => waiting().length === 2);
  };
  /** Lets the log say nothing, and renewals go on beside one look. */
  const silence = async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await until(() => waiting().length === 2);
    answer = promise;
    fire(Infinity);
    const renew = async () => {
      await until(() => waiting().length === 1);
      fire(Infinity);
      await until(() => waiting().length === 1);
    };
    return { renew, end: resolve };
  };
  const names = async () => (await inner.members()).map(({ name }) => name);
  return { state, inner, start, look, silence, names };
}

test('a program says what it reads for as long as it runs, and no longer', async () => {
  const { state, inner, start, look, names } = world();
  const programs = await start();
  const [own] = await inner.members();
  expect(own).toMatchObject({ name: 'old', kinds: KNOWN, models: { [NAME]: VERSION } });
  for (let looks = 0; looks < 4; looks++) {
    state.now += memberLimits.ttlMs - 1;
    await look();
  }
  expect(await names()).toEqual(['old']);
  await inner.join(member('new'));
  await look();
  expect(programs.members().map(({ name }) => name)).toEqual(['new', 'old']);
  await programs.leave();
  expect(await names()).toEqual(['new']);
});

test('one that can’t read what was written refuses to start, and is waited for by nobody', async () => {
  const { state, start, names } = world();
  state.kinds = { ...KNOWN, Opened: 3 };
  await expect(start()).rejects.toMatchObject({ code: 'storage_failed' });
  state.kinds = KNOWN;
  state.builds = [active(VERSION + 1)];
  await expect(start().then(({ leave }) => leave())).resolves.toBeUndefined();
  expect(await names()).toEqual([]);
});

test('one that can’t read what a newer one that runs has made refuses to start', async () => {
  const { state, inner, start, names } = world();
  state.builds = [active(VERSION + 1)];
  await inner.join(member('new', { models: { [NAME]: VERSION + 1 } }));
  await expect(start()).rejects.toMatchObject({
    code: 'storage_failed',
    message: expect.stringContaining(`${NAME} of version ${VERSION + 1}`),
  });
  expect(await names()).toEqual(['new']);
});

test('one that meets what it can’t read says so, is waited for by nobody, and stays so', async () => {
  const { state, start, look, names } = world();
  const programs = await start();
  state.kinds = { ...KNOWN, Starred: 1 };
  await look();
  expect([programs.beyond(), await names()]).toEqual([{ kinds: { Starred: 1 }, models: {} }, []]);
  await look();
  expect([programs.beyond(), await names()]).toEqual([{ kinds: { Starred: 1 }, models: {} }, []]);
  await programs.leave();
});

test('one that newer read models were made beside is a member again once the newer programs have ended', async () => {
  const { state, inner, start, look, names } = world();
  const programs = await start();
  const newer = await inner.join(member('new', { models: { [NAME]: VERSION + 1 } }));
  state.builds = [active(VERSION + 1)];
  await look();
  expect([programs.beyond().models, await names()]).toEqual([{ [NAME]: VERSION + 1 }, ['new']]);
  await newer.leave();
  await look();
  expect([programs.beyond().models, await names()]).toEqual([{}, ['old']]);
  await programs.leave();
});

test('one of whom nothing could be said is a member again once it can', async () => {
  const { state, start, look, names } = world();
  const programs = await start();
  state.isAway = true;
  state.now += memberLimits.ttlMs;
  await look();
  expect(await names()).toEqual([]);
  state.isAway = false;
  await look();
  expect([await names(), programs.beyond().kinds]).toEqual([['old'], {}]);
  await programs.leave();
});

test('one whose log says nothing stays a member, and looks once it answers', async () => {
  const { state, start, look, silence, names } = world();
  const programs = await start();
  const { renew, end } = await silence();
  for (let times = 0; times < 4; times++) {
    await renew();
    state.now += memberLimits.ttlMs - 1;
    expect(await names()).toEqual(['old']);
  }
  state.kinds = { ...KNOWN, Starred: 1 };
  end();
  await look();
  expect([programs.beyond().kinds, await names()]).toEqual([{ Starred: 1 }, []]);
  await programs.leave();
});

test('one that joins again looks once more after that, at once', async () => {
  const { state, inner, start, silence, names } = world();
  const programs = await start();
  const { renew, end } = await silence();
  // Another life takes its place, and ends.
  await (await inner.join(member('old'))).leave();
  await renew();
  expect(await names()).toEqual(['old']);
  const { looks } = state;
  end();
  await until(() => state.looks > looks);
  await programs.leave();
});

test('one that has its log to itself joins nobody', async () => {
  const { start, names } = world();
  const programs = await start({ isShared: false, knownKinds: {} });
  expect([await names(), programs.members(), programs.beyond()]).toEqual([[], [], { kinds: {}, models: {} }]);
  await programs.leave();
});

test('what all read is the newest version that each of them does', () => {
  const [old, next] = [{ kinds: { Opened: 2 } }, { kinds: { Opened: 3, Starred: 1 } }];
  const asked = { Opened: 3, Starred: 1 };
  const any = { kinds: undefined };
  expect([[next], [next, old], [next, any], []].map((all) => lowered(asked, all))).toEqual([
    asked,
    { Opened: 2 },
    asked,
    asked,
  ]);
});

test('queries read another version of a model once all programs make it, in either way', () => {
  const build = { collection: NAME, version: 2, number: 7 };
  const making = (...versions: (number | undefined)[]) =>
    allMake(
      build,
      versions.map((version) => ({ models: version === undefined ? {} : { [NAME]: version } })),
    );
  expect([making(2, 2), making(2, undefined), making(), making(1, 2), making(2, 3)]).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

test('that a model may be swapped is asked anew each time, and that it may not is remembered for a moment', async () => {
  const build = { collection: NAME, version: 2, number: 7 };
  const there = [{ models: { [NAME]: 2 } }];
  let [asked, now] = [0, 0];
  const mayActivate = mayActivateBy(
    async () => {
      asked += 1;
      return [...there];
    },
    () => now,
  );
  expect([await mayActivate(build), asked]).toEqual([true, 1]);
  // An older one has come since.
  there.push({ models: { [NAME]: 1 } });
  expect([await mayActivate(build), await mayActivate(build), asked]).toEqual([false, false, 2]);
  there.pop();
  now += memberLimits.ttlMs;
  expect([await mayActivate(build), asked]).toEqual([true, 3]);
});

test('read models of a later version are beyond a program only while one is there that makes them', () => {
  const next = { models: { [NAME]: 3 } };
  expect(modelsBeyond([active(3)], [next], { [NAME]: 2 })).toEqual({ [NAME]: 3 });
  expect(modelsBeyond([active(3)], [], { [NAME]: 2 })).toEqual({});
  expect(modelsBeyond([active(2)], [next], { [NAME]: 2 })).toEqual({});
  expect(modelsBeyond([active(3)], [next], {})).toEqual({});
});

test('the projections are left to older programs that run them, and to newer ones once theirs is read', () => {
  const own = { [NAME]: 2 };
  const among = (members: readonly Member[], models = {}) =>
    leavesProjections({ beyond: () => ({ kinds: {}, models }), members: () => members }, own);
  const making = (version: number, projects = true) =>
    member('other', { models: { [NAME]: version }, projects });
  expect([among([]), among([making(2)]), among([making(3)]), among([making(1, false)])]).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect([among([making(1)]), among([making(3)], { [NAME]: 3 })]).toEqual([true, true]);
});

test('projections and reactors are left to one that reads what was written, if it runs them, and go on without such', () => {
  const unread = { Starred: 1, Opened: 3 };
  const among = (kinds: EventKinds, ...members: Member[]) => {
    const programs = { beyond: () => ({ kinds, models: {} }), members: () => members };
    return [leavesEvents(programs), leavesProjections(programs)];
  };
  const newer = member('newer', { kinds: { ...KNOWN, ...unread } });
  const [left, kept] = [
    [true, true],
    [false, false],
  ];
  expect([among(unread, newer), among(unread, member('any', { kinds: undefined }))]).toEqual([left, left]);
  expect([
    among(unread),
    among(unread, member('old')),
    among(unread, member('half', { kinds: { ...KNOWN, Starred: 1 } })),
    among(unread, { ...newer, projects: false }),
    among({}, newer),
  ]).toEqual([kept, kept, kept, kept, kept]);
});

test('one that went on gives its seats up at its next look, and has them again once no newer one is there', async () => {
  const { state, inner, start, look } = world();
  const programs = await start();
  const store = new Map();
  const leases = holdingBack(
    createMemoryLeases(store, 'old', () => state.now),
    () => leavesProjections(programs),
  );
  const seat = await leases.acquire('projector');
  state.kinds = { ...KNOWN, Starred: 1 };
  await look();
  // Nobody else can.
  expect(await seat?.renew()).toBe(true);
  const newer = await inner.join(member('newer', { kinds: state.kinds }));
  await look();
  expect([await seat?.renew(), await leases.acquire('projector-1')]).toEqual([false, undefined]);
  expect(await createMemoryLeases(store, 'newer', () => state.now).acquire('projector')).toBeDefined();
  await newer.leave();
  await look();
  expect(await leases.acquire('projector-1')).toBeDefined();
  await programs.leave();
});

test('a lease that is held back is neither taken nor kept, and the others are', async () => {
  const store = new Map();
  const [own, other] = ['own', 'other'].map((holder) => createMemoryLeases(store, holder, () => 0));
  let isHeldBack = false;
  const leases = holdingBack(
    own as NonNullable<typeof own>,
    (name) => isHeldBack && name.startsWith('projector'),
  );
  const lease = await leases.acquire('projector');
  expect(await lease?.renew()).toBe(true);
  isHeldBack = true;
  expect(await lease?.renew()).toBe(false);
  expect([await leases.acquire('projector'), await leases.acquire('projector-1')]).toEqual([
    undefined,
    undefined,
  ]);
  expect(await other?.acquire('projector')).toBeDefined();
  expect(await leases.acquire('reactors')).toBeDefined();
});
