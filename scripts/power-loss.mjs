// Has the power go as often as its argument says (500 times when it says nothing) while seventeen writers are at work, and
// prints what was counted. What no fsync has covered is undone each time; it takes about three seconds each.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment, fail, NODE_VERSION, prepare, root } from './lib/toolchain.mjs';

const TURNS = ['work', 'start', 'checkpoint', 'rebuild', 'backup'];

/** One line a turn: how often the power went in the middle of it, and what it took. */
function report(losses, seconds) {
  const sum = (rows, of) => rows.reduce((all, row) => all + row[of], 0).toLocaleString('en');
  const line = (name, rows) =>
    `| ${name} | ${rows.length} | ${sum(rows, 'acknowledged')} | ${sum(rows, 'writes')} | ${sum(rows, 'names')} |`;
  return [
    `${losses.length} losses of power in ${new Set(losses.map(({ seed }) => seed)).size} data folders, ${Math.round(seconds)} s on ${cpus().length} processors, Node ${NODE_VERSION}.`,
    '',
    '| in the middle of | losses | commands acknowledged before it | writes undone | names undone |',
    '| ---------------- | ------ | ------------------------------- | ------------- | ------------ |',
    ...TURNS.map((turn) =>
      line(
        turn,
        losses.filter((loss) => loss.turn === turn),
      ),
    ),
    line('all', losses),
  ].join('\n');
}

try {
  const node = await prepare();
  const folder = mkdtempSync(join(tmpdir(), 'lode-power-'));
  const file = join(folder, 'losses.ndjson');
  const began = Date.now();
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const args = [
    '--enable-source-maps',
    jest,
    '-c',
    join(root, 'jest.config.js'),
    '-w',
    '1',
    'power-loss.e2e',
  ];
  const { status } = spawnSync(node, args, {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      ...environment(node),
      LODE_POWER_LOSSES: process.argv[2] ?? '500',
      LODE_POWER_REPORT: file,
    },
  });
  const losses = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  rmSync(folder, { recursive: true });
  console.log(report(losses, (Date.now() - began) / 1_000));
  process.exitCode = status ?? 1;
} catch (error) {
  fail(error);
}
