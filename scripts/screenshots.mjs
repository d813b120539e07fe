// Builds what changed, then takes pictures of every screen, on the demonstration.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fail, prepare, root } from './lib/toolchain.mjs';

try {
  const node = await prepare();
  const script = join(root, 'scripts', 'screenshots', 'check.mjs');
  const { status } = spawnSync(node, [script, ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} catch (error) {
  fail(error);
}
