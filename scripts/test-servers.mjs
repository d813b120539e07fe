// `npm run test:servers`: runs tests of the program that stands on servers, as `LODE_TEST_ON` names them: each server alone,
// and all four, with the suites of journeys (`short`) or all of them (`all`). EventStoreDB and MongoDB are doubles. Arguments choose
// among these: `npm run test:servers -- redis`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { conclude, jest, nothing } from './lib/jest.mjs';
import { fail, prepare, root } from './lib/toolchain.mjs';

const server = { name: 'server', config: 'jest.config.js' };

/** The way of money from asking to being shown, and what each server has to do with it, beside others that are embedded. */
const JOURNEYS = [
  'services/api/(files|processes|races|read-your-writes|sessions)',
  'services/api/(requests|transfers)/',
];
/** That, a program that is killed, and what a command line does beside one: in a few minutes what only all servers together can show. */
const SHORT = [...JOURNEYS, 'services/lode/(first-admin|kill|watching)', 'services/lode/cli/tick'];
/**
 * All suites over HTTP, a program that is killed or whose clock is wrong, who may act as an admin, what is noted of access,
 * what strangers see of its health, and what a command line does beside it.
 */
const EVERYTHING = [
  'services/api/',
  'services/lode/(admins|first-admin|kill|security|time|watching)',
  'services/lode/cli/tick',
];

/** What asks the doors with what is wrong, and says nothing of an engine: with all servers it would take minutes for the same answers. */
const OF_NO_ENGINE = 'services/api/(bad-input|docs|generated|guessing|http|pages|unknown-members)';
/** What starts no program, but has engines of its own choice or none: it would be the same run once more. */
const ON_ITS_OWN =
  'services/api/(access/frozen-derivations|engine-failures|faults|older-versions|operations/(metrics|readiness)|testing/specification)';

/** What is run on which servers. */
const mixes = [
  { name: 'eventstore', on: ['eventstore'], suites: JOURNEYS },
  { name: 'mongodb', on: ['mongodb'], suites: JOURNEYS },
  { name: 'redis', on: ['redis'], suites: [...JOURNEYS, 'services/lode/cli/tick'] },
  { name: 's3', on: ['s3'], suites: [...JOURNEYS, 'services/api/identity-toolkit'] },
  { name: 'short', on: ['eventstore', 'mongodb', 'redis', 's3'], suites: SHORT },
  { name: 'all', on: ['eventstore', 'mongodb', 'redis', 's3'], suites: EVERYTHING },
];

/** Says of servers what they are: the doubles are no proof of the servers that they stand for. */
const words = (on) =>
  on.map((one) => (['eventstore', 'mongodb'].includes(one) ? `${one} (double)` : one)).join(', ');

/** What is lacking on this machine to run on these servers; undefined when nothing is. */
async function lackingFor(on) {
  const from = (path) => import(pathToFileURL(join(root, 'dist', 'libs', path)));
  if (on.includes('redis')) {
    const { lackingRedis, redisServer } = await from('jobs/bullmq/testing/index.js');
    if (redisServer === undefined) return lackingRedis;
  }
  if (on.includes('s3')) {
    const { findVersitygw } = await from('files/s3/testing/index.js');
    if (findVersitygw() === undefined) return 'no versitygw';
  }
  return undefined;
}

async function runMix(node, { on, suites }, folder) {
  const what = `the program on ${words(on)}`;
  const lacking = await lackingFor(on);
  if (lacking !== undefined) return { ...nothing, skipped: 1, notRun: [`${what} (${lacking})`] };
  console.log(`\nOn ${words(on)}:`);
  const began = Date.now();
  const ignored = [OF_NO_ENGINE, ON_ITS_OWN].map((pattern) => `--testPathIgnorePatterns=${pattern}`);
  const args = [...ignored, '--', ...suites];
  const part = await jest(node, server, folder, args, { LODE_TEST_ON: on.join(',') });
  const { passed, failed, skipped } = part;
  const seconds = Math.round((Date.now() - began) / 1_000);
  console.log(`On ${words(on)}: ${passed} passed, ${failed} failed, ${skipped} not run (${seconds} s)`);
  const notRun = part.notRun.map((one) => `on ${on.join(', ')}: ${one}`);
  const isDouble = words(on).includes('(double)');
  return { ...part, notRun, onDoubles: isDouble ? [`${what}: ${passed} of ${passed + failed} passed`] : [] };
}

async function main() {
  const node = await prepare();
  const asked = process.argv.slice(2);
  const byDefault = mixes.filter(({ name }) => name !== 'short');
  const chosen = asked.length === 0 ? byDefault : mixes.filter(({ name }) => asked.includes(name));
  const folder = mkdtempSync(join(tmpdir(), 'lode-test-'));
  const parts = [];
  try {
    for (const mix of chosen) parts.push(await runMix(node, mix, folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  conclude(parts);
}

main().catch(fail);
