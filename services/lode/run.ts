import { existsSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Registry } from 'prom-client';
import { Bus, InviteFirstAdmin, OPERATOR } from '#application';
import { createGuardedClock, machineClocks, type GuardedClock, type MachineClocks } from '#clock';
import { createExecutor } from '#commands';
import {
  choreMemoryIn,
  openEngines,
  opening,
  scrubMemoryIn,
  type Closing,
  type Engines,
  type EngineSettings,
} from '#engines';
import { isRewrapDue } from '#identity';
import { LodeError, logStart, repeatEvery, systemTimers, withoutUserInfo, type Hold } from '#kernel';
import { accountDecider } from '#ledger';
import { METRICS, type ApiSettings } from '../api/index.js';
import { startProjectorThread, untilReadable } from '../projector/index.js';
import {
  bonusWorkerThreads,
  jobsElsewhere,
  localBonusWorkers,
  type BonusWorkers,
  type RunningProcesses,
} from '../worker/index.js';
import { PROCESSES } from './worker.module.js';
import { keepingAlive } from './alive.js';
import { createLooker } from '../scrubber/index.js';
import { createChores, type RunningChores } from './chores.js';
import { compose } from './compose.js';
import { watchRoom } from './measured.js';
import { createLogger } from './logger.js';
import { NO_KEY_FILE, NOT_WRAPPED, openKeyFile } from './keys.js';
import { everyPart, type Parts } from './parts.js';
import { linkWayOf, saidPublicUrl, type Settings } from './settings.js';
import { startTraces } from './traces.js';
import { tellLostUploads } from './uploads.js';
import { lodeVersion } from './version.js';

/** A program that runs until it is stopped. */
export type Running = {
  readonly parts: Parts;
  readonly address: string;
  /** Where the public reaches it: the address, unless something else was said. */
  readonly publicAddress: string;
  /** The path that makes the first admin; undefined once there is one, and where no page is served. */
  readonly firstAdminPath: string | undefined;
  /** Finishes what is under way and lets go of everything. */
  readonly stop: () => Promise<void>;
  /** What of that has not ended yet. */
  readonly underWay: () => readonly string[];
};

/** The built front end, as seen from this file's place in `dist/`. */
const WEB = new URL('../../../web/dist/', import.meta.url);

/** What whoever starts it should know where no mails are sent. */
const UNVERIFIED = 'No SMTP_URL is set: nobody is sent mails, and no e-mail address is verified.';

/** What connections have, once the program stops, to end what is under way; milliseconds. */
const UNDER_WAY_MS = 5_000;
/**
 * How long the start waits for what a death left undone, as whoever was to be kept out must not get a request through,
 * and for the read models.
 */
const CATCH_UP_MS = 5_000;
/** How often a program that others can ask for runs of jobs, through Redis, looks what is due, in milliseconds. */
const SHARED_LOOK_MS = 2_000;
/** How often connections that have ended it meanwhile are closed; milliseconds. */
const SWEEP_MS = 50;

/** How a program is run that isn't all of Lode, or doesn't go by the machine's clocks. */
export type RunOptions = {
  /** Which parts of Lode it is: all of them, when left out. */
  readonly parts?: Parts | undefined;
  /** Known to this thread alone. */
  readonly clocks?: MachineClocks;
};

/**
 * Opens the engines, starts the parts of the program on them, and listens: for every request, or, without the API, for
 * those alone that ask how it is. `say` hears each step.
 */
export function run(
  settings: Settings,
  say: (step: string) => void,
  { parts = everyPart, clocks = machineClocks }: RunOptions = {},
): Promise<Running> {
  return opening((closing) => open(settings, say, { parts, clocks }, closing));
}

