// Appends of one event to EventStoreDB in a process of their own, since a thread has one store: prints the figures.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { EventStoreDBClient, NO_STREAM } from '@eventstore/db-client';
import { quantile } from './client.mjs';

const [by, inFlight, seconds] = process.argv.slice(2);
const url = process.env.EVENTSTORE_URL;
const dist = join(process.env.BENCH_ROOT, 'dist', 'libs', 'event-store');
const { openEventStoreDb } = await import(join(dist, 'eventstoredb', 'index.js'));
const { toStored } = await import(join(dist, 'eventstoredb', 'records.js'));
const { sealedEvents } = await import(join(dist, 'testing', 'index.js'));

const { append, close } = by === 'adapter' ? await adapter() : client();
const run = randomUUID();
// The first append opens the connection.
await append(`bench-${run}`, 0, sealedEvents(`bench-${run}`, 0, 1));
const latencies = [];
const start = performance.now();
await Promise.all(
  Array.from({ length: Number(inFlight) }, async (_, lane) => {
    const stream = `bench-${run}-${lane}`;
    for (let revision = 0; performance.now() - start < Number(seconds) * 1_000; revision++) {
      const events = sealedEvents(stream, revision, 1, { note: 'x'.repeat(50) });
      const sent = performance.now();
      await append(stream, revision, events);
      latencies.push(performance.now() - sent);
    }
  }),
);
const elapsed = (performance.now() - start) / 1_000;
await close();
latencies.sort((a, b) => a - b);
console.log(
  JSON.stringify({
    perSecond: latencies.length / elapsed,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  }),
);

async function adapter() {
  const store = await openEventStoreDb({ url });
  return {
    append: (stream, revision, events) =>
      store.append({ stream, expected: revision === 0 ? 'no-stream' : revision - 1, events }),
    close: () => store.close(),
  };
}

function client() {
  const connected = EventStoreDBClient.connectionString(url);
  return {
    append: (stream, revision, events) =>
      connected.appendToStream(stream, events.map(toStored), {
        expectedRevision: revision === 0 ? NO_STREAM : BigInt(revision - 1),
        requiresLeader: true,
      }),
    close: () => connected.dispose(),
  };
}
