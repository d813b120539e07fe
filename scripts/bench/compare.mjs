// Two built checkouts by turns, so that a machine whose speed drifts tells them apart all the same: each round measures
// both, one right after the other, and every second round begins with the other one.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FIXED, sender, startWithPeople, untilIdle, visibleBeside } from './api.mjs';
import { adjustInBulk, WARM_UP } from './bulk.mjs';
import { processorTime, processorTimeOver } from './processor.mjs';

/**
 * Measures the two `roots` `rounds` times each and answers with a row a figure: its median for either, and the median of
 * what each round's pair differs by, with the least and the most. `say` hears each round. Every figure but the rates is
 * better when it is smaller.
 */
export async function compare({ roots, folder, rounds, seconds, say }) {
  const figures = new Map();
  const logs = [];
  for (const [side, root] of roots.entries()) {
    const data = join(folder, `log-${side}`);
    await writeLog(root, data);
    logs.push(data);
  }
  say('the logs to rebuild from are written');
  for (let round = 0; round < rounds; round++) {
    const sides = round % 2 === 0 ? [0, 1] : [1, 0];
    for (const side of sides) {
      const here = join(folder, `side-${side}`);
      rmSync(here, { recursive: true, force: true });
      mkdirSync(here, { recursive: true });
      const measured = await measure({ root: roots[side], folder: here, log: logs[side], seconds });
      for (const [name, value] of measured) {
        if (!figures.has(name)) figures.set(name, [[], []]);
        figures.get(name)[side].push(value);
      }
    }
    say(`round ${round + 1} of ${rounds} is done`);
  }
  return [...figures].map(([name, [ours, theirs]]) => {
    const differences = ours.map((value, n) => (value / theirs[n] - 1) * 100);
    return {
      name,
      ours: middle(ours),
      theirs: middle(theirs),
      difference: middle(differences),
      least: Math.min(...differences),
      most: Math.max(...differences),
    };
  });
}

/** All figures of one checkout, in the order in which they are told. */
async function measure({ root, folder, log, seconds }) {
  const figures = await logRow(root, folder, seconds);
  const data = join(folder, 'data');
  const { pid, port, admin, people, stop } = await startWithPeople(root, data);
  const send = sender({ pid, port, admin });
  for (const [name, personOf] of [
    ['64 accounts', (connection) => people[connection]],
    ['one account', () => people[0]],
  ]) {
    const { done, wrong } = await send({ seconds, personOf });
    if (wrong > 0) throw new Error(`${wrong} commands were not answered as expected`);
    figures.push([`API, ${name}: commands a second`, done / seconds]);
    figures.push([
      `API, ${name}: µs of processor a command`,
      await costOf({ pid, port, admin, send, personOf }),
    ]);
  }
  const { p99 } = await visibleBeside({ send, port, admin, people, seconds, ...FIXED });
  figures.push(['command to visible beside 3,000 a second: p99 in ms', p99]);
  const users = people.map(({ userId }) => userId);
  for (const some of [users, users.slice(0, 1)]) {
    const name = some.length === 1 ? 'one account' : `${some.length} accounts`;
    const [{ items }, processor] = await Promise.all([
      adjustInBulk(port, admin, some, { seconds }),
      processorTimeOver(pid, WARM_UP, seconds),
    ]);
    figures.push([`bulk, ${name}: adjustments a second`, items / seconds]);
    figures.push([`bulk, ${name}: µs of processor an adjustment`, (processor / items) * 1e6]);
  }
  await stop();
  return [...figures, ...(await rebuild(root, log, join(folder, 'rebuilt')))];
}

/** Commands on each connection whose processor time is told. */
const COSTED = 1_500;

/**
 * Microseconds of processor that a command takes until it is visible: what was left to be folded before is none of it, and
 * what it leaves is. While commands are sent the projections fold as many as the processor has time for, so that slower
 * commands would be charged with more of it.
 */
async function costOf({ pid, port, admin, send, personOf }) {
  await untilIdle(port, admin);
  const before = processorTime(pid);
  const { done, wrong } = await send({ requests: COSTED, personOf });
  if (wrong > 0) throw new Error(`${wrong} commands were not answered as expected`);
  await untilIdle(port, admin);
  return ((processorTime(pid) - before) / done) * 1e6;
}

/** What each side's log for the rebuild has: the same commands in either, so that both fold as many events of a kind. */
const REBUILT = { requests: 500, adjustments: 20 };

/**
 * A folder with a log to rebuild from, and its read models. They are at its end: those that the program left behind when
 * it stopped would first have to catch up, and how far behind they are is not what is measured.
 */
async function writeLog(root, data) {
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { recursive: true });
  const { pid, port, admin, people, stop } = await startWithPeople(root, data);
  const { wrong } = await sender({ pid, port, admin })({
    requests: REBUILT.requests,
    personOf: (connection) => people[connection],
  });
  if (wrong > 0) throw new Error(`${wrong} commands were not answered as expected`);
  const users = people.map(({ userId }) => userId);
  await adjustInBulk(port, admin, users, { requests: REBUILT.adjustments });
  await stop();
  await rebuildModels(root, data);
}

/** Building all read models anew in a copy of a folder, beside those that are read: `lode rebuild`, its start and end included. */
async function rebuild(root, log, data) {
  cpSync(log, data, { recursive: true });
  const started = performance.now();
  const { printed, processor } = await rebuildModels(root, data);
  const seconds = (performance.now() - started) / 1_000;
  const { models } = JSON.parse(printed.trim().split('\n').at(-1));
  const events = Math.max(...models.map(({ position }) => Number(position)));
  return [
    ['rebuild: events a second', events / seconds],
    ['rebuild: µs of processor an event', (processor / events) * 1e6],
  ];
}

function rebuildModels(root, data) {
  const program = join(root, 'dist', 'services', 'lode', 'cli', 'main.js');
  return runNode([program, 'rebuild', '--data', data, '--json'], root);
}

/** The log's row in a process of its own: single events, 64 appends under way. */
async function logRow(root, folder, seconds) {
  const { printed, processor } = await runNode(
    [fileURLToPath(new URL('log-alone.mjs', import.meta.url)), folder, String(seconds)],
    root,
  );
  const perSecond = Number(printed.trim());
  return [
    ['log: events a second', perSecond],
    ['log: µs of processor an event, its client included', (processor / (perSecond * seconds)) * 1e6],
  ];
}

/** Prints the processor time of a Node process when it ends. */
const TELLING =
  'data:text/javascript,' +
  encodeURIComponent(
    "process.on('exit', () => { const { user, system } = process.cpuUsage(); process.stderr.write(`processor ${user + system}\\n`); });",
  );

/** Runs Node to its end: what it printed, and its processor time in seconds. */
function runNode(args, root) {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--import', TELLING, ...args],
    {
      env: { ...process.env, BENCH_ROOT: root },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let [printed, complained] = ['', ''];
  child.stdout.on('data', (chunk) => (printed += chunk));
  child.stderr.on('data', (chunk) => (complained += chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      const micros = /processor (\d+)/.exec(complained)?.[1];
      if (code === 0 && micros !== undefined) resolve({ printed, processor: Number(micros) / 1e6 });
      else reject(new Error(`${args.join(' ')} ended with ${code}: ${complained}`));
    });
  });
}

function middle(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[at] : (sorted[at - 1] + sorted[at]) / 2;
}
