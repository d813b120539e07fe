// The built program on a folder of its own, for other people's tools to talk to.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, run } from '../lib/toolchain.mjs';

/** What the program prints: where it listens, and the token that makes the first admin. */
const READY = /Lode is ready at (http:\S+) /;
const INVITATION = /invitation=(\S+)/;
/** No tool asks more often in a minute. */
const REQUESTS_PER_MINUTE = '1000000';

/** A folder that is removed once `work` is done with it. */
export async function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'lode-api-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Runs `work` with the address of a program that keeps its data in `folder`, and the token that makes its first admin;
 * `settings` are more of its environment.
 */
export async function withProgram(folder, work, settings = {}) {
  const child = spawn(process.execPath, [join(root, 'dist', 'services', 'lode', 'main.js')], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      LODE_DATA: join(folder, 'data'),
      LODE_REQUESTS_PER_MINUTE: REQUESTS_PER_MINUTE,
      LODE_REGISTRATIONS_PER_HOUR: REQUESTS_PER_MINUTE,
      // A tool can say that it is elsewhere.
      LODE_PROXIES: '127.0.0.1',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  try {
    let printed = '';
    const ready = new Promise((resolve, reject) => {
      child.stdout.setEncoding('utf8').on('data', (text) => {
        printed += text;
        if (READY.test(printed) && INVITATION.test(printed)) resolve();
      });
      void ended.then(() => reject(new Error(`the program ended:\n${printed}`)));
    });
    await ready;
    return await work(READY.exec(printed)[1], INVITATION.exec(printed)[1]);
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

/** Runs a tool of this folder with its output shown only when it fails. */
export function tool(name, args, options) {
  return run(join(import.meta.dirname, 'node_modules', '.bin', name), args, options);
}
