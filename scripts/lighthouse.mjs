// Installs what measures the public pages, which nothing else needs, and measures them.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { environment, fail, prepare, root, run } from './lib/toolchain.mjs';

try {
  const node = await prepare();
  const folder = join(root, 'scripts', 'lighthouse');
  const quietly = ['--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['ci', '--prefix', folder, ...quietly], { env: environment(node) });
  const { status } = spawnSync(node, [join(folder, 'check.mjs'), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} catch (error) {
  fail(error);
}
