// Starts what was built, for scripts that look at it or talk to it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './toolchain.mjs';

/** A folder that is removed once `work` is done with it. */
export async function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'lode-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Where Chromium is. Throws where there is none. */
export function findChromium() {
  const all = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'];
  const path = all.find((one) => one !== undefined && existsSync(one));
  if (path === undefined) throw new Error('There is no Chromium on this machine: set CHROMIUM to one.');
  return path;
}

/** What every program prints: where it listens. */
export const READY = /Lode is ready at (http:\/\/[^/\s]+)/;

/** A port that nobody listens on: the program's public address has it, and so have its pages' own links. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Runs `work` with what each of `awaited` found first in what `dist/services/lode/{entry}` prints, once all of them did,
 * and ends the program then.
 */
export async function withBuilt(entry, env, awaited, work) {
  const child = spawn(process.execPath, [join(root, 'dist', 'services', 'lode', entry)], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  try {
    const found = await new Promise((resolve, reject) => {
      let printed = '';
      child.stdout.setEncoding('utf8').on('data', (text) => {
        printed += text;
        const matches = awaited.map((one) => one.exec(printed)?.[1]);
        if (!matches.includes(undefined)) resolve(matches);
      });
      void ended.then(() => reject(new Error(`The program ended:\n${printed}`)));
    });
    return await work(...found);
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}
