import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { appendEach, limits, type EventStore } from '#event-store';
import { LodeError, type RecordedEvent, type StreamEvent } from '#kernel';
import type { CommandTo, Executor } from './command.js';
import { createMemoryEventStore } from '#event-store/memory';
import { checkLog, everything } from '#event-store/testing';
import {
  contextOf,
  startTally,
  watched,
  withFaults,
  type Tally,
  type TallyCommand,
  type TallyEvent,
} from './testing/index.js';

type TallyExecutor = Executor<TallyCommand, TallyEvent, Tally>;

const add = (stream: string, key: string, amount = 1, body?: string) => ({
  stream,
  command: { do: 'add', amount } as TallyCommand,
  context: contextOf(key, body),
});
const take = (stream: string, key: string, amount: number) => ({
  stream,
  command: { do: 'take', amount } as TallyCommand,
  context: contextOf(key),
});

async function sumsOf(store: EventStore): Promise<Readonly<Record<string, number>>> {
  const sums: Record<string, number> = {};
  for (const { stream, data } of await checkLog(store))
    sums[stream] = (sums[stream] ?? 0) + Number(data['amount']);
  return sums;
}

/** A store that counts how it is read. */
function counted(inner: EventStore) {
  const reads = { one: 0, many: 0 };
  const store: EventStore = {
    ...inner,
    readStream: (stream, read) => {
      reads.one += 1;
      return inner.readStream(stream, read);
    },
    readStreams: (streams, limit) => {
      reads.many += 1;
      return inner.readStreams(streams, limit);
    },
  };
  return { store, reads };
}

type SentCommand = Omit<CommandTo<TallyCommand>, 'command'> & { readonly command: TallyCommand };

/** Batches of commands to a few streams, with keys that come again, for the same request and for others. */
const batches = fc.array(
  fc.array(
    fc
      .record({
        stream: fc.constantFrom('a', 'b', 'c', 'd'),
        key: fc.constantFrom(...'abcdefghijklmnop'),
        body: fc.constantFrom('one', 'one', 'one', 'other'),
        command: fc.record({
          do: fc.constantFrom('add' as const, 'add' as const, 'take' as const),
          amount: fc.nat({ max: 9 }),
        }),
      })
      .map(({ stream, key, body, command }): SentCommand => ({
        stream,
        command: command,
        context: contextOf(key + stream, body),
      })),
    { maxLength: 40 },
  ),
  { maxLength: 4 },
);

type Answer = PromiseSettledResult<{ readonly events: readonly unknown[]; readonly replayed: boolean }>;
const codeOf = (reason: unknown) => (reason as { readonly code: string }).code;
const brief = (answer: Answer) =>
  answer.status === 'rejected'
    ? codeOf(answer.reason)
    : `${answer.value.events.length} ${String(answer.value.replayed)}`;

/** What each comes to when it is sent by itself, one after the other. */
async function oneByOne(tally: TallyExecutor, asked: readonly SentCommand[]): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const { stream, command, context } of asked) {
    const [answer] = await Promise.allSettled([tally.execute(stream, command, context)]);
    answers.push(brief(answer));
  }
  return answers;
}

