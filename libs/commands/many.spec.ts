import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { EventStore } from '#event-store';
import { limits } from '#event-store';
import { createMemoryEventStore } from '#event-store/memory';
import { checkLog } from '#event-store/testing';
import { contextOf, startTally, withFaults, type TallyCommand } from './testing/index.js';

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

describe('many commands at once', () => {
  test('are what each would be by itself, also several to one stream and refused ones among them', async () => {
    const commands = fc.array(
      fc.record({
        stream: fc.constantFrom('a', 'b', 'c', 'd'),
        key: fc.constantFrom(...'abcdefghijklmnop'),
        body: fc.constantFrom('one', 'other'),
        command: fc.record({
          do: fc.constantFrom('add' as const, 'take' as const),
          amount: fc.nat({ max: 9 }),
        }),
      }),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(commands, { maxLength: 4 }), async (batches) => {
        const [single, many] = [createMemoryEventStore(), createMemoryEventStore()];
        const one = startTally(single);
        for (const batch of batches) {
          const asked = batch.map(({ stream, key, body, command }) => ({
            stream,
            command,
            context: contextOf(key + stream, body),
          }));
          // The first batches meet streams that nobody knows, and every executor knows nothing of the one before.
          const answers = await startTally(many).executeMany(asked);
          const expected = await Promise.allSettled(
            asked.map(({ stream, command, context }) => one.execute(stream, command, context)),
          );
          const brief = (answer: (typeof expected)[number]) =>
            answer.status === 'rejected'
              ? (answer.reason as { readonly code: string }).code
              : `${answer.value.events.length} ${String(answer.value.replayed)}`;
          expect(answers.map(brief)).toEqual(expected.map(brief));
        }
        expect(await sumsOf(many)).toEqual(await sumsOf(single));
      }),
      { numRuns: 100 },
    );
  });

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
});
