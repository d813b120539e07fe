import { beforeEach, expect, test } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import type { Session } from '#identity';
import { positionOf, type Position } from '#kernel';
import type { DocumentChange } from '#projections';
import { createLiveChanges, type LiveChanges, type LiveListener, type LiveTelling } from './changes.js';

/** More changes than are kept for whoever comes back. */
const MANY = 1_200;

let live: LiveChanges;
let tellChanges: (changes: readonly DocumentChange[]) => void;
let tellRebuilt: () => void;
/** What is asked of a session before its listener is told anything. */
let isAlive: (session: Session) => boolean | Promise<boolean>;
let telling: LiveTelling;
/** Whether it is worth to find out what changes. */
let isHeard: () => boolean;
let now: number;

beforeEach(() => {
  isAlive = () => true;
  now = 0;
  const feed = {
    onChanges: (listener: typeof tellChanges, heard = () => true) => {
      tellChanges = listener;
      isHeard = heard;
      return () => void (tellChanges = () => undefined);
    },
    onRebuilt: (listener: typeof tellRebuilt) => {
      tellRebuilt = listener;
      return () => void (tellRebuilt = () => undefined);
    },
  };
  telling = () => () => undefined;
  live = createLiveChanges(
    feed,
    (session) => isAlive(session),
    (changes) => telling(changes),
    { monotonic: () => now },
  );
});

/** A change of a document of somebody's. */
function change(n: number, ownerId: string): DocumentChange {
  return { collection: 'accounts', id: `${ownerId} ${n}`, ownerId, position: positionOf(n) };
}

/** A listener, and what it is told. */
function listener(userId: string, role: Session['role'] = 'user') {
  const told: string[] = [];
  const one: LiveListener = {
    session: { userId, role, sessionId: `of ${userId}`, expiresAt: Infinity },
    changed: (changes, position) => void told.push([...changes.map(({ id }) => id), position].join(', ')),
    reset: () => void told.push('reset'),
    ended: () => void told.push('ended'),
  };
  return { told, one };
}

/** A listener that has joined. */
function joined(userId: string, role?: Session['role'], since?: Position) {
  const { told, one } = listener(userId, role);
  live.join(one, since);
  return { told, one };
}

test('each is told what is theirs, and an admin everything, with the place of the whole batch', () => {
  const [ann, bob, admin] = [joined('ann'), joined('bob'), joined('root', 'admin')];
  tellChanges([change(2, 'ann'), change(1, 'carl')]);
  expect(ann.told).toEqual([`ann 2, ${positionOf(2)}`]);
  expect(bob.told).toEqual([]);
  expect(admin.told).toEqual([`ann 2, carl 1, ${positionOf(2)}`]);
});

test('what two people are shown is told to both of them, and to nobody else', () => {
  const [ann, bob, carl] = [joined('ann'), joined('bob'), joined('carl')];
  tellChanges([{ ...change(1, 'ann'), alsoOf: 'bob' }]);
  expect([ann.told, bob.told, carl.told]).toEqual([
    [`ann 1, ${positionOf(1)}`],
    [`ann 1, ${positionOf(1)}`],
    [],
  ]);
});

test('whoever leaves, and everybody once it is closed, is told nothing more', () => {
  const [ann, bob] = [joined('ann'), joined('bob')];
  live.leave(ann.one);
  tellChanges([change(1, 'ann'), change(1, 'bob')]);
  live.close();
  tellChanges([change(2, 'bob')]);
  tellRebuilt();
  expect([ann.told, bob.told]).toEqual([[], [`bob 1, ${positionOf(1)}`]]);
});

test('whoever comes back is told what they missed', () => {
  tellChanges([change(1, 'ann')]);
  tellChanges([change(2, 'ann'), change(2, 'bob')]);
  tellChanges([change(3, 'bob')]);
  expect(joined('ann', 'user', positionOf(1)).told).toEqual([`ann 2, ${positionOf(3)}`]);
  expect(joined('ann', 'user', positionOf(2)).told).toEqual([]);
});

