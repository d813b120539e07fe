import { clockNotAccepted } from '#clock';
import { openEngines, scrubStateIn, type FolderState, type Inspection } from '#engines';
import { isRewrapDue } from '#identity';
import { pause, systemClock, systemTimers, type Position } from '#kernel';
import type { Settings } from '../settings.js';
import { lodeVersion } from '../version.js';
import { NO_KEY_FILE, NOT_WRAPPED, openKeyFile } from '../keys.js';
import { toleranceBeside } from '../time.js';
import { stateIn } from './accept-clock.js';
import type { Call, Outcome } from './command.js';
import { describeDisk, lookAtDisk } from './doctor-disk.js';
import { aboutFiles, aboutFolder, lookAtStructure, sizesIn } from './doctor-files.js';
import {
  aboutModels,
  aboutStalled,
  buildsIn,
  countStalled,
  modelsOf,
  placesOf,
  type ModelsState,
} from './doctor-models.js';
import { aboutProcesses, processesOf, rememberedIn, type ProcessesState } from './doctor-processes.js';
import { aboutScrub, describeScrub } from './doctor-scrub.js';
import { aboutSettings, describeSettings, settingsSeen } from './doctor-settings.js';
import { look, lookInTime, type Finding, type Looked } from './finding.js';
import { readingLog } from './folder.js';
import { describeLag, endOf } from './log-end.js';
import { count, size, table } from './output.js';

/** How often a clock is looked at that seems wrong beside a program that runs, and what lies between two looks. */
const CLOCK_LOOKS = 4;
const CLOCK_LOOK_MS = 1_000;

/** What is to be done about a file that can't be used. */
const todos = {
  closed: 'Let the folder be written first, then look again.',
  log: 'Mend that first: without it Lode does not start.',
  identity:
    'Without it Lode does not start. When it is damaged, restore it and the log from one backup: it holds the keys of all personal data.',
  readModels:
    'Look at the disk and at its rights. When it is damaged, stop Lode and move it away: it is made anew from the log.',
  processes: 'Stop Lode and move the file away: it is begun anew, and nothing is done twice.',
  redis:
    'Until it can be reached no job runs: no bonus is paid and no file is swept up; the next run does what was left.',
  servers: 'Mend that first: without it Lode does not start.',
  rewrap: 'Stop Lode and let lode rewrap do it.',
  clock: 'Put it right, or accept it with lode accept-clock.',
  catalog: 'Look at its rights. When it is damaged, restart Lode: it is made anew from the folder.',
} as const;

/** `lode doctor`. Each part is looked at by itself, so that one that is broken hides no other. */
export async function runDoctor({ settings }: Call): Promise<Outcome> {
  const folder = settings.dataFolder;
  const versions = {
    lode: lodeVersion(),
    node: process.versions.node,
    sqlite: process.versions['sqlite'] ?? 'unknown',
  };
  const engines = await openEngines(settings, 'inspect');
  const seen = await lookInto(settings, engines);
  const { running, disk, files, log, processes, kept, tooLarge } = seen;
  const shown = settingsSeen(engines, settings.sources, running);
  const scrub = scrubStateIn(folder)?.state;
  const findings = distinct([
    ...aboutSettings(shown, settings.sources),
    ...aboutKeyFile(settings),
    ...seen.findings,
    ...aboutScrub(scrub),
  ]);
  return {
    ok: findings.length === 0,
    facts: {
      folder,
      running: running ?? null,
      versions,
      settings: shown.settings,
      settingsOf: shown.of,
      disk: disk ?? null,
      files,
      log: log ?? null,
      head: kept ?? null,
      processes: processes ?? null,
      scrub: scrub ?? null,
      findings,
    },
    lines: [
      `Lode ${versions.lode} on Node ${versions.node} with SQLite ${versions.sqlite}. ${describeRunning(running, folder)}`,
      describeSettings(shown, running),
      ...table(shown.settings.map(({ name, value, source }) => [`  ${name}`, value, source])),
      ...(disk === undefined ? [] : [describeDisk(disk)]),
      ...table(files.map(({ name, bytes }) => [`  ${name}`, size(bytes)])),
      ...(log === undefined ? [] : [`The log ends at position ${log.head}.`]),
      ...(kept === undefined ? [] : [describeKept(kept)]),
      ...table(
        (log?.models ?? []).map(({ model, state, ...lag }) => [`  ${model}`, state, describeLag(lag)]),
      ),
      ...(processes === undefined ? [] : describeProcesses(processes, log !== undefined)),
      describeScrub(scrub),
      '',
      ...(findings.length === 0
        ? ['Nothing looks wrong.']
        : findings.map(({ what, todo }) => `WRONG: ${what} ${todo}`)),
      ...tooLarge.map((file) => `${file} is large: its structure was not gone through.`),
      ...(settings.keyFile === undefined ? [NO_KEY_FILE] : []),
      'What is in the files was not read: `lode verify` does that.',
    ],
    ...(seen.isGivenUp ? { isUnderWay: true } : {}),
  };
}

