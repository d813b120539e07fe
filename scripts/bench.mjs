// Measures this machine's disk, SQLite, the log, the API and the projector side by side, in one run.
import { become, fail, prepare, root } from './lib/toolchain.mjs';
import { join } from 'node:path';

try {
  const node = await prepare();
  become(node, join('..', 'scripts', 'bench', 'run.mjs'), process.argv.slice(2), { BENCH_ROOT: root });
} catch (error) {
  fail(error);
}