test('whoever comes back for what is not known any more fetches everything anew', () => {
  expect(joined('ann', 'user', positionOf(1)).told).toEqual(['reset']);
  for (let n = 1; n <= MANY; n += 1) tellChanges([change(n, 'ann')]);
  expect(joined('ann', 'user', positionOf(1)).told).toEqual(['reset']);
  expect(joined('bob', 'user', positionOf(MANY - 1)).told).toEqual([]);
  const known = joined('ann', 'user', positionOf(MANY - 1));
  expect(known.told).toEqual([`ann ${MANY}, ${positionOf(MANY)}`]);
  tellRebuilt();
  expect(known.told.at(-1)).toBe('reset');
  expect(joined('ann', 'user', positionOf(MANY)).told).toEqual(['reset']);
});

test('is told in the order of the log, in whatever order it is known that the session lives', async () => {
  const ann = joined('ann');
  const [first, second] = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()];
  const answers = [first.promise, second.promise, true];
  isAlive = () => answers.shift() ?? true;
  for (const n of [1, 2, 3]) tellChanges([change(n, 'ann')]);
  second.resolve(true);
  await setImmediate();
  expect(ann.told).toEqual([]);
  first.resolve(true);
  await setImmediate();
  expect(ann.told).toEqual([1, 2, 3].map((n) => `ann ${n}, ${positionOf(n)}`));
  tellChanges([change(4, 'ann')]);
  expect(ann.told.at(-1)).toBe(`ann 4, ${positionOf(4)}`);
});

test('whose session has ended is let go, whether that is known at once or looked up', async () => {
  const [ann, bob, carl] = [joined('ann'), joined('bob'), joined('carl')];
  const { promise: looked, resolve } = Promise.withResolvers<boolean>();
  isAlive = ({ userId }) => (userId === 'ann' ? false : looked);
  tellChanges([change(1, 'ann'), change(1, 'bob'), change(1, 'carl')]);
  live.leave(carl.one);
  resolve(false);
  // Everything that waits for the answer has had its turn then.
  await setImmediate();
  isAlive = () => true;
  tellChanges([change(2, 'ann'), change(2, 'bob'), change(2, 'carl')]);
  expect([ann.told, bob.told, carl.told]).toEqual([['ended'], ['ended'], []]);
});

test('who traces hears once of each change how many were told, when all were, and of what nobody was told nothing', async () => {
  const heard: unknown[] = [];
  telling = (changes) => {
    heard.push(changes.map(({ id }) => id).join());
    return (listeners) => heard.push(listeners);
  };
  for (const one of [joined('ann'), joined('ann'), joined('root', 'admin')]) expect(one.told).toEqual([]);
  tellChanges([change(1, 'ann')]);
  expect(heard.splice(0)).toEqual(['ann 1', 3]);
  const { promise: looked, resolve } = Promise.withResolvers<boolean>();
  isAlive = ({ role }) => (role === 'admin' ? looked : true);
  tellChanges([change(2, 'ann')]);
  expect(heard.splice(0)).toEqual(['ann 2']);
  resolve(true);
  await setImmediate();
  expect(heard.splice(0)).toEqual([3]);
  isAlive = () => false;
  tellChanges([change(3, 'ann')]);
  tellChanges([change(4, 'carl')]);
  await setImmediate();
  expect(heard).toEqual(['ann 3']);
});

test('changes are worth to be found out from the first listener until a minute after the last one left', async () => {
  expect(isHeard()).toBe(false);
  const [ann, bob] = [joined('ann'), joined('bob')];
  expect(isHeard()).toBe(true);
  live.leave(ann.one);
  now += 60_000;
  expect(isHeard()).toBe(true);
  isAlive = () => false;
  tellChanges([change(1, 'bob')]);
  expect(bob.told).toEqual(['ended']);
  now += 59_999;
  expect(isHeard()).toBe(true);
  now += 1;
  live.leave(ann.one);
  expect(isHeard()).toBe(false);
});
