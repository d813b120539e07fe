import { collectDefaultMetrics, Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { FastifyInstance } from 'fastify';
import {
  GetClock,
  GetJobsCondition,
  ListReactors,
  ListReadModels,
  ListStalledTransfers,
  FinishSignIn,
  SignIn,
  type Bus,
  type BusMeter,
  type ClockView,
  type JobsCondition,
} from '#application';
import type { ReadModelList } from '#contracts';
import { metric, systemMonotonic, type MetricName } from '#kernel';
import { routedTo } from '../http/route.js';
import { shared } from './shared.js';

const MS_PER_SECOND = 1_000;
/** Seconds; the budget of a command is 0.01. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** Methods that are counted by their names: strangers can send any. */
const METHODS = new Map(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'].map((name) => [name, name]));

type Queries = Pick<Bus, 'query'>;

/** The program's metrics: the hook that counts its answers by method, route and status, and what it knows of itself. */
export function watchApi(registry: Registry, bus: Queries, fastify: Pick<FastifyInstance, 'addHook'>): void {
  collectDefaultMetrics({ register: registry });
  const answers = new Counter({
    ...metric('lode_http_answers_total'),
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    ...metric('lode_http_duration_seconds'),
    labelNames: ['method', 'route'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const [method, route] = [METHODS.get(request.method) ?? 'other', routedTo(request).url ?? 'none'];
    answers.inc({ method, route, status: String(reply.statusCode) });
    durations.observe({ method, route }, reply.elapsedTime / MS_PER_SECOND);
    done();
  });
  watchReadModels(registry, bus);
  watchProcesses(registry, bus);
}

/** How far what is read is behind the log, and the log behind what it acknowledged. */
function watchReadModels(registry: Registry, bus: Queries): void {
  // A projector that has ended must not take the other metrics with it: its own are then gone, and health says why.
  const known = shared(() => bus.query(new ListReadModels()).catch(() => undefined));
  const projection = (name: MetricName, of: (model: ReadModelView) => number) =>
    new Gauge({
      ...metric(name),
      labelNames: ['model'],
      registers: [registry],
      async collect() {
        const all = (await known())?.models ?? [];
        this.reset();
        for (const model of all) this.set({ model: model.name }, of(model));
      },
    });
  projection('lode_projection_seconds_behind', (one) => one.secondsBehind);
  projection('lode_projection_events_behind', (one) => one.eventsBehind);
  projection('lode_projection_stalled', (one) => (one.state === 'stalled' ? 1 : 0));
  projection('lode_projection_parked_events', (one) => one.parked);
  projection('lode_projection_discarded_events', (one) => one.discarded);
  projection('lode_projection_rebuild_events_left', ({ rebuild }) =>
    rebuild === null ? 0 : rebuild.of - rebuild.events,
  );
  new Gauge({
    ...metric('lode_log_position'),
    registers: [registry],
    async collect() {
      const all = await known();
      if (all === undefined) this.remove();
      else this.set(Number(all.head));
    },
  });
  new Gauge({
    ...metric('lode_log_head_seconds_behind'),
    registers: [registry],
    async collect() {
      const all = await known();
      if (all === undefined) this.remove();
      else this.set(all.headSecondsBehind);
    },
  });
}

type ReadModelView = ReadModelList['models'][number];

/** The name of the counter of commands. */
const COMMANDS = 'lode_commands_total';

/** How many commands a registry has counted. */
export async function commandsIn(registry: Registry): Promise<number> {
  const counted = await registry.getSingleMetric(COMMANDS)?.get();
  return counted?.values.reduce((sum, { value }) => sum + value, 0) ?? 0;
}

/** Counts and times what goes over the bus: commands and queries by their class, from every way in. */
export function createBusMeter(registry: Registry): BusMeter {
  const durations = new Histogram({
    ...metric('lode_message_duration_seconds'),
    labelNames: ['message', 'outcome'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  const refused = new Counter({
    ...metric('lode_sign_ins_refused_total'),
    labelNames: ['code'],
    registers: [registry],
  });
  refused.inc({ code: 'invalid_credentials' }, 0);
  const commands = new Counter({
    ...metric(COMMANDS),
    registers: [registry],
  });
  return {
    now: () => systemMonotonic() / MS_PER_SECOND,
    record: ({ name: message, isCommand }, outcome, seconds) => {
      if (isCommand) commands.inc();
      durations.observe({ message, outcome }, seconds);
      if ([SignIn.name, FinishSignIn.name].includes(message) && outcome !== 'done')
        refused.inc({ code: outcome });
    },
  };
}

/** What could keep money from where it should be: commands that fail, and transfers that stand still. */
function watchProcesses(registry: Registry, bus: Queries): void {
  new Gauge({
    ...metric('lode_reactor_parked_events'),
    labelNames: ['reactor'],
    registers: [registry],
    async collect() {
      const { items } = await bus.query(new ListReactors());
      // Those of a program that stands by from now on are gone.
      this.reset();
      for (const { name, parked } of items) this.set({ reactor: name }, parked.length);
    },
  });
  // Gone while it can't be read who runs jobs: nobody knows then.
  const lastLook = shared(() => bus.query(new GetJobsCondition()).catch(() => undefined));
  const jobs = (name: MetricName, of: (condition: JobsCondition) => number) =>
    new Gauge({
      ...metric(name),
      registers: [registry],
      async collect() {
        const condition = await lastLook();
        if (condition === undefined) this.remove();
        else this.set(of(condition));
      },
    });
  jobs('lode_jobs_worker_last_seen_seconds', ({ unseenMs }) => unseenMs / MS_PER_SECOND);
  jobs('lode_jobs_unreachable', ({ failure }) => (failure === undefined ? 0 : 1));
  const clock = (name: MetricName, of: (clock: ClockView) => number) =>
    new Gauge({
      ...metric(name),
      registers: [registry],
      async collect() {
        this.set(of(await bus.query(new GetClock())));
      },
    });
  clock('lode_clock_not_accepted', (one) => (one.isAccepted ? 0 : 1));
  clock('lode_access_not_recorded', (one) => one.notRecorded);
  new Gauge({
    ...metric('lode_transfers_stalled'),
    registers: [registry],
    async collect() {
      // Gone while the read models can't be read: nobody knows then.
      const stalled = await bus.query(new ListStalledTransfers()).catch(() => undefined);
      if (stalled === undefined) this.remove();
      else this.set(stalled.length);
    },
  });
}
