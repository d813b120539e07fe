// `./lode …`: installs and builds what changed, then runs the operator's command line.
import { become, fail, prepare } from './lib/toolchain.mjs';

try {
  const args = process.argv.slice(2);
  become(await prepare({ pages: args[0] === 'start' }), 'services/lode/cli/main.js', args);
} catch (error) {
  fail(error);
}
