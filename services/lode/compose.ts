import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Counter, type Registry } from 'prom-client';
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
import { watchAppends } from '#event-store';
import { createStorage } from '#files';
import { systemMonotonic, systemRandom, type Timers } from '#kernel';
import { watchDamage } from '#read-store';
import { createApi, type ApiSettings } from '../api/index.js';
import { createProjector, type ProjectorOptions } from '../projector/index.js';
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
  watchSecurityCounts,
} from './measured.js';
import { LodeModule } from './module.js';
import { claimStores } from './platform.js';
import type { Settings } from './settings.js';
import { keepTime } from './time.js';

/** What a program is composed of: engines, and where its threads are. */
export type Composition = {
  readonly engines: Pick<
    Engines,
    | 'events'
    | 'identity'
    | 'files'
    | 'models'
    | 'stillHere'
    | 'leases'
    | 'openCheckpoints'
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
  /** What looks at everything that is kept, and where how far it is is kept. */
  readonly scrub: ScrubParts;
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
    | 'networks'
    | 'publicUrl'
    | 'unverifiedMayNot'
    | 'counterFloors'
  >;
  readonly api: ApiSettings;
  readonly version: string;
  /** Hears each step. */
  readonly say: (step: string) => void;
};

/** API, projector and worker on engines, not started yet. What has begun already is added to `closing`. */
export async function compose(composition: Composition, closing: Closing): Promise<NestFastifyApplication> {
  const { engines, guard, timers, thread, bonusWorkers, api, version, say } = composition;
  const { models, files, leases } = engines;
  const { now: clock, hold, state: clockState } = guard;
  const metrics = registryOf(version);
  const [{ logger }, random] = [api, systemRandom];
  const { eventStore, acknowledged, logId, outcomes, ...begun } = await beginWriting(
    composition,
    closing,
    metrics,
  );
  const { identity, accessAudit, aggregates, admins, security, settings, condition } = begun;
  const projector = createProjector({
    thread,
    models,
    leases,
    timers,
    onProblem: countingDamage(metrics, (problem) => logger.error(problem, 'projector')),
    onRestart: restartsIn(metrics),
    say,
  });
  const readStore = watchDamage(models, projector.mend);
  const parts = { ...composition.scrub, files };
  const scrubber = startScrub({ parts, projector, logId, metrics, logger, clock, timers });
  closing.add(scrubber.stop);
  const ports = { eventStore, readStore, identity, files, projections: projector.feed, clock, hold, timers };
  const mailing = beginMailing(composition, begun, closing);
  const processes = createProcesses({
    memory: engines,
    leases,
    timers,
    ports,
    settings,
    reactions: projector.reactions,
    bonusWorkers,
    logger,
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
      condition: { ...condition, scrub: scrubber.condition },
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
  const { networkDays, publicUrl } = composition.settings;
  const { now: clock, hold } = guard;
  const [{ logger }, random, outcomes] = [api, systemRandom, createOpenOutcomes()];
  const { events, known } = watchDamagedEvents(engines.events, metrics, ({ message, details }) =>
    logger.error({ code: 'storage_failed', ...details }, message),
  );
  const { eventStore, acknowledged } = watchAppends(measureAppends(events, metrics), clock);
  const aggregates = createAggregates({ eventStore, clock, hold, cacheBytes, outcomes, budget });
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
  const { store, condition } = watchIdentity(engines.identity, metrics, ({ table, id, message }) =>
    logger.error({ code: 'storage_failed', table, id }, message),
  );
  const { identity, accessAudit, stop } = await startIdentity(
    {
      store,
      owner,
      eventStore,
      aggregates,
      passwordPolicy,
      keys,
      publicUrl,
      networkDays,
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
    name: 'lode_read_models_damaged_total',
    help: 'Times that documents or indexes of read models were found damaged; they are made again from the log',
    registers: [metrics],
  });
  return (problem) => {
    if (problem['type'] === 'damaged') damage.inc();
    hear(problem);
  };
}

/** Counts the projector's lives after the first. */
function restartsIn(metrics: Registry): () => void {
  const restarts = new Counter({
    name: 'lode_projector_restarts_total',
    help: 'Threads of the projector that were begun in the place of one that died',
    registers: [metrics],
  });
  return () => restarts.inc();
}
