// `npm test`: sets itself up on a fresh clone, checks the laws of the house and the documentation, runs every test, and
// ends with one line that counts them. Arguments go to Jest: `npm test -- ledger` runs what has "ledger" in its path.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { conclude, ended, jest, nothing, sourceOf } from './lib/jest.mjs';
import { decisionRecords, held } from './lib/held.mjs';
import { environment, fail, prepare, root } from './lib/toolchain.mjs';
import { lines } from './specification/index.mjs';

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

/** The pages that tests in a browser reached, as they noted them. */
function notesIn(path) {
  if (!existsSync(path)) return [];
  const noted = readFileSync(path, 'utf8').trim().split('\n');
  return noted.map((line) => JSON.parse(line)).map((note) => ({ ...note, file: sourceOf(note.file) }));
}

/** The lines of the specification against what came of all tests. A run of some of them says nothing of the lines. */
function specification(parts, pages) {
  const results = parts.flatMap((part) => part.results);
  const options = { isStrict: Boolean(process.env.CI), records: decisionRecords() };
  const { wrong, notRun } = held(lines, results, notesIn(pages), options);
  const count = lines.length - notRun.length;
  if (wrong.length === 0) console.log(`\nThe specification: ${count} lines of ${lines.length} held by tests`);
  else console.log(`\nThe specification is not held:\n${wrong.map((one) => `  ${one}`).join('\n')}`);
  return {
    ...nothing,
    passed: wrong.length === 0 ? 1 : 0,
    failed: wrong.length === 0 ? 0 : 1,
    notRun: notRun.map((line) => `of the specification: ${line}`),
  };
}

async function main() {
  const node = await prepare();
  const args = process.argv.slice(2);
  const folder = mkdtempSync(join(tmpdir(), 'lode-test-'));
  const parts = [];
  try {
    parts.push(await laws(node), await documentation(node));
    const pages = join(folder, 'pages.jsonl');
    for (const project of projects)
      parts.push(await jest(node, project, folder, args, { LODE_TEST_PAGES: pages }));
    if (args.length === 0) parts.push(specification(parts, pages));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  conclude(parts);
}

main().catch(fail);
