// The bench's rows in order. Every row is durable (files on S3 as far as that store is) and includes its client.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureApi } from './api.mjs';
import { measureAttacks } from './attacks.mjs';
import { compare } from './compare.mjs';
import { measureBulk } from './bulk.mjs';
import { measureCold } from './cold.mjs';
import { measureEventStore } from './eventstore.mjs';
import { measureExplorer } from './explorer.mjs';
import { measureFiles } from './files.mjs';
import { fsyncRate, sqliteRate } from './disk.mjs';
import { measureJobs } from './jobs.mjs';
import { measureLook } from './look.mjs';
import { logRate } from './log.mjs';
import { measureMemory } from './memory.mjs';
import { measureMongo } from './mongodb.mjs';
import { measureQueries } from './queries.mjs';
import { measureRegistrations } from './registrations.mjs';
import { measureScaleOut } from './scale-out.mjs';
import { measureSoak } from './soak.mjs';
import { measureTick } from './tick.mjs';
import { measureWay } from './way.mjs';

const PARTS = [
  'disk',
  'log',
  'eventstore',
  'api',
  'way',
  'registrations',
  'attacks',
  'bulk',
  'jobs',
  'queries',
  'look',
  'mongodb',
  'tick',
  'cold',
  'memory',
  'files',
  'scale-out',
  'explorer',
  'soak',
];
/** What takes minutes, or a browser, and is run when it is asked for. */
const ASKED_FOR = ['scale-out', 'explorer', 'soak'];
const USAGE = `npm run bench -- [options]
  --only PARTS       some of ${PARTS.join(', ')}, with commas between them; all but scale-out, explorer and soak when left out
  --seconds N        of each row of disk, log, eventstore, api, bulk, jobs, mongodb, files and scale-out (5)
  --events N         of the log that queries asks of, look beside it, and explorer, written first (100000); 10000000 take 35 GB
  --accounts N       that the bonus tick pays (100000)
  --lengths N,N      of the cold streams, in events (10000,200000)
  --commands N       of memory (1000000)
  --minutes N        of soak: mixed load, the memory of each minute, and whether it is flat (10)
  --against FOLDER   measures log, API, bulk and rebuild by turns with another checkout, built, and nothing else
  --rounds N         of it (6)
  --keep             leaves the log of queries and its read models in .cache/bench-log for the next run`;

const root = process.env.BENCH_ROOT;
const options = readOptions();
const folder = join(root, '.cache', 'bench');
const logFolder = join(root, '.cache', 'bench-log');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const { engineNamed, lacking } = await import(join(root, 'dist', 'libs', 'kernel', 'testing', 'engines.js'));

const rows = [];
const row = (name, { perSecond, p50, p99, note = '' }) => {
  rows.push({ name, perSecond: perSecond === undefined ? undefined : Math.round(perSecond), p50, p99, note });
  const figure = (value) => (value === undefined ? '' : `${value.toFixed(2)} ms`).padStart(12);
  const rate = (perSecond === undefined ? '' : Math.round(perSecond).toLocaleString('en')).padStart(12);
  console.log(`${name.padEnd(64)}${rate}${figure(p50)}${figure(p99)}  ${note}`);
};
const say = (text) => console.log(`  ${text}`);
const fsync = (name) => row(name, { perSecond: fsyncRate(folder, options.seconds) });

console.log(`${cpus().length} cores, Node ${process.versions.node}, ${options.seconds} s a row`);
console.log(`${''.padEnd(64)}${'per second'.padStart(12)}${'p50'.padStart(12)}${'p99'.padStart(12)}`);
fsync('disk: 4 KiB written and fdatasynced');
if (options.against !== undefined) {
  await tellComparison();
  process.exit(0);
}
if (options.has('disk')) {
  row('SQLite, WAL, FULL: 1 event a commit', { perSecond: sqliteRate(folder, options.seconds, 1) });
  row('SQLite, WAL, FULL: 32 events a commit', { perSecond: sqliteRate(folder, options.seconds, 32) });
}
if (options.has('log')) {
  row('log: 1 event an append, 64 under way, many streams', await logRate(folder, options.seconds, 1));
  row('log: 32 events an append, 8 under way, many streams', await logRate(folder, options.seconds, 32));
}
if (options.has('eventstore'))
  for (const { name, ...figures } of measureEventStore(options.seconds, say, engineNamed('eventstore').words))
    row(name, figures);
if (options.has('api')) {
  for (const { name, ...figures } of await measureApi(root, join(folder, 'api'), options.seconds))
    row(name, figures);
}
if (options.has('way')) await tellWay();
if (options.has('registrations'))
  for (const { name, ...figures } of await measureRegistrations(root, join(folder, 'registrations')))
    row(name, figures);
if (options.has('attacks'))
  for (const { name, ...figures } of await measureAttacks(root, join(folder, 'attacks'))) row(name, figures);
