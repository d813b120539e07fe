import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Counter, Gauge, type Registry } from 'prom-client';
import {
  createAggregates,
  createMailing,
  createRegistrationLimit,
  foundPlatform,
  platformIdIn,
  watchAdminRights,
  watchSecurity,
  watchSettings,
  type ApplicationParts,
  type Mailing,
} from '#application';
import { createOpenOutcomes } from '#commands';
import type { GuardedClock } from '#clock';
import type { Closing, Engines } from '#engines';
import { watchAppends, type EventStore } from '#event-store';
import { createStorage } from '#files';
import { createBucketsOf } from '#identity';
import { metric, systemMonotonic, systemRandom, type Timers } from '#kernel';
import { watchDamage } from '#read-store';
import { createApi, type ApiSettings } from '../api/index.js';
import {
  createElsewhere,
  createFollower,
  createProjector,
  type Projector,
  type ProjectorOptions,
} from '../projector/index.js';
import { createProcesses, type ProcessesOptions } from '../worker/index.js';
import { keepHeads } from './heads.js';
import { startIdentity } from './identity.js';
import { writeLeftNotes } from './left-notes.js';
import { startScrub, type ScrubParts } from './scrub.js';
import {
  measureAppends,
  registryOf,
  watchDamagedEvents,
  watchHead,
  watchIdentity,
  watchPrograms,
  watchSecurityCounts,
} from './measured.js';
import { LodeModule } from './module.js';
import type { Part, Parts } from './parts.js';
import { claimStores } from './platform.js';
import type { Settings } from './settings.js';
import { keepTime } from './time.js';
import { traceAppends } from './traced.js';

/** What a program is composed of: engines, and where its threads are. */
export type Composition = {
  /** What it does; the rest is left to other programs on the same engines. */
  readonly parts: Parts;
  readonly engines: Pick<
    Engines,
    | 'events'
    | 'identity'
    | 'files'
    | 'models'
    | 'lanes'
    | 'stillHere'
    | 'programs'
    | 'leases'
    | 'orders'
    | 'bell'
    | 'openCheckpoints'
    | 'storedReactors'
    | 'createJobs'
    | 'hasRoom'
    | 'diskOfFiles'
    | 'clockMarks'
    | 'clockRequests'
    | 'leftNotes'
    | 'keepHead'
    | 'mail'
  >;
  /** Which of the programs that share the engines this is; empty for the only one. */
  readonly owner: string;
  readonly guard: GuardedClock;
  /** For what one program at a time runs, what waits for it, and what is done from time to time. */
  readonly timers: Timers;
  /** Begins the thread of the projector. */
  readonly thread: ProjectorOptions['thread'];
  readonly bonusWorkers: ProcessesOptions['bonusWorkers'];
  readonly jobLimits?: ProcessesOptions['jobLimits'];
  /** What looks at everything that is kept, and where how far it is is kept. */
  readonly scrub: ScrubParts;
  readonly chores: ApplicationParts['chores'];
  readonly settings: Pick<
    Settings,
    | 'passwordPolicy'
    | 'stateCacheBytes'
    | 'budget'
    | 'storage'
    | 'registrationsPerHour'
    | 'keys'
    | 'networkDays'
    | 'changeWaitMs'
    | 'adminSessionMs'
    | 'networks'
    | 'publicUrl'
    | 'unverifiedMayNot'
    | 'counterFloors'
    | 'sources'
  >;
  readonly api: ApiSettings;
  readonly version: string;
  /** Hears each step. */
  readonly say: (step: string) => void;
};