/** What was seen of a folder. What could not be seen is left out, and is a finding. */
type Seen = {
  /** Undefined when that can't be told. */
  readonly running: boolean | undefined;
  readonly disk: Awaited<ReturnType<typeof lookAtDisk>>['disk'];
  readonly files: ReturnType<typeof sizesIn>;
  readonly log: (ModelsState & { readonly head: Position }) | undefined;
  readonly processes: ProcessesState | undefined;
  /** How far log and identities had come, as it was kept last. */
  readonly kept: KeptThen | undefined;
  readonly findings: readonly Finding[];
  /** Databases whose structure was not gone through. */
  readonly tooLarge: readonly string[];
  /** Something that said nothing in time may still be under way. */
  readonly isGivenUp: boolean;
};

function nothingSeen(folder: string, state: FolderState): Seen {
  return {
    running: false,
    disk: undefined,
    files: [],
    log: undefined,
    processes: undefined,
    kept: undefined,
    findings: aboutFolder(folder, state),
    tooLarge: [],
    isGivenUp: false,
  };
}

async function lookInto(settings: Settings, engines: Inspection): Promise<Seen> {
  const folder = settings.dataFolder;
  const { maintenance } = engines;
  const state = await look('Look at the rights of the folder.', maintenance.look);
  const isAtHome = state.found?.holds.log ?? true;
  if (state.found?.isThere === false && isAtHome) return nothingSeen(folder, state.found);
  const lock = await look('Without that Lode does not start.', () =>
    state.found?.isHalfRestored === true || state.found?.isThere === false ? false : maintenance.isRunning(),
  );
  const running = lock.found === true;
  const { disk, findings: aboutDisk } =
    state.found?.isThere === false ? noDisk : await lookAtDisk(maintenance);
  const inside = await lookAtDatabases(engines, {
    settings,
    running,
    hasLog: isAtHome ? (state.found?.parts.log.isThere ?? false) : true,
  });
  // Then SQLite can't even read some of them, whatever they are like.
  const isClosed = state.found?.isThere !== false && (disk === undefined || disk.fsyncsPerSecond === null);
  return {
    running: lock.found,
    disk,
    files: state.found === undefined ? [] : sizesIn(state.found),
    log: inside.log,
    processes: inside.processes,
    kept: inside.kept,
    findings: [
      ...lock.findings,
      ...aboutDisk,
      ...state.findings,
      ...(state.found === undefined ? [] : [...aboutFolder(folder, state.found), ...aboutFiles(state.found)]),
      ...(isClosed ? inside.findings.map(({ what }) => ({ what, todo: todos.closed })) : inside.findings),
    ],
    tooLarge: inside.tooLarge,
    isGivenUp: inside.isGivenUp,
  };
}

type Asked = { readonly settings: Settings; readonly running: boolean; readonly hasLog: boolean };

