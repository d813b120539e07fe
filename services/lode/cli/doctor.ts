import {
  closeSync,
  existsSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { comparePositions, logStart, type Position } from '#kernel';
import { walletModels } from '#projections';
import { openSqliteReadStoreSnapshot } from '#read-store/sqlite';
import { placesIn, type Places } from '../data-folder.js';
import { settingSources } from '../settings.js';
import { lodeVersion } from '../version.js';
import type { Call, Outcome } from './command.js';
import { aboutProcesses, processesOf, type ProcessesState } from './doctor-processes.js';
import type { Finding } from './finding.js';
import { mismatchesIn } from '../whole.js';
import { asLog, isRunning, readingLog } from './folder.js';
import { count, size, table } from './output.js';

/** Below these it is time to do something. */
const FREE_BYTES_LEAST = 1_024 ** 3;
const FREE_SHARE_LEAST = 0.05;
const FSYNCS_LEAST = 200;
const WAL_BYTES_MOST = 256 * 1_024 ** 2;
/** How long the disk is measured, in milliseconds, and with what. */
const MEASURE_MS = 300;
const BLOCK_BYTES = 4_096;
const MODE_OF_OTHERS = 0o077;
const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];

/** `lode doctor`. */
export async function carryDoctor({ settings, env, options }: Call): Promise<Outcome> {
  const folder = settings.dataFolder;
  const places = placesIn(folder);
  const sources = settingSources(env).map((setting) =>
    setting.name === 'LODE_DATA' && options['data'] !== undefined
      ? { ...setting, source: 'command line' }
      : setting,
  );
  const versions = {
    lode: lodeVersion(),
    node: process.versions.node,
    sqlite: process.versions['sqlite'] ?? 'unknown',
  };
  const isThere = existsSync(folder);
  const running = isThere && !existsSync(places.restoring) && isRunning(folder);
  const disk = isThere ? diskOf(folder) : undefined;
  const sizes = isThere ? sizesOf(places) : [];
  const log = existsSync(places.log) ? await logOf(places) : undefined;
  const processes = log === undefined ? undefined : await processesOf(places, log.head);
  const findings = [
    ...aboutSettings(settings),
    ...aboutFolder(folder, places, isThere),
    ...(isThere && !existsSync(places.restoring) ? await aboutWhole(places) : []),
    ...(disk === undefined ? [] : aboutDisk(disk)),
    ...aboutFiles(places, sizes),
    ...(log === undefined ? [] : aboutModels(log, running)),
    ...(processes === undefined ? [] : aboutProcesses(processes, running)),
  ];
  return {
    ok: findings.length === 0,
    facts: {
      folder,
      running,
      versions,
      settings: sources,
      disk: disk ?? null,
      files: sizes,
      log: log ?? null,
      processes: processes ?? null,
      findings,
    },
    lines: [
      `Lode ${versions.lode} on Node ${versions.node} with SQLite ${versions.sqlite}. It is ${running ? '' : 'not '}running on ${folder}.`,
      ...table(sources.map(({ name, value, source }) => [`  ${name}`, value, source])),
      ...(disk === undefined
        ? []
        : [
            `The disk has ${size(disk.freeBytes)} of ${size(disk.totalBytes)} free and takes ${count(disk.fsyncsPerSecond)} fsyncs a second.`,
          ]),
      ...table(sizes.map(({ name, bytes }) => [`  ${name}`, size(bytes)])),
      ...(log === undefined ? [] : [`The log ends at position ${log.head}.`]),
      ...table(
        (log?.models ?? []).map(({ model, state, behind }) => [
          `  ${model}`,
          state,
          `${count(behind)} events behind`,
        ]),
      ),
      ...(processes === undefined ? [] : describeProcesses(processes)),
      '',
      ...(findings.length === 0
        ? ['Nothing looks wrong.']
        : findings.map(({ what, todo }) => `WRONG: ${what} ${todo}`)),
    ],
  };
}

function describeProcesses({ reactors, jobs }: ProcessesState): readonly string[] {
  return [
    ...(reactors.length === 0 ? [] : ['What follows from the log by itself:']),
    ...table(
      reactors.map(({ name, behind, parked }) => [
        `  ${name}`,
        `${count(behind)} events behind`,
        `${count(parked)} parked`,
      ]),
    ),
    ...(jobs.length === 0 ? [] : ['The last run of each job:']),
    ...table(jobs.map(({ kind, state, slot }) => [`  ${kind}`, state, slot])),
  ];
}

function aboutSettings({ host, secure, proxies }: Call['settings']): readonly Finding[] {
  if (LOOPBACK.includes(host) || secure) return [];
  return [
    {
      what: `Lode listens on ${host} and LODE_SECURE is false: sessions can be read on the way.`,
      todo: `Put a proxy that speaks https in front, set LODE_SECURE=true${proxies.length === 0 ? ', and LODE_PROXIES to its address' : ''}.`,
    },
  ];
}

function aboutFolder(folder: string, places: Places, isThere: boolean): readonly Finding[] {
  if (!isThere)
    return [
      { what: `There is no ${folder}.`, todo: 'It is made at the first start; else name it with --data.' },
    ];
  if (existsSync(places.restoring)) {
    return [
      { what: `A restore into ${folder} was not finished.`, todo: 'Empty the folder and restore again.' },
    ];
  }
  return [];
}

