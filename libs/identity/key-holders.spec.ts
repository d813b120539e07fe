import { afterEach, describe, expect, test } from '@jest/globals';
import { joinKeyHolders, type KeyHolder, type KeyHolders } from '#identity';
import { isLodeError, LodeError, systemTimers } from '#kernel';

/** Holders of one store, in memory. */
function holdersOf(): KeyHolders & { readonly all: Map<string, KeyHolder> } {
  const all = new Map<string, KeyHolder>();
  return {
    all,
    hold: async (holder) => void all.set(holder.name, holder),
    prolong: async (name) => all.has(name),
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

const quiet = { requireKeys: async () => undefined, timers: systemTimers };
const left: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const leave of left.splice(0)) await leave();
});

/** What the second of two is refused with; undefined when it may come in. */
async function refusal(first: string, second: string): Promise<string | undefined> {
  const holders = holdersOf();
  const join = async (name: string, text: string) =>
    void left.push((await joinKeyHolders(holders, holder(name, text), quiet)).leave);
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
      prolong: async (name) => {
        said += 1;
        await slow.promise;
        return holders.prolong(name);
      },
    },
    holder('a', 'old'),
    { ...quiet, timers },
  );
  expect(said).toBe(0);
  for (const _ of ['a tick', 'another']) {
    waiting.shift()?.();
    await systemTimers.yieldNow();
  }
  expect(said).toBe(1);
  const leaving = leave();
  slow.resolve();
  await leaving;
  expect([said, holders.all.size, waiting.length]).toEqual([1, 0, 0]);
});

describe('whoever was taken for ended', () => {
  /** Somebody at work of whom nothing was heard; who came meanwhile, and what the store says of its keys by then. */
  async function unheard(text: string, meanwhile = '', requireKeys = quiet.requireKeys) {
    const holders = holdersOf();
    const held = await joinKeyHolders(holders, holder('a', text), { ...quiet, requireKeys });
    left.push(held.leave);
    await held.confirm();
    holders.all.clear();
    if (meanwhile !== '') await holders.hold(holder('b', meanwhile));
    return { ...held, holders };
  }

  test('is at work again, and seen, where all fits', async () => {
    const { confirm, holders } = await unheard('old new', 'new old');
    await confirm();
    expect([...holders.all.keys()]).toEqual(['b', 'a']);
  });

  test.each([
    ['old', 'new', 'does not have the key old'],
    ['old new', 'new old *', 'wraps everything with the key new'],
  ])('with %j does not go on beside %j', async (text, meanwhile, what) => {
    const { confirm, holders } = await unheard(text, meanwhile);
    const refused = { code: 'unavailable', message: expect.stringContaining(what) };
    await expect(confirm()).rejects.toMatchObject(refused);
    // Nobody has to wait for it, and it does not come again.
    expect([...holders.all.keys()]).toEqual(['b']);
    holders.all.clear();
    await expect(confirm()).rejects.toMatchObject(refused);
    expect(holders.all.size).toBe(0);
  });

  test('does not go on where the store has other keys', async () => {
    const retired = () => Promise.reject(new LodeError('not_permitted', 'It has other keys.'));
    const { confirm, holders } = await unheard('old', '', retired);
    await expect(confirm()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/taken for ended, .* until it is started again. It has other keys\.$/),
    });
    expect(holders.all.size).toBe(0);
  });

  test('looks again where that failed in the middle', async () => {
    const failures = [new LodeError('unavailable', 'away')];
    let looks = 0;
    const { confirm } = await unheard('old', '', async () => {
      const failure = failures.pop();
      if (failure !== undefined) throw failure;
      looks += 1;
    });
    await expect(confirm()).rejects.toThrow('away');
    // It is held again by then, and that alone is not enough.
    await confirm();
    expect(looks).toBe(1);
  });

  test('has to begin anew when it rewraps', async () => {
    const { confirmAmongOthers, holders } = await unheard('new old *');
    await expect(confirmAmongOthers()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/others may have come/),
    });
    expect(holders.all.size).toBe(0);
  });
});

test('a rewrap looks at the others once more before its end', async () => {
  const holders = holdersOf();
  const held = await joinKeyHolders(holders, holder('a', 'new old *'), quiet);
  left.push(held.leave);
  await held.confirmAmongOthers();
  await holders.hold(holder('b', 'old new'));
  await expect(held.confirmAmongOthers()).rejects.toMatchObject({
    code: 'not_permitted',
    message: expect.stringContaining('wraps with another key'),
  });
});

test('all who ask while one looks share the next look', async () => {
  const holders = holdersOf();
  let looks = 0;
  const slow = Promise.withResolvers<void>();
  const prolong = async (name: string) => {
    looks += 1;
    await slow.promise;
    return holders.prolong(name);
  };
  const held = await joinKeyHolders({ ...holders, prolong }, holder('a', 'old'), quiet);
  left.push(held.leave);
  const first = held.confirm();
  // It has begun: who asks from here on may have been paused since.
  await systemTimers.yieldNow();
  const others = [held.confirm(), held.confirm(), held.confirm()];
  slow.resolve();
  await Promise.all([first, ...others]);
  expect(looks).toBe(2);
});
