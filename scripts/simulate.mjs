// Runs deployments of two of each program on virtual time, each with the faults of a seed: `--seeds 2000 --from 1`, or one
// of them again with `--seed 17 --trace`. Prints the seeds that fail, and ends with 1 when one did.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fail, prepare, root } from './lib/toolchain.mjs';

try {
  const node = await prepare({ pages: false });
  const main = join(root, 'dist', 'services', 'lode', 'testing', 'simulation', 'main.js');
  const { status } = spawnSync(node, ['--enable-source-maps', main, ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} catch (error) {
  fail(error);
}