async function open(
  settings: Settings,
  say: (step: string) => void,
  { parts, clocks }: Required<Pick<RunOptions, 'clocks'>> & { readonly parts: Parts },
  closing: Closing,
): Promise<Running> {
  say(`Opening the log in ${whereLogIs(settings)} …`);
  const [projects, redisMayBeAway] = [parts.includes('projector'), !parts.includes('worker')];
  const engines = await openEngines({ ...settings, projects, redisMayBeAway }, 'serve', say);
  closing.add(engines.close, 'the connections to log, read models, identities and files');
  const head = await engines.events.head();
  say(head === logStart ? 'The log is empty.' : `The log ends at position ${head}.`);
  const isServed = parts.includes('api');
  if (isServed && settings.smtpUrl === undefined && settings.unverifiedMayNot.length === 0) say(UNVERIFIED);
  for (const sentence of await aboutKeys(settings, engines, head === logStart)) say(sentence);
  const logged = apiSettings(settings, isServed);
  const traces = await startTraces(settings, parts, logged.logger, engines.identity);
  if (traces !== undefined) closing.add(traces.stop, 'traces');
  const api = { ...logged, tracer: traces?.tracer };
  const guard = createGuardedClock(clocks, settings.clockTolerance);
  await tellLostUploads(engines, settings.dataFolder, (lost) => {
    say(lost);
    api.logger.error(lost);
  });
  const { chores, stop: stopChores } = choresOf(settings, api, guard);
  closing.add(stopChores, 'a backup or a check of the log');
  const program = await compose(
    {
      parts,
      engines: { ...engines, createJobs: jobsOf(engines, settings, parts) },
      jobLimits: settings.redisUrl === undefined ? {} : { reconcileMs: SHARED_LOOK_MS },
      owner: engines.owner,
      guard,
      timers: systemTimers,
      thread: () => startProjectorThread(engines, { sampling: traces?.sampling, isBesideCommands: isServed }),
      bonusWorkers: () => bonusWorkersOf(engines, settings, guard, clocks),
      scrub: {
        looker: createLooker(engineSettings(settings), systemTimers),
        memory: scrubMemoryIn(settings.dataFolder),
      },
      chores,
      settings,
      api,
      version: lodeVersion(),
      say,
    },
    closing,
  );
  closing.add(() => close(program), 'requests');
  watchRoom(program.get<Registry>(METRICS), settings.dataFolder);
  await program.init();
  const held = guard.hold();
  if (held !== undefined) say(`${held.message} See: lode accept-clock --help.`);

  const processes = program.get<RunningProcesses>(PROCESSES);
  await catchUp(engines, processes, api);
  await listen(program, settings);
  processes.startJobs();

  const firstAdmin = isServed ? await inviteFirstAdmin(program.get(Bus), guard.hold) : undefined;
  const address = await addressOf(program, settings);
  return {
    parts,
    address,
    publicAddress: saidPublicUrl(settings) ?? address,
    firstAdminPath: firstAdmin?.path,
    stop: closing.run,
    underWay: closing.underWay,
  };
}

/** Waits a moment for what a death left undone, and, where it is read, for the read models. */
async function catchUp(
  { models }: Pick<Engines, 'models'>,
  processes: Pick<RunningProcesses, 'caughtUp'>,
  { logger, routes }: Pick<ApiSettings, 'logger' | 'routes'>,
): Promise<void> {
  if (!(await processes.caughtUp(CATCH_UP_MS)))
    logger.warn('reactors still catch up: what the last run left undone is done while requests are answered');
  if (routes === 'all' && !(await untilReadable(models, systemTimers, AbortSignal.timeout(CATCH_UP_MS))))
    logger.warn('read models are still being built: what reads them is answered with 503 until then');
}

/** Where runs of jobs are known, which a program without the worker asks for and does not begin. */
function jobsOf(
  { createJobs }: Pick<Engines, 'createJobs'>,
  { redisUrl }: Pick<Settings, 'redisUrl'>,
  parts: Parts,
): Engines['createJobs'] {
  return parts.includes('worker') || redisUrl !== undefined ? createJobs : jobsElsewhere;
}

/** What admins order beside its work. */
function choresOf(
  settings: Settings,
  { logger }: Pick<ApiSettings, 'logger'>,
  { now }: Pick<GuardedClock, 'now'>,
): RunningChores {
  const { dataFolder, backupFolder, headTolerance, storage } = settings;
  return createChores({
    settings: { ...engineSettings(settings), headTolerance },
    backupFolder,
    keepFree: storage.free,
    memory: choreMemoryIn(dataFolder),
    logger,
    clock: now,
    timers: systemTimers,
  });
}

