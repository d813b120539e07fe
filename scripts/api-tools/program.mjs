// The built program on a folder of its own, for other people's tools to talk to.
import { join } from 'node:path';
import { READY, withBuilt } from '../lib/program.mjs';
import { run } from '../lib/toolchain.mjs';

/** The token that makes the first admin, as the program prints it. */
const INVITATION = /invitation=(\S+)/;
/** No tool asks more often in a minute. */
const REQUESTS_PER_MINUTE = '1000000';

/**
 * Runs `work` with the address of a program that keeps its data in `folder`, and the token that makes its first admin;
 * `settings` are more of its environment.
 */
export function withProgram(folder, work, settings = {}) {
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    LODE_DATA: join(folder, 'data'),
    LODE_REQUESTS_PER_MINUTE: REQUESTS_PER_MINUTE,
    LODE_REGISTRATIONS_PER_HOUR: REQUESTS_PER_MINUTE,
    // A tool can say that it is elsewhere.
    LODE_PROXIES: '127.0.0.1',
    ...settings,
  };
  return withBuilt('main.js', env, [READY, INVITATION], work);
}

/** Runs a tool of this folder with its output shown only when it fails. */
export function tool(name, args, options) {
  return run(join(import.meta.dirname, 'node_modules', '.bin', name), args, options);
}
