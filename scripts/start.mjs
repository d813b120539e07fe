// Installs and builds what changed, then runs Lode with its embedded engines.
import { become, fail, prepare } from './lib/toolchain.mjs';

try {
  become(await prepare(), 'services/lode/main.js', process.argv.slice(2));
} catch (error) {
  fail(error);
}