/** Those who pay the bonus: in threads of their own, which have the machine's clocks and no others. */
function bonusWorkersOf(
  engines: Engines,
  { stateCacheBytes }: Pick<Settings, 'stateCacheBytes'>,
  clock: GuardedClock,
  clocks: MachineClocks,
): BonusWorkers {
  if (clocks === machineClocks) return bonusWorkerThreads({ engines, stateCacheBytes, clock });
  const { now, hold } = clock;
  return localBonusWorkers(
    createExecutor({ store: engines.events, decider: accountDecider, clock: now, hold }),
  );
}

/** What whoever starts it should know of the keys that are kept apart. */
async function aboutKeys(
  settings: Settings,
  { identity }: Pick<Engines, 'identity'>,
  isFirst: boolean,
): Promise<readonly string[]> {
  if (settings.keyFile === undefined) return isFirst ? [NO_KEY_FILE] : [];
  const open = openKeyFile(settings);
  return [
    ...(open === undefined ? [] : [`${open} Set its rights to 600.`]),
    ...(isRewrapDue(await identity.sealKeys(), settings.keys)
      ? [`${NOT_WRAPPED} Stop it and let lode rewrap do that.`]
      : []),
  ];
}

/** The link that makes the first admin. While the clock is not accepted there is none: the next start gives it. */
async function inviteFirstAdmin(bus: Bus, hold: Hold): Promise<{ readonly path: string } | undefined> {
  try {
    return await bus.execute(new InviteFirstAdmin({ actor: OPERATOR }));
  } catch (error) {
    if (hold() === undefined) throw error;
    return undefined;
  }
}

/** Of the settings those of the engines. */
function engineSettings({
  dataFolder,
  eventStoreUrl,
  mongodbUrl,
  redisUrl,
  s3Url,
  knownKinds,
  program,
}: Settings): EngineSettings {
  return { dataFolder, eventStoreUrl, mongodbUrl, redisUrl, s3Url, knownKinds, program };
}

function whereLogIs({ eventStoreUrl, dataFolder }: Settings): string {
  return eventStoreUrl === undefined ? dataFolder : withoutUserInfo(eventStoreUrl);
}

function apiSettings(settings: Settings, isServed: boolean): ApiSettings {
  const { logLevel, publicUrl, secure, proxies, requestsPerMinute, connections, identityToolkit } = settings;
  const webFolder = isServed && existsSync(new URL('manifest.json', WEB)) ? fileURLToPath(WEB) : undefined;
  const logger = createLogger({ level: logLevel });
  return {
    routes: isServed ? 'all' : 'health',
    requestsPerMinute,
    connections,
    secure,
    proxies,
    webFolder,
    publicUrl,
    linkWay: linkWayOf(settings),
    identityToolkit: isServed && identityToolkit,
    identityToolkitOrigins: settings.identityToolkitOrigins,
    watchToken: settings.watchToken,
    logger,
  };
}

type Api = Awaited<ReturnType<typeof compose>>;

/** Stops listening and ends what is under way; what does not end by itself is cut off. */
async function close(api: Api): Promise<void> {
  const server = api.getHttpServer();
  // A connection that was answering when the server closed is kept alive by nobody else than its client.
  const cancelSweep = repeatEvery(systemTimers, SWEEP_MS, () => server.closeIdleConnections());
  const cancelCut = systemTimers.after(UNDER_WAY_MS, () => server.closeAllConnections());
  try {
    await keepingAlive(() => api.close());
  } finally {
    cancelSweep();
    cancelCut();
  }
}

async function listen(api: Api, { port, host }: Settings): Promise<void> {
  try {
    await api.listen({ port, host });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') {
      throw new LodeError(
        'unavailable',
        `Port ${port} is in use: stop the other program or set PORT.`,
        {},
        { cause: error },
      );
    }
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new LodeError(
        'unavailable',
        `Can't listen on ${host}, port ${port}: set LODE_HOST or PORT.`,
        {},
        { cause: error },
      );
    }
    throw error;
  }
}

async function addressOf(api: Api, { host }: Settings): Promise<string> {
  const { port } = new URL(await api.getUrl());
  const isEveryones = host === '127.0.0.1' || host === '0.0.0.0' || host === '::';
  const shown = isEveryones ? 'localhost' : isIPv6(host) ? `[${host}]` : host;
  return `http://${shown}:${port === '' ? '80' : port}`;
}