describe('many commands at once', () => {
  test.each([true, false])(
    'are what each would be by itself, also several to one stream and refused ones among them; kept: %s',
    async (keep) => {
      await fc.assert(
        fc.asyncProperty(batches, async (all) => {
          const [single, many] = [createMemoryEventStore(), createMemoryEventStore()];
          const one = startTally(single);
          const same = startTally(many);
          for (const asked of all) {
            // Without keeping, every executor knows nothing of the batch before.
            const answers = await (keep ? same : startTally(many)).executeMany(asked, { keep });
            expect(answers.map(brief)).toEqual(await oneByOne(one, asked));
          }
          const parts = ({ stream, revision, id, data }: RecordedEvent) => [stream, revision, id, data];
          const sorted = async (store: EventStore) =>
            (await checkLog(store)).map((event) => JSON.stringify(parts(event))).sort();
          expect(await sorted(many)).toEqual(await sorted(single));
        }),
        { numRuns: 40 },
      );
    },
  );

  test('read what is not in memory together and leave memory as it was', async () => {
    const { store, reads } = counted(createMemoryEventStore());
    const tally = startTally(store);
    await tally.execute('warm', { do: 'add', amount: 1 }, contextOf('first'));
    reads.one = 0;
    await tally.executeMany([add('warm', 'k0'), add('cold-1', 'k1'), add('cold-2', 'k2')]);
    expect(reads).toEqual({ one: 0, many: 1 });
    await tally.execute('warm', { do: 'add', amount: 1 }, contextOf('second'));
    expect(reads.one).toBe(0);
    await tally.execute('cold-1', { do: 'add', amount: 1 }, contextOf('third'));
    expect(reads.one).toBe(1);
    expect(await sumsOf(store)).toEqual({ warm: 3, 'cold-1': 2, 'cold-2': 1 });
  });

  test('stay in memory when they are to be kept', async () => {
    const { store, reads } = counted(createMemoryEventStore());
    await startTally(store).execute('cold', { do: 'add', amount: 1 }, contextOf('first'));
    const tally = startTally(store);
    await tally.executeMany([add('cold', 'k1'), add('new', 'k2')], { keep: true });
    reads.one = 0;
    await tally.executeMany([add('cold', 'k3'), add('new', 'k4')]);
    expect(reads).toEqual({ one: 0, many: 1 });
  });

  test('to one stream share as few appends as hold them', async () => {
    const { store, appends } = watched(createMemoryEventStore());
    const tally = startTally(store);
    await tally.executeMany([add('a', 'k0')], { keep: true });
    await tally.executeMany(Array.from({ length: 1_000 }, (_, n) => add('a', `k${n}`)));
    expect(appends.map(({ events }) => events.length)).toEqual([1, 255, 256, 256, 232]);
  });

  test('that could not be made are refused with why, unless they were carried out before', async () => {
    const tally = startTally(createMemoryEventStore());
    const wrong = new LodeError('amount_invalid', 'no amount');
    await tally.execute('a', { do: 'add', amount: 1 }, contextOf('k1'));
    const answers = await tally.executeMany([
      { ...add('a', 'k1'), command: wrong },
      { ...add('a', 'k2'), command: wrong },
      add('a', 'k3'),
    ]);
    expect(answers.map(brief)).toEqual(['1 true', 'amount_invalid', '1 false']);
  });

  test('are as many as one likes, on streams as long as they are', async () => {
    const store = createMemoryEventStore();
    const tally = startTally(store);
    await tally.execute('long', { do: 'add', amount: 1, events: 300 }, contextOf('long'));
    const many = Array.from({ length: limits.streamsPerRead + 10 }, (_, n) => add(`s${n}`, `k${n}`));
    const answers = await startTally(store).executeMany([...many, take('long', 'take', 300)]);
    expect(answers.every(({ status }) => status === 'fulfilled')).toBe(true);
    expect((await sumsOf(store))['long']).toBe(0);
    expect(await startTally(store).executeMany([])).toEqual([]);
  });

  test('go beside commands to the same streams from here and from elsewhere', async () => {
    const store = createMemoryEventStore();
    const [here, elsewhere] = [startTally(store), startTally(store)];
    const streams = Array.from({ length: 20 }, (_, n) => `s${n}`);
    const answers = await Promise.all([
      here.executeMany(streams.map((stream) => add(stream, `bulk ${stream}`))),
      ...streams.map((stream) => here.execute(stream, { do: 'add', amount: 10 }, contextOf(`own ${stream}`))),
      elsewhere.executeMany(streams.map((stream) => add(stream, `other ${stream}`, 100))),
    ]);
    expect(answers[0].every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await sumsOf(store)).toEqual(Object.fromEntries(streams.map((stream) => [stream, 111])));
  });

  test('each know what became of them when the engine fails', async () => {
    const faulty = withFaults(createMemoryEventStore());
    const tally = startTally({
      ...faulty.store,
      readStreams: () => Promise.reject(new Error('injected: many')),
    });
    faulty.plan('storage_full', undefined, 'conflict');
    const answers = await tally.executeMany([add('a', 'k1'), add('b', 'k2'), add('c', 'k3')]);
    expect(answers).toMatchObject([
      { status: 'rejected', reason: { code: 'storage_full' } },
      { status: 'fulfilled' },
      { status: 'fulfilled' },
    ]);
    expect(await sumsOf(faulty.store)).toEqual({ b: 1, c: 1 });
  });

  test('hold back no other when the log has a stream that can’t be folded', async () => {
    const inner = createMemoryEventStore();
    await startTally(inner).executeMany([add('broken', 'k1'), add('whole', 'k2')]);
    const spoil = (events: readonly StreamEvent[]) =>
      events.map((event) => (event.stream === 'broken' ? { ...event, data: { amount: -1 } } : event));
    const tally = startTally({
      ...inner,
      readStream: async (stream, read) => spoil(await inner.readStream(stream, read)),
      readStreams: async (streams, limit) => (await inner.readStreams(streams, limit)).map(spoil),
    });
    const group = (key: string) => [add('broken', `${key} broken`), add('whole', `${key} whole`)];
    const outcomes = await Promise.all([tally.executeMany(group('k3')), tally.executeMany(group('k4'))]);
    for (const [broken, whole] of outcomes) {
      expect(broken).toMatchObject({ status: 'rejected', reason: { name: 'InvariantViolation' } });
      expect(whole?.status).toBe('fulfilled');
    }
    expect(await sumsOf(inner)).toEqual({ broken: 1, whole: 3 });
  });
});

