import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { FastifyInstance } from 'fastify';
import type { Engines } from '../engines.js';
import { stalledTransfers } from '../processes/stalled.js';

/** Seconds; the budget of a command is 0.01. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** The program's metrics, and the hook that counts its answers by route and status. */
export function createMetrics(engines: Engines, fastify: FastifyInstance): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const answers = new Counter({
    name: 'lode_http_answers_total',
    help: 'Answers by route and status',
    labelNames: ['route', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'lode_http_duration_seconds',
    help: 'Time from request to answer',
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    answers.inc({ route: request.routeOptions.url ?? 'none', status: String(reply.statusCode) });
    durations.observe(reply.elapsedTime / 1_000);
    done();
  });
  const projection = (
    name: string,
    help: string,
    of: (status: { secondsBehind: number; parked: number }) => number,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: ['model'],
      registers: [registry],
      async collect() {
        // A projector that has ended must not take the other metrics with it: its own are then gone, and health says why.
        const statuses = await engines.projections.status().catch(() => []);
        this.reset();
        for (const status of statuses) this.set({ model: status.name }, of(status));
      },
    });
  projection(
    'lode_projection_seconds_behind',
    'Age of the oldest event a read model has not seen',
    (one) => one.secondsBehind,
  );
  projection(
    'lode_projection_parked_events',
    'Events set aside after their handler failed',
    (one) => one.parked,
  );
  watchProcesses(registry, engines);
  return registry;
}

/** What could keep money from where it should be: commands that fail, and transfers that stand still. */
function watchProcesses(registry: Registry, { processes, readStore, clock }: Engines): void {
  new Gauge({
    name: 'lode_reactor_parked_events',
    help: 'Events whose command fails again and again',
    labelNames: ['reactor'],
    registers: [registry],
    collect() {
      for (const { name, parked } of processes.reactors()) this.set({ reactor: name }, parked.length);
    },
  });
  new Gauge({
    name: 'lode_transfers_stalled',
    help: 'Transfers under way for longer than they should be, 100 at most',
    registers: [registry],
    async collect() {
      // Gone while the read models can't be read: nobody knows then.
      const stalled = await stalledTransfers(readStore, clock()).catch(() => undefined);
      if (stalled === undefined) this.reset();
      else this.set(stalled.length);
    },
  });
}
