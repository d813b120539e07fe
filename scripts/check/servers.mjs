// The mixes of servers that tests of the program run on. `LODE_TEST_ON` names the servers of a run; EventStoreDB and MongoDB
// are fake servers.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../lib/toolchain.mjs';
import { jest } from './jest.mjs';
import { leftOut } from './outcome.mjs';

export const ALL_SERVERS = ['eventstore', 'mongodb', 'redis', 's3'];

/** Requests of money from asking to the balance, with what each server does for them while the others are embedded. */
const JOURNEYS = [
  'services/api/(files|processes|requests|transfers)/',
  'services/api/(access/sessions|http/read-your-writes)',
];

/**
 * All suites over HTTP, a program that is killed or whose clock is wrong, roles and access, its public status, and its command
 * line while it runs.
 */
const EVERYTHING = [
  'services/api/',
  'services/lode/safety/(admins|first-admin|security)',
  'services/lode/(deaths/kill|operation/(time|watching)|programs/rebuild)',
  'services/lode/cli/tick',
];

/** Bad requests, which no engine sees: all servers would give the same answers, minutes later. */
const OF_NO_ENGINE =
  'services/api/(access/guessing|docs|http/(?!frozen-derivations|lists\\.int|read-your-writes|repeats)|pages)';
/** Tests that start no program, or choose their engines themselves. */
const WITHOUT_SERVERS =
  'services/api/(access/(access-table|frozen-derivations)|http/faults|operations/(engine-failures|older-versions|(metrics|readiness)\\.spec)|testing/spec)';

/** The runs on servers: each server alone, and all four. */
export const mixes = [
  { on: ['eventstore'], suites: JOURNEYS },
  { on: ['mongodb'], suites: JOURNEYS },
  { on: ['redis'], suites: [...JOURNEYS, 'services/lode/cli/tick'] },
  { on: ['s3'], suites: [...JOURNEYS, 'services/api/identity-toolkit'] },
  { on: ALL_SERVERS, suites: EVERYTHING },
];

/** What this machine lacks to run on these servers, if anything. */
async function missingFor(on) {
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

/** Runs files of tests, or those whose paths match one of the patterns, on servers. */
export async function runOn(context, on, { files = [], suites = [] }) {
  const missing = await missingFor(on);
  if (missing !== undefined) return leftOut(`on ${on.join(', ')}: ${missing}`);
  const ignored = [OF_NO_ENGINE, WITHOUT_SERVERS].map((pattern) => `--testPathIgnorePatterns=${pattern}`);
  const args = files.length > 0 ? ['--runTestsByPath', ...files] : [...ignored, '--', ...suites];
  const outcome = await jest(context, 'server', args, { LODE_TEST_ON: on.join(',') });
  const hasFake = on.includes('eventstore') || on.includes('mongodb');
  return {
    ...outcome,
    notRun: outcome.notRun.map((words) => `on ${on.join(', ')}: ${words}`),
    onFakeServers: hasFake ? [`the program on ${on.join(', ')} (${outcome.passed} tests)`] : [],
    files: outcome.files.map(({ file, seconds }) => ({ file: `${file} on ${on.join(', ')}`, seconds })),
  };
}
