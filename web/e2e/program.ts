import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient, type Client } from '../../services/lode/testing/client.js';
import { serversOf, stopServersOf } from '../../services/lode/testing/mix.js';

/** The built program on a folder of its own. */
export type Program = {
  readonly address: string;
  /** The API for who is not signed in. */
  readonly visitor: Client;
  /** Where its data is. */
  readonly folder: string;
  readonly invitation: string;
  /** All that it has printed so far. */
  readonly printed: () => string;
  /** What it prints of a pattern first, once it has. */
  readonly untilPrinted: (pattern: RegExp) => Promise<string>;
  readonly stop: () => Promise<void>;
  /** Stops it for a while; the function that it gives starts it again on its folder, at its address. */
  readonly pause: () => Promise<() => Promise<void>>;
};

const MAIN = fileURLToPath(new URL('../../services/lode/main.js', import.meta.url));

/**
 * Starts the built program on an empty folder with more settings, on a free port unless they name one, and waits until it is
 * ready. It uses the servers that `LODE_TEST_ON` names, started for this folder alone.
 */
export async function startProgram(env: Readonly<Record<string, string>> = {}): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'lode-e2e-'));
  try {
    return await startOn(folder, { ...(await serversOf(folder)), ...env });
  } catch (error) {
    await remove(folder);
    throw error;
  }
}

async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true }).finally(() => stopServersOf(folder));
}

async function startOn(folder: string, env: Readonly<Record<string, string>>): Promise<Program> {
  let all = '';
  const waiting = new Set<() => void>();
  const start = (port: string) => {
    const child = spawnProgram(folder, { ...env, PORT: port });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        all += chunk.toString();
        for (const look of waiting) look();
      });
    return child;
  };
  let child = start(env['PORT'] ?? '0');
  const printed = await printedUntil(child, /#invitation=(\S+)/);
  const address = /ready at (\S+)/.exec(printed)?.[1] ?? '';
  return {
    address,
    visitor: createClient(address),
    folder,
    invitation: /#invitation=(\S+)/.exec(printed)?.[1] ?? '',
    printed: () => all,
    untilPrinted: (pattern) =>
      new Promise((resolve) => {
        const look = () => {
          const [found] = pattern.exec(all) ?? [];
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    async stop() {
      await ended(child);
      await remove(folder);
    },
    async pause() {
      await ended(child);
      return async () => {
        child = start(new URL(address).port);
        await printedUntil(child, /ready at (\S+)/);
      };
    },
  };
}

function spawnProgram(folder: string, env: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, ['--enable-source-maps', '--disable-warning=ExperimentalWarning', MAIN], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      LODE_DATA: folder,
      LODE_REQUESTS_PER_MINUTE: '100000',
      LODE_REGISTRATIONS_PER_HOUR: '100000',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exit;
}

function printedUntil(child: ChildProcess, sign: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const hear = (chunk: Buffer) => {
      printed += chunk.toString();
      if (sign.test(printed)) resolve(printed);
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.on('exit', (code) => reject(new Error(`the program ended with ${code}:\n${printed}`)));
  });
}