/** What does not fit together, by which a start would be refused. */
async function aboutWhole(places: Places): Promise<readonly Finding[]> {
  if (!existsSync(places.log)) return mismatchesIn(places);
  return readingLog(places.log, (reader) => mismatchesIn(places, asLog(reader)));
}

type Disk = { readonly freeBytes: number; readonly totalBytes: number; readonly fsyncsPerSecond: number };

function diskOf(folder: string): Disk {
  const { bavail, blocks, bsize } = statfsSync(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize, fsyncsPerSecond: fsyncRate(folder) };
}

/** How often a second the disk takes 4 KiB for good, by the median of many times: other programs' pauses are not the disk's. */
function fsyncRate(folder: string): number {
  const own = mkdtempSync(join(folder, 'doctor-'));
  const fd = openSync(join(own, 'fsync'), 'w');
  const block = Buffer.alloc(BLOCK_BYTES, 1);
  const began = performance.now();
  const times: number[] = [];
  for (let from = began; from - began < MEASURE_MS;) {
    writeSync(fd, block, 0, block.length, 0);
    fdatasyncSync(fd);
    const now = performance.now();
    times.push(now - from);
    from = now;
  }
  closeSync(fd);
  rmSync(own, { recursive: true });
  const median = times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? MEASURE_MS;
  return Math.round(1_000 / median);
}

function aboutDisk({ freeBytes, totalBytes, fsyncsPerSecond }: Disk): readonly Finding[] {
  const findings: Finding[] = [];
  if (freeBytes < FREE_BYTES_LEAST || freeBytes < totalBytes * FREE_SHARE_LEAST) {
    findings.push({
      what: `Only ${size(freeBytes)} are free: when the disk is full, commands are refused.`,
      todo: 'Make room, or move the data folder to a larger disk.',
    });
  }
  if (fsyncsPerSecond < FSYNCS_LEAST) {
    findings.push({
      what: `The disk takes only ${fsyncsPerSecond} fsyncs a second: every command waits for one.`,
      todo: 'Use a disk with a write cache that survives a power cut.',
    });
  }
  return findings;
}

type FileSize = { readonly name: string; readonly bytes: number };

function sizesOf({ log, identity, readModels, processes }: Places): readonly FileSize[] {
  return [log, identity, readModels, processes]
    .flatMap((file) => [file, `${file}-wal`])
    .filter((file) => existsSync(file))
    .map((file) => ({ name: file, bytes: statSync(file).size }));
}

function aboutFiles({ identity, readModels }: Places, sizes: readonly FileSize[]): readonly Finding[] {
  const findings: Finding[] = [];
  if (
    process.platform !== 'win32' &&
    existsSync(identity) &&
    (statSync(identity).mode & MODE_OF_OTHERS) !== 0
  ) {
    findings.push({ what: `Others may read ${identity}, which holds keys.`, todo: `chmod 600 ${identity}` });
  }
  for (const { name, bytes } of sizes) {
    if (!name.endsWith('-wal') || bytes < WAL_BYTES_MOST) continue;
    findings.push({
      what: `${name} has grown to ${size(bytes)}: something reads the file without end.`,
      todo: 'End other programs that have it open.',
    });
  }
  if (existsSync(`${readModels}.discarded`)) {
    findings.push({
      what: `The read models were once damaged; the old ones are in ${readModels}.discarded.`,
      todo: 'Look at the disk, then delete that file.',
    });
  }
  return findings;
}

type ModelState = { readonly model: string; readonly state: string; readonly behind: number };
type LogState = { readonly head: Position; readonly models: readonly ModelState[]; readonly parked: number };

/** Where the log ends and how far the read models have got. */
function logOf({ log, readModels }: Places): Promise<LogState> {
  return readingLog(log, async (reader) => {
    const live = openSqliteReadStoreSnapshot({ file: readModels });
    const head = reader.head();
    if (live === undefined) return { head, models: [], parked: 0 };
    try {
      const builds = await live.builds();
      const models = walletModels.map(({ name, version }): ModelState => {
        const active = builds.find(({ build, state }) => build.collection === name && state === 'active');
        const at = active?.checkpoint ?? logStart;
        const state =
          active === undefined ? 'missing' : active.build.version === version ? 'there' : 'other version';
        const isAhead = comparePositions(at, head) > 0;
        return {
          model: name,
          state: isAhead ? 'ahead' : state,
          behind: isAhead ? 0 : Number(head) - Number(at),
        };
      });
      const hasParked = builds.some(
        ({ build, state }) => build.collection === 'parked' && state === 'active',
      );
      const parked = hasParked
        ? await live.list('parked', { index: 'id', equals: {}, direction: 'ascending', limit: 1_000 })
        : [];
      return { head, models, parked: parked.length };
    } finally {
      await live.close();
    }
  });
}

/** Behind by more than this while a program runs is worth a look. */
const BEHIND_MOST = 10_000;

function aboutModels({ models, parked }: LogState, running: boolean): readonly Finding[] {
  const findings: Finding[] = [];
  for (const { model, behind } of models) {
    if (running && behind > BEHIND_MOST) {
      findings.push({
        what: `The read model ${model} is ${count(behind)} events behind.`,
        todo: 'See whether it catches up (GET /api/projections); if not, look at the log of the program.',
      });
    }
  }
  if (parked > 0) {
    findings.push({
      what: `${parked} events are parked: read models could not take them.`,
      todo: 'Update Lode, then replay them (POST /api/projections/{model}/replay).',
    });
  }
  return findings;
}
