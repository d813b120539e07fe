import { afterEach, expect, test } from '@jest/globals';
import { joinKeyHolders, type KeyHolder, type KeyHolders } from '#identity';
import { isLodeError, systemTimers } from '#kernel';

/** Holders of one store, in memory. */
function holdersOf(): KeyHolders & { readonly all: ReadonlyMap<string, KeyHolder> } {
  const all = new Map<string, KeyHolder>();
  return {
    all,
    hold: async (holder) => void all.set(holder.name, holder),
    others: async (name) => [...all.values()].filter((one) => one.name !== name),
    letGo: async (name) => void all.delete(name),
  };
}

/** By their keys in order, parted by blanks; a rewrap with a star. */
const holder = (name: string, text: string): KeyHolder => ({
  name,
  where: `at ${name}`,
  keys: text.split(' ').filter((key) => key !== '' && key !== '*'),
  rewraps: text.includes('*'),
});

const left: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const leave of left.splice(0)) await leave();
});

/** What the second of two is refused with; undefined when it may come in. */
async function refusal(first: string, second: string): Promise<string | undefined> {
  const holders = holdersOf();
  const join = async (name: string, text: string) =>
    void left.push((await joinKeyHolders(holders, holder(name, text), systemTimers)).leave);
  await join('a', first);
  try {
    await join('b', second);
    return undefined;
  } catch (error) {
    // Whoever is refused has let go.
    expect([...holders.all.keys()]).toEqual(['a']);
    return isLodeError(error) && error.code === 'not_permitted' ? error.message : String(error);
  }
}

test.each([
  ['', ''],
  ['old', 'old'],
  ['old new', 'old new'],
  ['old new', 'new old'],
  ['new old', 'new old *'],
  ['new', 'new old *'],
  ['new old *', 'new'],
  ['new old *', 'new old *'],
])('with %j at work %j may come', async (first, second) => {
  expect(await refusal(first, second)).toBeUndefined();
});

test.each([
  ['', 'new', 'does not have the key new'],
  ['old', 'new old', 'does not have the key new'],
  ['old', 'new old *', 'does not have the key new'],
  ['new', '', 'wraps with the key new, which LODE_KEY_FILE does not have here'],
  ['new old', 'old', 'wraps with the key new, which LODE_KEY_FILE does not have here'],
  ['old new', 'new old *', 'wraps with another key: start it again with new first'],
  ['new old *', 'old new', 'wraps everything with the key new: put that first'],
])('with %j at work %j is refused, which is told where', async (first, second, what) => {
  const message = await refusal(first, second);
  expect(message).toContain(what);
  expect(message).toMatch(/^Lode at work on the same identities, at a, /);
});

test('it is said again and again until it is left, and never twice at a time', async () => {
  const waiting: (() => void)[] = [];
  const timers = {
    after: (_: number, done: () => void) => {
      waiting.push(done);
      return () => void waiting.splice(waiting.indexOf(done), 1);
    },
    yieldNow: async () => undefined,
  };
  const holders = holdersOf();
  const slow = Promise.withResolvers<void>();
  let said = 0;
  const { leave } = await joinKeyHolders(
    {
      ...holders,
      hold: async (one) => {
        said += 1;
        if (said > 1) await slow.promise;
        await holders.hold(one);
      },
    },
    holder('a', 'old'),
    timers,
  );
  expect(said).toBe(1);
  for (const _ of ['a tick', 'another']) waiting.shift()?.();
  expect(said).toBe(2);
  const leaving = leave();
  slow.resolve();
  await leaving;
  expect([said, holders.all.size, waiting.length]).toEqual([2, 0, 0]);
});
