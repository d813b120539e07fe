import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pino, type Logger } from 'pino';
import { Registry } from 'prom-client';
import { applicationHandlers, watchSettings, InviteFirstAdmin, OPERATOR } from '#application';
import { openEngines, opening, type Closing } from '#engines';
import { LodeError, logStart, systemClock, systemMonotonic, systemRandom, systemTimers } from '#kernel';
import { createApi, createBusMeter, createLedger, type Engines } from '../api/index.js';
import { startProjector } from '../projector/index.js';
import { startApplication } from './application.js';
import { startIdentity } from './identity.js';
import { payerThreads } from '../worker/index.js';
import { startProcesses } from './processes.js';
import type { Settings } from './settings.js';

/** A program that runs until it is stopped. */
export type Running = {
  readonly address: string;
  /** The path that makes the first admin; undefined once there is one. */
  readonly firstAdminPath: string | undefined;
  /** Finishes what is under way and lets go of everything. */
  readonly stop: () => Promise<void>;
};

/** The built front end and package.json, as seen from this file's place in `dist/`. */
const ROOT = new URL('../../../', import.meta.url);

/** What connections have, once the program stops, to end what is under way; milliseconds. */
const UNDER_WAY_MS = 5_000;
/** How long the start waits for what a death left undone: whoever was to be kept out must not get a request through. */
const CATCH_UP_MS = 5_000;
/** How often connections that have ended it meanwhile are closed; milliseconds. */
const SWEEP_MS = 50;

/** Opens the engines in the data folder, starts the projector and the API, and listens. `say` hears each step. */
export function run(settings: Settings, say: (step: string) => void): Promise<Running> {
  return opening((closing) => open(settings, say, closing));
}

async function open(settings: Settings, say: (step: string) => void, closing: Closing): Promise<Running> {
  const { logLevel, secure, proxies, requestsPerMinute, identityToolkit, identityToolkitOrigins } = settings;
  const logger = pino({ level: logLevel });
  const metrics = new Registry();
  const { engines, ledger, bus, processes } = await compose(settings, { logger, metrics }, say, closing);
  const webFolder = existsSync(new URL('web/dist/app.html', ROOT))
    ? fileURLToPath(new URL('web/dist/', ROOT))
    : undefined;
  const { version } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as { version: string };
  const api = await createApi({
    engines,
    ledger,
    bus,
    metrics,
    version,
    settings: {
      requestsPerMinute,
      secure,
      proxies,
      webFolder,
      identityToolkit,
      identityToolkitOrigins,
      logger,
    },
  });
  closing.add(() => close(api));
  if (!(await processes.caughtUp(CATCH_UP_MS)))
    logger.warn('reactors still catch up: what the last run left undone is done while requests are answered');
  await listen(api, settings);
  processes.startJobs();

  const firstAdminPath = (await engines.identity.credentials.hasAdmin())
    ? undefined
    : (await bus.execute(new InviteFirstAdmin({ actor: OPERATOR }))).path;
  return { address: await addressOf(api, settings), firstAdminPath, stop: () => closing.run() };
}

/** Everything that the API stands on: the engines of the data folder, and what runs on them. */
async function compose(
  { dataFolder, passwordPolicy, stateCacheBytes }: Settings,
  { logger, metrics }: { readonly logger: Logger; readonly metrics: Registry },
  say: (step: string) => void,
  closing: Closing,
) {
  const [clock, random] = [systemClock, systemRandom];
  say(`Opening the log in ${dataFolder} …`);
  const opened = await openEngines({ dataFolder }, 'serve', say);
  closing.add(opened.close);
  const { events: eventStore, models: readStore, files } = opened;
  const ledger = createLedger({ eventStore, clock, cacheBytes: stateCacheBytes });
  const { identity, accessAudit, stop } = await startIdentity({
    store: opened.identity,
    eventStore,
    aggregates: ledger,
    passwordPolicy,
    logger,
    clock,
    random,
  });
  closing.add(stop);

  const head = await eventStore.head();
  say(head === logStart ? 'The log is empty.' : `The log holds ${Number(head).toLocaleString('en')} events.`);
  const projector = await startProjector({
    engines: opened,
    onProblem: (problem) => logger.error(problem, 'projector'),
    say,
  });
  closing.add(projector.stop);

  const shared = { eventStore, readStore, identity, files, projections: projector.feed, clock };
  const settings = watchSettings({
    aggregates: ledger,
    eventStore,
    monotonic: systemMonotonic,
    timers: systemTimers,
  });
  closing.add(settings.stop);
  const application = await startApplication(
    applicationHandlers({ ...shared, random, aggregates: ledger, settings, accessAudit }),
    createBusMeter(metrics),
  );
  closing.add(application.stop);
  const processes = startProcesses({
    memory: opened,
    engines: shared,
    ledger,
    bus: application.bus,
    reactions: projector.reactions,
    payers: () => payerThreads({ engines: opened }),
    logger,
  });
  closing.add(() => processes.stop());
  const engines: Engines = { ...shared, processes, random };
  return { engines, ledger, bus: application.bus, processes };
}

type Api = Awaited<ReturnType<typeof createApi>>;

/** Stops listening and ends what is under way; what does not end by itself is cut off. */
async function close(api: Api): Promise<void> {
  const server = api.getHttpServer();
  // A connection that was answering when the server closed is kept alive by nobody else than its client.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const cut = setTimeout(() => server.closeAllConnections(), UNDER_WAY_MS);
  await api.close();
  clearInterval(sweep);
  clearTimeout(cut);
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
  const shown = host === '127.0.0.1' || host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${shown}:${port === '' ? '80' : port}`;
}
