import { collectDefaultMetrics, Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { FastifyInstance } from 'fastify';
import {
  GetClock,
  ListReactors,
  ListReadModels,
  ListStalledTransfers,
  FinishSignIn,
  SignIn,
  type Bus,
  type BusMeter,
  type ClockView,
} from '#application';
import type { ReadModelList } from '#contracts';
import { systemMonotonic } from '#kernel';
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
    name: 'lode_http_answers_total',
    help: 'Answers by method, route and status',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'lode_http_duration_seconds',
    help: 'Time from request to answer, by method and route',
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
  const projection = (name: string, help: string, of: (model: ReadModelView) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['model'],
      registers: [registry],
      async collect() {
        const all = (await known())?.models ?? [];
        this.reset();
        for (const model of all) this.set({ model: model.name }, of(model));
      },
    });
  projection(
    'lode_projection_seconds_behind',
    'Age of the oldest event a read model has not seen',
    (one) => one.secondsBehind,
  );
  projection(
    'lode_projection_events_behind',
    'Events a read model has not seen, at least',
    (one) => one.eventsBehind,
  );
  projection('lode_projection_stalled', '1 while events wait for a read model and it stands still', (one) =>
    one.state === 'stalled' ? 1 : 0,
  );
  projection(
    'lode_projection_parked_events',
    'Events set aside after their handler failed',
    (one) => one.parked,
  );
  projection(
    'lode_projection_discarded_events',
    'Events left out after their handler failed',
    (one) => one.discarded,
  );
  projection(
    'lode_projection_rebuild_events_left',
    'Events that the build beside a read model has to take, at least; 0 when there is none',
    ({ rebuild }) => (rebuild === null ? 0 : rebuild.of - rebuild.events),
  );
  new Gauge({
    name: 'lode_log_position',
    help: 'Where the log ends; of an event store on a server, in the terms of that',
    registers: [registry],
    async collect() {
      const all = await known();
      if (all !== undefined) this.set(Number(all.head));
    },
  });
  new Gauge({
    name: 'lode_log_head_seconds_behind',
    help: 'How long the log has not had an event that it acknowledged',
    registers: [registry],
    async collect() {
      const all = await known();
      if (all === undefined) this.reset();
      else this.set(all.headSecondsBehind);
    },
  });
}

type ReadModelView = ReadModelList['models'][number];

/** Counts and times what goes over the bus: commands and queries by their class, from every way in. */
export function createBusMeter(registry: Registry): BusMeter {
  const durations = new Histogram({
    name: 'lode_message_duration_seconds',
    help: 'Time that commands and queries take, without what HTTP adds, by what became of them',
    labelNames: ['message', 'outcome'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  const refused = new Counter({
    name: 'lode_sign_ins_refused_total',
    help: 'Sign-ins that were refused, by the code that they were refused with',
    labelNames: ['code'],
    registers: [registry],
  });
  refused.inc({ code: 'invalid_credentials' }, 0);
  return {
    now: () => systemMonotonic() / MS_PER_SECOND,
    record: (message, outcome, seconds) => {
      durations.observe({ message, outcome }, seconds);
      if ([SignIn.name, FinishSignIn.name].includes(message) && outcome !== 'done')
        refused.inc({ code: outcome });
    },
  };
}

/** What could keep money from where it should be: commands that fail, and transfers that stand still. */
function watchProcesses(registry: Registry, bus: Queries): void {
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
  const clock = (name: string, help: string, of: (clock: ClockView) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(of(await bus.query(new GetClock())));
      },
    });
  clock('lode_clock_not_accepted', '1 while the clock is not accepted: nothing is written', (one) =>
    one.isAccepted ? 0 : 1,
  );
  clock(
    'lode_access_not_recorded',
    'Sign-ins, ends of sessions and refusals that were not written because of the clock',
    (one) => one.notRecorded,
  );
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