if (options.has('bulk'))
  for (const { name, ...figures } of await measureBulk(root, join(folder, 'bulk'), options.seconds))
    row(name, figures);
if (options.has('jobs'))
  for (const { name, ...figures } of await measureJobs(root, folder, options.seconds, say))
    row(name, figures);
if (options.has('api') || options.has('bulk')) fsync('disk again: 4 KiB written and fdatasynced');
if (options.has('queries')) {
  await measureQueries(root, logFolder, options.events, { row, say });
  if (options.has('look'))
    for (const { name, ...figures } of await measureLook(root, logFolder)) row(name, figures);
  if (!options.keep) rmSync(logFolder, { recursive: true, force: true });
}
if (options.has('mongodb'))
  for (const { name, ...figures } of await measureMongo(root, join(folder, 'mongodb'), options.seconds))
    row(name, figures);
if (options.has('tick'))
  for (const { name, ...figures } of await measureTick(root, join(folder, 'tick'), options.accounts, say))
    row(name, figures);
if (options.has('cold'))
  for (const { name, ...figures } of await measureCold(root, join(folder, 'cold'), options.lengths, say))
    row(name, figures);
if (options.has('memory')) {
  const { name, ...figures } = await measureMemory(root, join(folder, 'memory'), options.commands);
  row(name, figures);
}
if (options.has('files')) {
  const measured = await measureFiles(root, join(folder, 'files'), options.seconds);
  if (measured === undefined) say(`not run: files on S3 (${lacking('s3')})`);
  for (const { name, ...figures } of measured ?? []) row(name, figures);
}
if (options.has('scale-out')) {
  if (!(await measureScaleOut(root, join(folder, 'scale-out'), options.seconds, { row, say })))
    say(`not run: several programs (${lacking('s3')})`);
}
if (options.has('explorer')) await measureExplorer(root, options.events, { row, say });
if (options.has('soak'))
  row('API: mixed load', await measureSoak(root, join(folder, 'soak'), options.minutes, say));

const file = join(root, '.cache', 'bench.json');
writeFileSync(
  file,
  `${JSON.stringify({ at: new Date().toISOString(), node: process.versions.node, cores: cpus().length, rows }, null, 2)}\n`,
);
console.log(`As JSON: ${file}`);
rmSync(folder, { recursive: true, force: true });
process.exit(0);

/** What one confirmation runs on the main thread, in all and by file. */
async function tellWay() {
  const { functions, calls, files } = await measureWay(root, join(folder, 'way'));
  row('the way of one confirmation', {
    note: `${functions} functions in ${files.size} files, ${calls} calls`,
  });
  for (const [file, names] of files) say(`${file}: ${names.join(', ')}`);
}

/** This checkout and another one by turns. */
async function tellComparison() {
  const { against, rounds, seconds } = options;
  const rows = await compare({ roots: [root, against], folder, rounds, seconds, say });
  const column = (text) => text.padStart(12);
  console.log(`${''.padEnd(64)}${['this', 'other', 'difference', 'least', 'most'].map(column).join('')}`);
  for (const { name, ours, theirs, difference, least, most } of rows) {
    const shown = [ours, theirs].map((value) => value.toLocaleString('en', { maximumFractionDigits: 1 }));
    const percent = [difference, least, most].map(
      (value) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)} %`,
    );
    console.log(name.padEnd(64) + [...shown, ...percent].map(column).join(''));
  }
  fsync('disk again: 4 KiB written and fdatasynced');
  rmSync(folder, { recursive: true, force: true });
}

/** What was asked for on the command line; tells how to ask when that is not understood. */
function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string' },
        seconds: { type: 'string', default: '5' },
        events: { type: 'string', default: '100000' },
        accounts: { type: 'string', default: '100000' },
        lengths: { type: 'string', default: '10000,200000' },
        commands: { type: 'string', default: '1000000' },
        minutes: { type: 'string', default: '10' },
        rounds: { type: 'string', default: '6' },
        against: { type: 'string' },
        keep: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    const only = values.only?.split(',') ?? PARTS.filter((part) => !ASKED_FOR.includes(part));
    const unknown = only.find((part) => !PARTS.includes(part));
    if (unknown !== undefined) throw new Error(`There is no part ${unknown}.`);
    const aboveZero = (name, text) => {
      const number = Number(text);
      if (!(number > 0)) throw new Error(`--${name} ${text} is not a number above 0.`);
      return number;
    };
    const NUMBERS = ['seconds', 'events', 'accounts', 'commands', 'minutes', 'rounds'];
    const numbers = Object.fromEntries(NUMBERS.map((name) => [name, aboveZero(name, values[name])]));
    const lengths = values.lengths.split(',').map((text) => aboveZero('lengths', text));
    const { keep, against } = values;
    return { ...numbers, lengths, keep, against, has: (part) => only.includes(part) };
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`);
    process.exit(2);
  }
}
