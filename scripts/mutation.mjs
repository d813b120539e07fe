// Mutation tests: changes single places of the built code that money depends on, and counts the changes that the tests of
// their library notice. The places are a sample that a seed draws: `npm run test:mutation -- 400 ledger commands` changes about
// 400 places of these libraries. It is no part of a check.
import { join } from 'node:path';
import { SEED } from './check/levels.mjs';
import { environment, fail, prepare, root, run } from './lib/toolchain.mjs';

try {
  const node = await prepare();
  const folder = join(root, 'scripts', 'mutation');
  const quietly = ['--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['ci', '--prefix', folder, ...quietly], { env: environment(node) });
  await run(node, [join(folder, 'run.mjs'), ...process.argv.slice(2)], {
    show: true,
    env: { LODE_TEST_SEED: process.env.LODE_TEST_SEED ?? SEED, ...environment(node) },
  });
} catch (error) {
  fail(error);
}
