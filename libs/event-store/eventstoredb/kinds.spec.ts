import { expect, test } from '@jest/globals';
import { LodeError, logStart } from '#kernel';
import { until } from '#kernel/testing';
import { kindsBeyond, type Append, type EventKinds } from '../port.js';
import { sealedEvents } from '../testing/index.js';
import { keepingKinds } from './kinds.js';

const REFUSED = { code: 'unavailable', details: { retryAfterSeconds: 5 } };

/** One event of a kind, at the beginning of a stream of its own. */
function first(stream: string, type: string, version = 1): Append {
  const events = sealedEvents(stream, 0, 1).map((event) => ({ ...event, type, version }));
  return { stream, expected: 'no-stream', events };
}

/** A log whose header has some kinds, and the programs beside it, each with what it reads. */
function world(header: EventKinds, ...programs: EventKinds[]) {
  const appended: string[] = [];
  const types: string[] = [];
  const state = { header, now: 0, asked: 0, looks: 0, onKept: (): void => undefined };
  /** What a look waits for. */
  let answer: Promise<void> = Promise.resolve();
  const late = new Set<() => void>();
  const reads = (type: string) => Math.min(...programs.map((kinds) => kinds[type] ?? 0));
  const { append, settled } = keepingKinds(
    async ({ stream, events }) => {
      appended.push(stream);
      types.push(...events.map(({ type }) => type));
      return { revision: 0, position: logStart };
    },
    {
      monotonic: () => state.now,
      timers: {
        after: (_, done) => {
          late.add(done);
          return () => late.delete(done);
        },
      },
      kinds: async () => {
        state.looks += 1;
        await answer;
        return state.header;
      },
      keepKinds: async (wanted) => {
        state.header = { ...state.header, ...kindsBeyond(wanted, state.header) };
        state.onKept();
        return state.header;
      },
      readByAll: async (kinds) => {
        state.asked += 1;
        const lowered = Object.entries(kinds).map(([type, version]) => [
          type,
          Math.min(version, reads(type)),
        ]);
        return Object.fromEntries(lowered.filter(([, version]) => version !== 0)) as EventKinds;
      },
    },
  );
  /** Lets looks wait until they are answered, or fail. */
  const silence = () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    answer = promise;
    return { answer: resolve, fail: reject };
  };
  const runOut = () => [...late].forEach((done) => done());
  return { append, appended, types, settled, state, programs, silence, runOut };
}

/** The code that an append failed with; undefined where it was done. */
const outcome = (appending: Promise<unknown>) =>
  appending.then(
    () => undefined,
    (error: unknown) => (error as LodeError).code,
  );

test('a kind that everyone reads is kept and written, and asked for once', async () => {
  const { append, appended, state } = world({}, { Opened: 2 }, { Opened: 3 });
  await append(first('a', 'Opened', 2));
  const { asked } = state;
  await append(first('b', 'Opened', 2));
  await append(first('c', 'Opened', 1));
  expect([appended, state.header, state.asked]).toEqual([['a', 'b', 'c'], { Opened: 2 }, asked]);
});

test.each([
  ['a type', 'Starred', 1],
  ['a version', 'Opened', 3],
] as const)(
  '%s that one does not read is neither written nor kept, and all else is',
  async (_, type, version) => {
    const { append, appended, state } = world(
      { Opened: 2 },
      { Opened: 2, Closed: 1 },
      { Opened: 3, Closed: 1, Starred: 1 },
    );
    const refused = append(first('a', type, version));
    const beside = [append(first('b', 'Opened', 2)), append(first('c', 'Closed'))];
    await expect(refused).rejects.toMatchObject(REFUSED);
    await Promise.all(beside);
    await expect(append(first('d', type, version))).rejects.toMatchObject(REFUSED);
    expect([appended, state.header]).toEqual([['b', 'c'], { Opened: 2, Closed: 1 }]);
  },
);

test('a kind is not written while somebody is there who came before it was kept, and is once they have ended', async () => {
  const { append, appended, state, programs } = world({}, { Starred: 1 });
  state.onKept = () => void programs.push({});
  await expect(append(first('a', 'Starred'))).rejects.toMatchObject(REFUSED);
  expect([appended, state.header]).toEqual([[], { Starred: 1 }]);
  programs.pop();
  state.onKept = () => undefined;
  // Somebody asked just now.
  await expect(append(first('b', 'Starred'))).rejects.toMatchObject(REFUSED);
  state.now += 1_000;
  await append(first('c', 'Starred'));
  expect(appended).toEqual(['c']);
});

test('an older program goes on writing what it knows of a type that has a newer version', async () => {
  const { append, appended } = world({ Opened: 3 }, { Opened: 2 });
  await append(first('a', 'Opened', 2));
  await expect(append(first('b', 'Opened', 3))).rejects.toMatchObject(REFUSED);
  expect(appended).toEqual(['a']);
});

test('many that are refused at once make one look, and what is kept does not wait for it', async () => {
  const { append, appended, state, silence } = world({ Opened: 1 }, { Opened: 1 });
  await append(first('a', 'Opened'));
  const { looks } = state;
  const { answer } = silence();
  const refused = Array.from({ length: 50 }, (_, n) => outcome(append(first(`new ${n}`, 'Starred'))));
  await append(first('b', 'Opened'));
  answer();
  expect(new Set(await Promise.all(refused))).toEqual(new Set(['unavailable']));
  expect([appended, state.looks - looks]).toEqual([['a', 'b'], 1]);
});

test('a look that fails is told to all that wait for it, and made again for the next', async () => {
  const { append, appended, state, silence } = world({}, { Opened: 1, Closed: 1 });
  const { fail } = silence();
  const waiting = ['Opened', 'Closed', 'Opened'].map((type, n) => outcome(append(first(`${n}`, type))));
  fail(new LodeError('unavailable', 'It is away.'));
  expect(await Promise.all(waiting)).toEqual(['unavailable', 'unavailable', 'unavailable']);
  expect(state.looks).toBe(1);
  silence().answer();
  await append(first('a', 'Opened'));
  expect(appended).toEqual(['a']);
});

test('a server that says nothing holds up new kinds alone, which are refused in time', async () => {
  const { append, appended, settled, state, silence, runOut } = world(
    { Opened: 1 },
    { Opened: 1, Closed: 1 },
  );
  await append(first('a', 'Opened'));
  const { answer } = silence();
  const waiting = append(first('b', 'Closed'));
  await until(() => state.looks === 2);
  runOut();
  await expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
  await append(first('c', 'Opened'));
  // Those that come later wait for the same answer.
  const later = append(first('d', 'Closed'));
  expect(state.looks).toBe(2);
  answer();
  await later;
  await settled();
  expect([appended, state.looks]).toEqual([['a', 'c', 'd'], 2]);
});

test('appends to one stream are sent on in the order in which they came', async () => {
  const { append, appended, types, silence } = world({ Opened: 1 }, { Opened: 1, Closed: 1 });
  await append(first('a', 'Opened'));
  const { answer } = silence();
  const inOrder = [first('b', 'Closed'), first('b', 'Opened'), first('c', 'Opened')].map(append);
  answer();
  await Promise.all(inOrder);
  expect(appended).toEqual(['a', 'c', 'b', 'b']);
  expect(types.slice(2)).toEqual(['Closed', 'Opened']);
});
