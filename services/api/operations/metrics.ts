import { collectDefaultMetrics, Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { FastifyInstance } from 'fastify';
import { ListReactors, ListReadModels, ListStalledTransfers, type Bus, type BusMeter } from '#application';
import { systemMonotonic } from '#kernel';

const MS_PER_SECOND = 1_000;
/** Seconds; the budget of a command is 0.01. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** The program's metrics: the hook that counts its answers by route and status, and what it knows of itself. */
export function watchApi(registry: Registry, bus: Bus, fastify: FastifyInstance): void {
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
        const known = await bus.query(new ListReadModels()).catch(() => undefined);
        this.reset();
        for (const status of known?.models ?? []) this.set({ model: status.name }, of(status));
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
  watchProcesses(registry, bus);
}

/** Counts and times what goes over the bus: commands and queries by their class, from every way in. */
export function createBusMeter(registry: Registry): BusMeter {
  const durations = new Histogram({
    name: 'lode_message_duration_seconds',
    help: 'Time that commands and queries take, without what HTTP adds, by what became of them',
    labelNames: ['message', 'outcome'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  return {
    now: () => systemMonotonic() / MS_PER_SECOND,
    record: (message, outcome, seconds) => durations.observe({ message, outcome }, seconds),
  };
}

/** What could keep money from where it should be: commands that fail, and transfers that stand still. */
function watchProcesses(registry: Registry, bus: Bus): void {
  new Gauge({
    name: 'lode_reactor_parked_events',
    help: 'Events whose command fails again and again',
    labelNames: ['reactor'],
    registers: [registry],
    async collect() {
      const { items } = await bus.query(new ListReactors());
      // Those of a program that stands by from now on are gone.
      this.reset();
      for (const { name, parked } of items) this.set({ reactor: name }, parked.length);
    },
  });
  new Gauge({
    name: 'lode_transfers_stalled',
    help: 'Transfers under way for longer than they should be, 100 at most',
    registers: [registry],
    async collect() {
      // Gone while the read models can't be read: nobody knows then.
      const stalled = await bus.query(new ListStalledTransfers()).catch(() => undefined);
      if (stalled === undefined) this.reset();
      else this.set(stalled.length);
    },
  });
}