/** The parts of a program on engines, not started yet. What has begun already is added to `closing`. */
export async function compose(composition: Composition, closing: Closing): Promise<NestFastifyApplication> {
  const { engines, guard, timers, bonusWorkers, api, version } = composition;
  const { files, leases } = engines;
  const { now: clock, hold, state: clockState } = guard;
  const metrics = registryOf(version);
  const [{ logger }, random] = [api, systemRandom];
  const { eventStore, acknowledged, logId, outcomes, ...begun } = await beginWriting(
    composition,
    closing,
    metrics,
  );
  watchPrograms(metrics, engines.programs.members);
  const { identity, accessAudit, aggregates, admins, security, settings, condition } = begun;
  const projector = projectorOf(composition, metrics, eventStore);
  showLanes(metrics, projector);
  const readStore = watchDamage(engines.models, projector.mend);
  const parts = { ...composition.scrub, files };
  const scrubber = startScrub({ parts, projector, logId, metrics, logger, clock, timers });
  closing.add(scrubber.stop);
  const ports = { eventStore, readStore, identity, files, projections: projector.feed, clock, hold, timers };
  const mailing = beginMailing(composition, begun, closing);
  const processes = createProcesses({
    runs: { reactors: has(composition, 'projector'), jobs: has(composition, 'worker') },
    jobLimits: composition.jobLimits,
    memory: engines,
    leases,
    timers,
    ports,
    settings,
    reactions: projector.reactions,
    bonusWorkers,
    logger,
    tracer: api.tracer,
  });
  const module = LodeModule.with({
    application: {
      ...ports,
      clockState,
      hasRoom: engines.hasRoom,
      storage: createStorage(files, composition.settings.storage, {
        disk: engines.diskOfFiles,
        monotonic: systemMonotonic,
        timers,
      }),
      condition: { ...condition, beyond: engines.programs.beyond, scrub: scrubber.condition },
      acknowledged,
      random,
      aggregates,
      admins,
      security,
      settings,
      accessAudit,
      mailing,
      ...setFor(composition),
      processes,
      chores: composition.chores,
      program: { version, settings: composition.settings.sources, monotonic: systemMonotonic },
    },
    projector: { ...projector, stop: () => closing.during('the read models', projector.stop) },
    processes: { ...processes, stop: () => closing.during('reactors and jobs', processes.stop) },
    bus: { mayAnswer: engines.stillHere, outcomes },
    api,
    logId,
    metrics,
  });
  return createApi(module, api, version);
}

/** Whether a program is that part. */
function has({ parts }: Pick<Composition, 'parts'>, part: Part): boolean {
  return parts.includes(part);
}

/** The projector, or what is known here of another program's. */
function projectorOf(
  composition: Composition,
  metrics: Registry,
  log: Pick<EventStore, 'head' | 'readAll'>,
): Projector {
  const { engines, owner, guard, timers, thread, api, say } = composition;
  const { models, lanes, leases, orders, bell } = engines;
  const onProblem = countingDamage(metrics, (problem) => api.logger.error(problem, 'projector'));
  const elsewhere = createElsewhere({
    models,
    log,
    orders,
    bell,
    lanes,
    clock: guard.now,
    timers,
    isTraced: api.tracer !== undefined,
  });
  if (!has(composition, 'projector')) return createFollower({ models, elsewhere, bell, timers, onProblem });
  const { tracer } = api;
  const onRestart = restartsIn(metrics);
  const options = { thread, models, lanes, leases, orders, bell, timers, onProblem, onRestart, say, tracer };
  return createProjector({ ...options, elsewhere: owner === '' ? undefined : elsewhere });
}

/** What of the application is set. */
function setFor({
  guard,
  settings,
}: Composition): Pick<
  ApplicationParts,
  'changeWaitMs' | 'verification' | 'counterFloors' | 'networks' | 'registrationLimit'
> {
  const { changeWaitMs, counterFloors, networks, unverifiedMayNot, registrationsPerHour } = settings;
  return {
    changeWaitMs,
    counterFloors,
    networks,
    verification: { mayNot: unverifiedMayNot },
    registrationLimit: createRegistrationLimit(guard.now, registrationsPerHour),
  };
}

/** What sends mails, which goes on until the program stops. */
function beginMailing(
  composition: Composition,
  { identity, settings }: Pick<Parameters<typeof createMailing>[0], 'identity' | 'settings'>,
  closing: Closing,
): Mailing {
  const { engines, guard, api } = composition;
  const mailing = createMailing({
    identity,
    settings,
    transport: engines.mail,
    publicUrl: composition.settings.publicUrl,
    clock: guard.now,
    hold: guard.hold,
    timers: composition.timers,
    log: api.logger,
    tellLink: linkTeller(composition),
  });
  closing.add(mailing.stop, 'mails');
  return mailing;
}