/** Looks at all parts side by side: one that a server is away for, or silent, holds up no other. */
async function lookAtParts(engines: Inspection, { settings, running, hasLog }: Asked) {
  const { maintenance } = engines;
  const log = lookInTime('The log', todos.log, () =>
    hasLog ? readingLog(engines, (reader) => reader.head()) : undefined,
  );
  const servers = engines.serverChecks.map(({ name, check }) => lookInTime(name, todos.servers, check));
  const mismatches = log.then((found) =>
    lookInTime('What must fit together', todos.identity, () => (isFine(found) ? engines.mismatches() : [])),
  );
  const [clock, identity, builds, stalled, remembered, kept, runs, catalog] = await Promise.all([
    log.then((found) =>
      lookInTime('The clock', todos.clock, () =>
        checkClock(settings, engines, { head: found.found, running }),
      ),
    ),
    lookInTime('The identity store', todos.identity, () => checkIdentity(settings, engines)),
    lookInTime('The read models', todos.readModels, () => buildsIn(engines)),
    lookInTime('The read models', todos.readModels, () =>
      running ? countStalled(engines, systemClock()) : 0,
    ),
    lookInTime('What the processes remember', todos.processes, () => rememberedIn(engines)),
    log.then((found) =>
      lookInTime('The head', todos.identity, async () =>
        hasLog && isFine(found) ? keptThen(engines) : undefined,
      ),
    ),
    lookInTime('Redis', todos.redis, async () => engines.runsOnServer?.()),
    look(todos.catalog, maintenance.checkUploadsList),
  ]);
  const [head, fitting] = await Promise.all([log, mismatches]);
  return {
    ...{ head, clock, identity, mismatches: fitting, builds, stalled, remembered, kept, runs, catalog },
    servers: await Promise.all(servers),
  };
}

/** Opens each database the way the program does, but to read, and goes through the structure of those that open. */
async function lookAtDatabases(
  engines: Inspection,
  asked: Asked,
): Promise<Pick<Seen, 'log' | 'processes' | 'kept' | 'findings' | 'tooLarge' | 'isGivenUp'>> {
  const parts = await lookAtParts(engines, asked);
  const { head, clock, identity, mismatches, builds, stalled, remembered, runs, catalog, servers } = parts;
  const seen = [...placesOf(builds.found), ...(remembered.found?.reactors ?? [])];
  const end = await look(todos.log, () =>
    head.found === undefined ? undefined : readingLog(engines, (log) => endOf(log, seen)),
  );
  const models = isFine(builds) ? modelsOf(builds.found, end.found) : undefined;
  const lastRuns = engines.runsOnServer === undefined ? remembered.found?.lastRuns : runs.found;
  const processes =
    remembered.found && processesOf({ ...remembered.found, lastRuns: lastRuns ?? [] }, end.found);
  const { findings, tooLarge } = lookAtStructure(
    engines.maintenance,
    databasesOf(parts, processes).filter(({ opens }) => opens),
  );
  const looks = [
    head,
    clock,
    identity,
    mismatches,
    builds,
    stalled,
    remembered,
    parts.kept,
    runs,
    end,
    catalog,
    ...servers,
  ];
  return {
    log: head.found === undefined ? undefined : { head: head.found, ...(models ?? noModels) },
    kept: parts.kept.found,
    processes: asked.hasLog && processes ? { ...processes, stalled: stalled.found ?? 0 } : undefined,
    findings: [
      ...(mismatches.found ?? []),
      ...(identity.found ?? []),
      ...servers.flatMap(({ found = [] }) => found),
      ...looks.flatMap((part) => part.findings),
      ...(models === undefined ? [] : aboutModels(models, asked.running)),
      ...(processes === undefined ? [] : aboutProcesses(processes, asked.running)),
      ...aboutStalled(stalled.found ?? 0),
      ...findings,
    ],
    tooLarge,
    isGivenUp: looks.some(({ isGivenUp }) => isGivenUp === true),
  };
}

function aboutKeyFile(settings: Settings): readonly Finding[] {
  const what = openKeyFile(settings);
  return what === undefined ? [] : [{ what, todo: `Set its rights: chmod 600 ${settings.keyFile}.` }];
}

