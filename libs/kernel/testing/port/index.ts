import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Ports below those that systems give to whoever asks for any, in pairs. */
const FIRST = 10_000;
const PAIRS = 10_000;
const ATTEMPTS = 1_000;

/**
 * A port of this machine that nobody listens on but whoever asked for it, also after a server on it was stopped: its process
 * holds the port behind it until it ends.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const port = FIRST + 2 * randomInt(PAIRS);
    const hold = await listening(port + 1);
    const server = hold && (await listening(port));
    if (server === undefined) {
      hold?.close();
      continue;
    }
    hold?.unref();
    server.close();
    await once(server, 'close');
    return port;
  }
  throw new Error(`No port is free in ${ATTEMPTS} attempts.`);
}

/** What listens on a port, unless somebody else does. */
async function listening(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1');
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  );
}
