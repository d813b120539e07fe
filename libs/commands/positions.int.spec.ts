import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { comparePositions, type Position } from '#kernel';
import type { EventStore } from '#event-store';
import { openEventStoreDb } from '#event-store/eventstoredb';
import { startDouble, type EventStoreDbDouble } from '#event-store/eventstoredb/double';
import { everything } from '#event-store/testing';
import { contextOf, startTally } from './testing/index.js';
import { FOLD_MAX } from './states.js';

const STREAM = 'tally-1';
const add = { do: 'add', amount: 1 } as const;

/** Before release 22.6 a server does not tell the positions of events that are read from their stream. */
describe.each(['21.10', '22.6'] as const)(
  'the position of an answer, on EventStoreDB (double of %s)',
  (release) => {
    let server: EventStoreDbDouble;
    let store: EventStore;

    beforeEach(async () => {
      server = await startDouble({ release });
      store = await openEventStoreDb({ url: server.url });
    });
    afterEach(async () => {
      await store.close();
      await server.stop();
    });

    /** A program that begins now and remembers nothing. */
    async function restarted() {
      await store.close();
      store = await openEventStoreDb({ url: server.url });
      return startTally(store);
    }

    const placeOf = async (stream: string, revision: number) =>
      (await everything(store)).find((event) => event.stream === stream && event.revision === revision)!
        .position;

    async function expectNotBefore(position: Position, revision: number, stream = STREAM): Promise<void> {
      expect(comparePositions(position, await placeOf(stream, revision))).toBeGreaterThanOrEqual(0);
      expect(comparePositions(position, await store.head())).toBeLessThanOrEqual(0);
    }

    test('is not before the events of a command that another program repeats', async () => {
      const first = await startTally(store).execute(STREAM, add, contextOf('once'));
      const again = await (await restarted()).execute(STREAM, add, contextOf('once'));
      expect(again).toMatchObject({ events: first.events, replayed: true });
      await expectNotBefore(again.position, 0);
    });

    test('is not before the last event of a stream when the command has nothing to add', async () => {
      await startTally(store).execute(STREAM, { ...add, events: 3 }, contextOf('first'));
      const executor = await restarted();
      const { events, position } = await executor.execute(STREAM, { do: 'raise', to: 2 }, contextOf('idle'));
      expect(events).toEqual([]);
      await expectNotBefore(position, 2);
    });

    test.each([FOLD_MAX - 1, FOLD_MAX, FOLD_MAX + 1])(
      'is not before it in a stream of %i events',
      async (events) => {
        await startTally(store).execute(STREAM, { ...add, events }, contextOf('first'));
        const { position } = await (await restarted()).load(STREAM);
        await expectNotBefore(position, events - 1);
      },
    );

    test('is not before it when another program has written in the meantime', async () => {
      const executor = startTally(store);
      await executor.execute(STREAM, add, contextOf('first'));
      await startTally(store).execute(STREAM, add, contextOf('other'));
      const { position } = await executor.load(STREAM);
      await expectNotBefore(position, 1);
    });

    test('is not before it for many commands at once', async () => {
      const streams = Array.from({ length: 5 }, (_, n) => `tally-${n}`);
      const commands = (key: string, command: typeof add | { readonly do: 'raise'; readonly to: number }) =>
        streams.map((stream) => ({ stream, command, context: contextOf(`${key} ${stream}`) }));
      await startTally(store).executeMany(commands('first', add));
      const asked = [...commands('first', add), ...commands('idle', { do: 'raise', to: 1 })];
      const answers = await (await restarted()).executeMany(asked);
      for (const [n, answer] of answers.entries()) {
        expect(answer.status).toBe('fulfilled');
        if (answer.status === 'fulfilled') await expectNotBefore(answer.value.position, 0, asked[n]!.stream);
      }
    });
  },
);