/** Says a link on the console where no mail brings it, and nobody but whoever is at the machine asked for it. */
function linkTeller({ api, say }: Composition) {
  if (api.linkWay !== 'console') return undefined;
  return (kind: string, link: string) =>
    say(`No SMTP_URL is set, and so nobody is sent this mail (${kind}). Its link: ${link}`);
}

/** What commands go through, on a log of which the time is known. What has begun already is added to `closing`. */
async function beginWriting(composition: Composition, closing: Closing, metrics: Registry) {
  const { engines, owner, guard, timers, api } = composition;
  const { passwordPolicy, stateCacheBytes: cacheBytes, budget, keys } = composition.settings;
  const { networkDays, publicUrl, adminSessionMs } = composition.settings;
  const { now: clock, hold } = guard;
  const [{ logger, tracer }, random, outcomes] = [api, systemRandom, createOpenOutcomes()];
  const { events, known } = watchDamagedEvents(engines.events, metrics, ({ message, details }) =>
    logger.error({ code: 'storage_failed', ...details }, message),
  );
  const measured = measureAppends(events, metrics);
  const { eventStore, acknowledged } = watchAppends(traceAppends(measured, tracer), clock);
  const { store, condition } = watchIdentity(engines.identity, metrics, ({ table, id, message }) =>
    logger.error({ code: 'storage_failed', table, id }, message),
  );
  const bucketsOf = createBucketsOf({ store, clock, random });
  const executing = { eventStore, clock, hold, cacheBytes, outcomes, budget, bucketsOf, tracer };
  const aggregates = createAggregates(executing);
  const { logId } = await eventStore.ensureHeader();
  const { clockMarks: marks, clockRequests: requests } = engines;
  const timeKeeper = await keepTime({ guard, eventStore, marks, requests, logger, timers });
  closing.add(timeKeeper.stop);
  const heads = keepHeads(engines, { logger, timers });
  closing.add(heads.stop);
  watchHead(metrics, heads.condition);
  // A platform is not founded at a wrong time: the next start does it.
  const platformId =
    hold() === undefined ? await foundPlatform(aggregates, random) : await platformIdIn(aggregates);
  await claimStores(engines, eventStore, platformId);
  const { identity, accessAudit, stop } = await startIdentity(
    {
      store,
      owner,
      eventStore,
      aggregates,
      ...{ passwordPolicy, keys, publicUrl, adminSessionMs, networkDays },
      logger,
      clock,
      hold,
      random,
    },
    timers,
  );
  closing.add(stop);
  const [isShared, mayWrite] = [owner !== '', hold() === undefined];
  const admins = await watchAdminRights({ aggregates, identity, timers, isShared, mayWrite });
  closing.add(admins.stop);
  const security = watchSecurity({ aggregates, identity, clock, hold, random, timers, log: logger });
  closing.add(security.stop);
  watchSecurityCounts(metrics, security);
  const { leftNotes: notes } = engines;
  closing.add(writeLeftNotes({ notes, security, logger, timers }).stop);
  const settings = watchSettings({ aggregates, eventStore, monotonic: systemMonotonic, timers });
  closing.add(settings.stop);
  return {
    eventStore,
    acknowledged,
    logId,
    outcomes,
    aggregates,
    admins,
    security,
    identity,
    accessAudit,
    settings,
    condition: { damagedEvents: () => known.size, head: heads.condition, identity: condition },
  };
}

/** Counts what was found damaged of the read models. */
function countingDamage(
  metrics: Registry,
  hear: ProjectorOptions['onProblem'],
): ProjectorOptions['onProblem'] {
  const damage = new Counter({
    ...metric('lode_read_models_damaged_total'),
    registers: [metrics],
  });
  return (problem) => {
    if (problem['type'] === 'damaged') damage.inc();
    hear(problem);
  };
}

/** Tells how many lanes of the read models a program folds. */
function showLanes(metrics: Registry, projector: Pick<Projector, 'lanes'>): void {
  new Gauge({
    ...metric('lode_projection_lanes'),
    registers: [metrics],
    collect() {
      this.set(projector.lanes());
    },
  });
}

/** Counts the projector's lives after the first. */
function restartsIn(metrics: Registry): () => void {
  const restarts = new Counter({
    ...metric('lode_projector_restarts_total'),
    registers: [metrics],
  });
  return () => restarts.inc();
}
