import { test } from '@jest/globals';
import { checkHistories } from '#commands/testing';
import { openEventStoreDb } from '#event-store/eventstoredb';
import { startDouble } from '#event-store/eventstoredb/double';

/** Fewer than in memory: each command is some round trips to the double. */
const RUNS = 15;

test.each(['21.10', '22.6'] as const)(
  'the wallet, beside a model of it, answers and holds what the model says, on EventStoreDB %s (double)',
  async (release) => {
    await checkHistories(async () => {
      const server = await startDouble({ release });
      const store = await openEventStoreDb({ url: server.url });
      const close = async () => {
        await store.close();
        await server.stop();
      };
      return { ...store, close };
    }, RUNS);
  },
);
