// `npm run docker`: makes the secrets that are missing and brings the engines and Lode up in containers, with `-- parts` as
// several programs. `-- engines` brings the engines up alone, `-- secrets` only makes the secrets.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { makeSecrets } from './docker/secrets.mjs';
import { fail, root } from './lib/toolchain.mjs';

const profiles = ['lode', 'parts', 'engines'];
const [what = 'lode', ...others] = process.argv.slice(2);

try {
  if (others.length > 0 || ![...profiles, 'secrets'].includes(what))
    throw new Error(`It is one of ${profiles.join(', ')} and secrets that is asked for.`);
  makeSecrets(join(root, '.secrets'));
  if (profiles.includes(what)) {
    const args = ['compose', '--profile', what, 'up', '--build', '--detach', '--wait'];
    const { error, status } = spawnSync('docker', args, { cwd: root, stdio: 'inherit' });
    if (error !== undefined) throw new Error(`docker can't be run: ${error.message}`);
    process.exitCode = status ?? 1;
  }
} catch (error) {
  fail(error);
}
