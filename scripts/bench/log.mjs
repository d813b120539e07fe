import { join } from 'node:path';
import { quantile } from './client.mjs';

/** Appends a second into the embedded log, `size` events each, from a loop that keeps some under way on as many streams. */
export async function logRate(folder, seconds, size) {
  const dist = join(process.env.BENCH_ROOT, 'dist', 'libs', 'event-store');
  const { openSqliteEventStore } = await import(join(dist, 'sqlite', 'index.js'));
  const { sealedEvents } = await import(join(dist, 'testing', 'index.js'));
  const store = await openSqliteEventStore({ file: join(folder, `log-${size}.sqlite`) });
  const latencies = [];
  const start = performance.now();
  await Promise.all(
    Array.from({ length: size === 1 ? 64 : 8 }, async (_, lane) => {
      const stream = `bench-${lane}`;
      for (let revision = 0; performance.now() - start < seconds * 1_000; revision += size) {
        const events = sealedEvents(stream, revision, size, { note: 'x'.repeat(200) });
        const sent = performance.now();
        await store.append({ stream, expected: revision === 0 ? 'no-stream' : revision - 1, events });
        latencies.push(performance.now() - sent);
      }
    }),
  );
  const elapsed = (performance.now() - start) / 1_000;
  await store.close();
  latencies.sort((a, b) => a - b);
  return {
    perSecond: (latencies.length * size) / elapsed,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    note: 'events',
  };
}
