// The check of this repository at one of its three levels: `npm test`, `.ci/run` (`--level=ci`) and `npm run test:all`
// (`--level=all`). It sets itself up on a fresh clone, and ends with one line that counts everything. `npm test -- ledger`
// runs all tests with "ledger" in their path; Jest takes these arguments. `npm run test:all -- screens servers` runs
// these parts.
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from './check/jest.mjs';
import { levels, SEED } from './check/levels.mjs';
import { conclude, passedOrFailed } from './check/outcome.mjs';
import { parts } from './check/parts.mjs';
import { fail, prepare } from './lib/toolchain.mjs';

const LEVEL = /^--level=/;
const SEED_MAX = 2 ** 31;

/** How much `npm run test:all` tries, unless its environment says otherwise. */
const MORE = {
  LODE_DEATHS_EVERY: process.env.LODE_DEATHS_EVERY ?? '1',
  LODE_GENERATED: process.env.LODE_GENERATED ?? '2500',
  LODE_SIMULATIONS: process.env.LODE_SIMULATIONS ?? '200',
};

/** The parts that a command names: all of a level where it names none, or of `npm test` all tests by patterns. */
function chosen(level, args) {
  if (args.length === 0) return parts[level];
  if (level === 'test') {
    const run = (project) => ({ run: (context) => jest(context, project, ['--passWithNoTests', ...args]) });
    return { server: run('server'), web: run('web') };
  }
  const unknown = args.find((name) => !Object.hasOwn(parts[level], name));
  if (unknown !== undefined)
    throw new Error(`There is no part ${unknown}, only ${Object.keys(parts[level]).join(', ')}.`);
  return Object.fromEntries(Object.entries(parts[level]).filter(([name]) => args.includes(name)));
}

async function main() {
  const args = process.argv.slice(2);
  const level = args.find((arg) => LEVEL.test(arg))?.replace(LEVEL, '') ?? 'test';
  if (!Object.hasOwn(levels, level)) throw new Error(`There is no level ${level}.`);
  const selected = chosen(
    level,
    args.filter((arg) => !LEVEL.test(arg)),
  );
  const node = await prepare();
  const folder = mkdtempSync(join(tmpdir(), 'lode-test-'));
  const seed = process.env.LODE_TEST_SEED ?? (level === 'all' ? String(randomInt(SEED_MAX)) : SEED);
  if (!/^\d+$/.test(seed)) throw new Error('LODE_TEST_SEED is a whole number.');
  if (level === 'all') console.log(`The seed is ${seed}: LODE_TEST_SEED=${seed} runs the same again.`);
  const env = {
    LODE_TEST_SEED: seed,
    LODE_TEST_PAGES: join(folder, 'pages.jsonl'),
    ...(level === 'all' && MORE),
  };
  const context = { node, folder, seed, env, outcomes: new Map() };
  const began = performance.now();
  const secondsSince = (start) => (performance.now() - start) / 1_000;
  try {
    for (const [name, { run }] of Object.entries(selected)) {
      const start = performance.now();
      console.log(`\n${name} …`);
      const result = await run(context).catch((error) => {
        console.log(error);
        return passedOrFailed(false);
      });
      const notRun = result.notRun.map((words) => `${name}: ${words}`);
      const outcome = { ...result, notRun, name, seconds: secondsSince(start) };
      context.outcomes.set(name, outcome);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  conclude([...context.outcomes.values()], levels[level], secondsSince(began));
}

main().catch((error) => {
  console.log('0 passed, 1 failed');
  fail(error);
});