/** The databases of a folder, and whether each can be opened. */
function databasesOf(
  { head, identity, builds, catalog }: Awaited<ReturnType<typeof lookAtParts>>,
  processes: Pick<ProcessesState, 'unreadable'> | undefined,
) {
  return [
    { opens: isFine(head), part: 'log', todo: 'Restore it and the identity store from one backup.' },
    { opens: isFine(identity), part: 'identity', todo: todos.identity },
    { opens: isFine(builds), part: 'readModels', todo: todos.readModels },
    { opens: processes?.unreadable === null, part: 'processes', todo: todos.processes },
    { opens: isFine(catalog), part: 'uploadsList', todo: todos.catalog },
  ] as const;
}

function isFine({ findings }: Looked<unknown>): boolean {
  return findings.length === 0;
}

/** Of a folder that the start makes. */
const noDisk = { disk: undefined, findings: [] };

const noModels: ModelsState = { models: [], parked: 0 };

/**
 * Refuses a clock that the program refuses: at its start, or, where one runs, by what that remembers. One that has just
 * begun, or was asleep, may not have remembered anything yet, so that it gets a little time.
 */
async function checkClock(
  { clockTolerance }: Settings,
  engines: Inspection,
  { head, running }: { readonly head: Position | undefined; readonly running: boolean },
): Promise<void> {
  if (head === undefined) return;
  const tolerance = running ? toleranceBeside(clockTolerance) : clockTolerance;
  // What of it can't be read is told by whoever looks at that part.
  const look = () => stateIn(engines, tolerance).catch(() => undefined);
  let state = await look();
  for (let looks = 1; running && state?.isAccepted === false && looks < CLOCK_LOOKS; looks++) {
    await pause(systemTimers, CLOCK_LOOK_MS);
    state = await look();
  }
  if (state?.isAccepted === false) throw clockNotAccepted(state);
}

/** Refuses an identity store that the program refuses. That one in a file is missing or empty is told beside the log. */
async function checkIdentity(settings: Settings, engines: Inspection): Promise<readonly Finding[]> {
  const { maintenance, openPersonKeys } = engines;
  const { holds, parts } = maintenance.look();
  const [file] = parts.identity.sizes;
  if (!holds.identity || (file !== undefined && file.bytes > 0)) await (await openPersonKeys()).close();
  return isRewrapDue(await engines.sealKeys(), settings.keys)
    ? [{ what: NOT_WRAPPED, todo: todos.rewrap }]
    : [];
}

/** The head as it was kept last; its age in seconds by this machine's clock. */
type KeptThen = { readonly position: Position; readonly keptAt: string; readonly ageSeconds: number };

async function keptThen({ headReport }: Pick<Inspection, 'headReport'>): Promise<KeptThen | undefined> {
  const { kept } = await headReport();
  if (kept === undefined) return undefined;
  const { position, keptAt } = kept;
  return { position, keptAt, ageSeconds: Math.max(0, (systemClock() - Date.parse(keptAt)) / 1_000) };
}

function describeKept({ position, keptAt, ageSeconds }: KeptThen): string {
  return `Its head was kept last at position ${position}, ${keptAt}: ${ageSeconds.toFixed(1)} seconds ago.`;
}

function describeRunning(running: boolean | undefined, folder: string): string {
  if (running === undefined) return `Whether it runs on ${folder} can't be told.`;
  return `It is ${running ? '' : 'not '}running on ${folder}.`;
}

function describeProcesses({ reactors, jobs }: ProcessesState, knowsEnd: boolean): readonly string[] {
  return [
    ...(reactors.length === 0 ? [] : ['What follows from the log by itself:']),
    ...table(
      reactors.map(({ name, parked, ...lag }) => [
        `  ${name}`,
        knowsEnd ? describeLag(lag) : 'how far is not known',
        `${count(parked)} parked`,
      ]),
    ),
    ...(jobs.length === 0 ? [] : ['The last run of each job:']),
    ...table(jobs.map(({ kind, state, slot }) => [`  ${kind}`, state, slot])),
  ];
}

/** Each thing that is wrong once, however many parts met it. */
function distinct(findings: readonly Finding[]): readonly Finding[] {
  return [
    ...new Map(findings.map((finding) => [finding.what, finding] as const).reverse()).values(),
  ].reverse();
}
