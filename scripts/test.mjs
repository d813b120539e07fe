// `npm test`: sets itself up on a fresh clone, checks the laws of the house and the documentation, runs every test, and
// ends with one line that counts them. Arguments go to Jest: `npm test -- ledger` runs what has "ledger" in its path.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { conclude, ended, jest, nothing } from './lib/jest.mjs';
import { environment, fail, prepare, root } from './lib/toolchain.mjs';

/** Jest's projects. A project that isn't there yet is said to be not run. */
const projects = [
  { name: 'server', config: 'jest.config.js' },
  { name: 'web', config: 'web/jest.config.js' },
];

/** A check that passes or fails as one. */
async function check(node, ...args) {
  const good = await ended(node, args, environment(node));
  return { ...nothing, passed: good ? 1 : 0, failed: good ? 0 : 1 };
}

function laws(node) {
  return check(node, join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruiser.mjs'), '.');
}

function documentation(node) {
  return check(node, join(root, 'scripts', 'docs.mjs'), '--check');
}

async function main() {
  const node = await prepare();
  const args = process.argv.slice(2);
  const folder = mkdtempSync(join(tmpdir(), 'lode-test-'));
  const parts = [];
  try {
    parts.push(await laws(node), await documentation(node));
    for (const project of projects) parts.push(await jest(node, project, folder, args));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  conclude(parts);
}

main().catch(fail);
