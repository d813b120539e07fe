// Installs and builds what changed, then runs Lode: all of it, or the part that is named first.
import { become, fail, prepare } from './lib/toolchain.mjs';

const PARTS = ['api', 'projector', 'worker'];

try {
  const [first, ...rest] = process.argv.slice(2);
  const isPart = PARTS.includes(first);
  const args = isPart ? rest : process.argv.slice(2);
  become(await prepare(), `services/${isPart ? first : 'lode'}/main.js`, args);
} catch (error) {
  fail(error);
}
