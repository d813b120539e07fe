import { beforeEach, expect, test } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import type { Session } from '#identity';
import { positionOf, type Position } from '#kernel';
import type { DocumentChange } from '#projections';
import { createLiveChanges, type LiveChanges, type LiveListener } from './changes.js';

/** More changes than are kept for whoever comes back. */
const MANY = 1_200;

let live: LiveChanges;
let tellChanges: (changes: readonly DocumentChange[]) => void;
let tellRebuilt: () => void;
/** What is asked of a session before its listener is told anything. */
let isAlive: (session: Session) => boolean | Promise<boolean>;

beforeEach(() => {
  isAlive = () => true;
  const feed = {
    onChanges: (listener: typeof tellChanges) => {
      tellChanges = listener;
      return () => void (tellChanges = () => undefined);
    },
    onRebuilt: (listener: typeof tellRebuilt) => {
      tellRebuilt = listener;
      return () => void (tellRebuilt = () => undefined);
    },
  };
  live = createLiveChanges(feed, (session) => isAlive(session));
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