describe('commands that are carried out together', () => {
  const together = { atomic: true, keep: true };

  /** What a group must come to: what each comes to by itself when nothing is refused, and else nothing. */
  async function expectedOf(
    past: readonly SentCommand[],
    group: readonly SentCommand[],
  ): Promise<readonly string[]> {
    const tally = startTally(createMemoryEventStore());
    await oneByOne(tally, past);
    const alone = await oneByOne(tally, group);
    const isRefused = alone.some((answer) => !/^\d/.test(answer));
    const carriedOut = new Set(past.map(({ context }) => context.commandId));
    return alone.map((answer, n) => {
      const isOwn = !/^\d/.test(answer) || carriedOut.has(group[n]?.context.commandId ?? '');
      return isRefused && !isOwn ? 'group_refused' : answer;
    });
  }

  test('are what each would be by itself, or none of them happens when one is refused', async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (all) => {
        const store = createMemoryEventStore();
        const past: SentCommand[] = [];
        for (const asked of all) {
          const answers = (await startTally(store).executeMany(asked, together)).map(brief);
          const expected: string[] = [];
          for (const [stream, group] of Map.groupBy(asked, (one) => one.stream)) {
            const of = await expectedOf(
              past.filter((one) => one.stream === stream),
              group,
            );
            group.forEach((one, n) => (expected[asked.indexOf(one)] = of[n] ?? ''));
          }
          expect(answers).toEqual(expected);
          past.push(...asked.filter((_, n) => /^[1-9]\d* false/.test(answers[n] ?? '')));
        }
        await checkLog(store);
      }),
      { numRuns: 40 },
    );
  });

  test('are in one append, streams of others go their way', async () => {
    const { store, appends } = watched(createMemoryEventStore());
    const tally = startTally(store);
    const answers = await tally.executeMany(
      [add('a', 'k1'), take('b', 'k2', 1), add('a', 'k3'), add('b', 'k4'), take('a', 'k5', 2)],
      together,
    );
    expect(answers.map(brief)).toEqual([
      '1 false',
      'insufficient_balance',
      '1 false',
      'group_refused',
      '1 false',
    ]);
    expect(appends.map(({ stream, events }) => [stream, events.length])).toEqual([['a', 3]]);
    expect(await everything(store)).toHaveLength(3);
  });

  test('that are too many for an append are refused, those from before are answered', async () => {
    const store = createMemoryEventStore();
    const tally = startTally(store);
    await tally.executeMany([add('a', 'k0')]);
    const many = Array.from({ length: limits.eventsPerAppend + 2 }, (_, n) => add('a', `k${n}`));
    const [first, ...rest] = (await tally.executeMany(many, together)).map(brief);
    expect([first, new Set(rest)]).toEqual(['1 true', new Set(['body_too_large'])]);
    const fits = (await tally.executeMany(many.slice(0, -1), together)).map(brief);
    expect([fits[0], new Set(fits.slice(1))]).toEqual(['1 true', new Set(['1 false'])]);
    expect(await sumsOf(store)).toEqual({ a: limits.eventsPerAppend + 1 });
  });

  test('that the engine finds too large are refused, those from before are answered', async () => {
    const inner = createMemoryEventStore();
    await startTally(inner).executeMany([add('a', 'k0')]);
    const append: EventStore['append'] = (request) =>
      request.events.length > 2
        ? Promise.reject(new LodeError('body_too_large', 'too large'))
        : inner.append(request);
    const store: EventStore = { ...inner, append, appendMany: appendEach(append) };
    const tally = startTally(store);
    const group = ['k0', 'k1', 'k2', 'k3'].map((key) => add('a', key));
    const refused = ['body_too_large', 'body_too_large', 'body_too_large'];
    expect((await tally.executeMany(group, together)).map(brief)).toEqual(['1 true', ...refused]);
    expect((await tally.executeMany(group)).map(brief)).toEqual(['1 true', '1 false', '1 false', '1 false']);
    expect(await sumsOf(inner)).toEqual({ a: 4 });
  });

  test('are whole beside commands from elsewhere, and after conflicts and lost answers', async () => {
    const faulty = withFaults(createMemoryEventStore());
    const [here, elsewhere] = [startTally(faulty.store), startTally(faulty.store)];
    faulty.plan('conflict', 'lost-answer');
    const group = ['k1', 'k2', 'k3'].map((key) => add('a', key));
    const [first, beside] = await Promise.all([
      here.executeMany(group, together),
      elsewhere.executeMany([add('a', 'other', 10)]),
    ]);
    const again = await here.executeMany(group, together);
    for (const answers of [first, beside, again]) {
      const all = new Set(answers.map(brief));
      expect(all.size).toBe(1);
    }
    const [othersAgain] = await elsewhere.executeMany([add('a', 'other', 10)]);
    expect(othersAgain?.status).toBe('fulfilled');
    expect(await sumsOf(faulty.store)).toEqual({ a: 13 });
  });

  test('are more than may wait for a stream only all at once', async () => {
    const tally = startTally(createMemoryEventStore());
    const group = (name: string) => Array.from({ length: 1_000 }, (_, n) => add('a', `${name} ${n}`));
    const answers = await Promise.all(
      ['1', '2', '3', '4', '5', '6'].map((name) => tally.executeMany(group(name), together)),
    );
    const outcomes = answers.map((some) => new Set(some.map(brief)));
    expect(outcomes.every(({ size }) => size === 1)).toBe(true);
    expect(outcomes.filter((some) => some.has('overloaded')).length).toBeGreaterThan(0);
    expect(outcomes.filter((some) => some.has('1 false')).length).toBeGreaterThan(3);
  });
});
