// `npm run test:servers`: runs tests of the program that stands on servers, as `LODE_TEST_ON` names them: each server alone,
// and all four. EventStoreDB and MongoDB are doubles. Arguments choose among these: `npm run test:servers -- redis`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { conclude, jest, nothing } from './lib/jest.mjs';
import { fail, prepare, root } from './lib/toolchain.mjs';

const server = { name: 'server', config: 'jest.config.js' };

/** The way of money from asking to being shown, and what each server has to do with it. Who may do what, it has not. */
const JOURNEYS = [
  'services/api/(audit|files|lists|processes|races|read-your-writes|security|sessions)',
  'services/api/(bulk|requests|transfers)/',
];
/**
 * All suites over HTTP, a program that is killed or whose clock is wrong, who may act as an admin, what is noted of access,
 * what strangers see of its health, and what a command line does beside it.
 */
const EVERYTHING = [
  'services/api/',
  'services/lode/(admins|first-admin|kill|security|time|watching)',
  'services/lode/cli/tick',
];

/** What is run on which servers. */
const mixes = [
  { name: 'eventstore', on: ['eventstore'], suites: JOURNEYS },
  { name: 'mongodb', on: ['mongodb'], suites: JOURNEYS },
  { name: 'redis', on: ['redis'], suites: [...JOURNEYS, 'services/lode/cli/tick'] },
  { name: 's3', on: ['s3'], suites: [...JOURNEYS, 'services/api/identity-toolkit'] },
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
  const part = await jest(node, server, folder, suites, { LODE_TEST_ON: on.join(',') });
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
  const chosen = mixes.filter(({ name }) => asked.length === 0 || asked.includes(name));
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
