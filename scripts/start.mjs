// Installs and builds what changed, then runs Lode: all of it, or the part that is named first.
import { become, fail, prepare } from './lib/toolchain.mjs';

const PARTS = ['api', 'projector', 'worker'];
const HELP = `npm start [-- api|projector|worker]

Runs Lode until it is stopped: all of it, or one part, with others on the same servers. The first run installs packages
and builds.

Settings are environment variables, such as PORT=4000 npm start: see docs/reference/settings.md.
Commands for operators: ./lode --help. With customers and a history to look at: npm run demo.`;
/** The exit code of what was typed wrong. */
const USAGE = 2;

try {
  const [part, ...rest] = process.argv.slice(2);
  const [wrong] = part === undefined || PARTS.includes(part) ? rest : [part];
  if (process.argv.slice(2).some((one) => ['help', '--help', '-h'].includes(one))) console.log(HELP);
  else if (wrong !== undefined) {
    console.error(`npm start takes no ${wrong}.\n\n${HELP}`);
    process.exitCode = USAGE;
  } else become(await prepare(), `services/${part ?? 'lode'}/main.js`);
} catch (error) {
  fail(error);
}
