// The bench's rows in order. Every row is durable and includes its client; `npm run bench -- --seconds 10` runs
// longer, `--events 10000000` asks the queries of a log of that many, `--accounts 1000000` pays so many in the bonus tick;
// `--tick-only` leaves out all other rows.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { measureApi } from './api.mjs';
import { measureBulk } from './bulk.mjs';
import { fsyncRate, sqliteRate } from './disk.mjs';
import { logRate } from './log.mjs';
import { measureQueries } from './queries.mjs';
import { rebuildRate } from './rebuild.mjs';
import { measureTick } from './tick.mjs';

const root = process.env.LODE_ROOT;
const argument = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? fallback : Number(process.argv[at + 1]);
};
const seconds = argument('seconds', 5);
const folder = join(root, '.cache', 'bench');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const rows = [];
const row = (name, { perSecond, p50, p99, note = '' }) => {
  rows.push({ name, perSecond: perSecond && Math.round(perSecond), p50, p99, note });
  const figure = (value, unit) =>
    value === undefined ? ''.padStart(12) : `${value.toFixed(2)} ${unit}`.padStart(12);
  const rate =
    perSecond === undefined ? ''.padStart(12) : Math.round(perSecond).toLocaleString('en').padStart(12);
  console.log(`${name.padEnd(58)}${rate}${figure(p50, 'ms')}${figure(p99, 'ms')}  ${note}`);
};

console.log(`${cpus().length} cores, Node ${process.versions.node}, ${seconds} s a row`);
console.log(`${''.padEnd(58)}${'per second'.padStart(12)}${'p50'.padStart(12)}${'p99'.padStart(12)}`);
const say = (text) => console.log(`  ${text}`);
row('disk: 4 KiB written and fdatasynced', { perSecond: fsyncRate(folder, seconds) });
if (!process.argv.includes('--tick-only')) {
  row('SQLite, WAL, FULL: 1 event a commit', { perSecond: sqliteRate(folder, seconds, 1) });
  row('SQLite, WAL, FULL: 32 events a commit', { perSecond: sqliteRate(folder, seconds, 32) });
  row('log: 1 event an append, 64 under way, many streams', await logRate(folder, seconds, 1));
  row('log: 32 events an append, 8 under way, many streams', await logRate(folder, seconds, 32));
  for (const { name, ...figures } of await measureApi(root, join(folder, 'api'), seconds)) row(name, figures);
  for (const { name, ...figures } of await measureBulk(root, join(folder, 'bulk'), seconds))
    row(name, figures);
  row('disk again: 4 KiB written and fdatasynced', { perSecond: fsyncRate(folder, seconds) });
  row('projector: rebuild of all read models, events', await rebuildRate(root, folder));
  const events = argument('events', 100_000);
  for (const { name, ...figures } of await measureQueries(root, join(folder, 'queries'), events, say))
    row(name, figures);
}
const accounts = argument('accounts', 100_000);
for (const { name, ...figures } of await measureTick(root, join(folder, 'tick'), accounts, say))
  row(name, figures);

const file = join(root, '.cache', 'bench.json');
writeFileSync(
  file,
  `${JSON.stringify({ at: new Date().toISOString(), node: process.versions.node, cores: cpus().length, rows }, null, 2)}\n`,
);
console.log(`As JSON: ${file}`);
rmSync(folder, { recursive: true, force: true });
process.exit(0);
