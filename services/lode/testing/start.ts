import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { perPaymentCurrency } from '#ledger';
import type { Part } from '../parts.js';
import { run, type Running } from '../run.js';
import { readSettings, type Settings } from '../settings.js';
import { createClient, type Client } from './client.js';
import { OF_LONG_AGO } from './clock.js';
import { COMPILED } from './compiled.js';
import { serverSettingsOf, serversOf, stopServersOf } from './mix.js';
import { invitationIn, join as joinAs, type Person } from './people.js';

/** Requests a minute that no test makes. */
const REQUESTS_PER_MINUTE = 1_000_000;
/** Registrations from this machine that no test makes. */
const REGISTRATIONS_PER_HOUR = 1_000_000;
/** What a customer of a test may ask for, which is more than any does; budgets have tests of their own. */
const BUDGET = { openRequests: 1_000_000, commandsPerHour: 1_000_000 };
/** What a program has not printed by then will not come, in milliseconds. */
const WAIT_MAX_MS = 600_000;

/** A new folder for a test's data. What removes it stops the servers that its programs had. */
export function dataFolder(): { readonly path: string; readonly remove: () => Promise<void> } {
  const path = mkdtempSync(join(tmpdir(), 'lode-'));
  return {
    path,
    remove: async () => {
      rmSync(path, { recursive: true, force: true });
      await stopServersOf(path);
    },
  };
}

/** Folders for a test file's data: `newFolder` makes one, `removeFolders` removes those that were made since. */
export function dataFolders(): {
  readonly newFolder: () => string;
  readonly removeFolders: () => Promise<void>;
} {
  const folders: ReturnType<typeof dataFolder>[] = [];
  return {
    newFolder: () => {
      const folder = dataFolder();
      folders.push(folder);
      return folder.path;
    },
    removeFolders: async () => {
      for (const folder of folders.splice(0)) await folder.remove();
    },
  };
}

/** The program on a folder of its own. */
export type Lode = {
  readonly folder: string;
  readonly visitor: Client;
  readonly admin: Person;
  /** Ends the program and removes its folder. */
  readonly stop: () => Promise<void>;
};

/** True while a program in this thread has its one client of EventStoreDB. */
let isThreadTaken = false;

/**
 * Starts the program in this process with an admin and nobody else. On EventStoreDB a second one beside it gets a process
 * of its own, since a thread can have one client of that.
 */
export async function startLode(settings: Partial<Settings> = {}): Promise<Lode> {
  const folder = dataFolder();
  const all: Settings = {
    ...readSettings(OF_LONG_AGO),
    ...(await serverSettingsOf(folder.path)),
    port: 0,
    dataFolder: folder.path,
    requestsPerMinute: REQUESTS_PER_MINUTE,
    budget: BUDGET,
    registrationsPerHour: REGISTRATIONS_PER_HOUR,
    networks: perPaymentCurrency(() => 'none'),
    logLevel: 'silent',
    ...settings,
  };
  const isApart = isThreadTaken;
  isThreadTaken ||= all.eventStoreUrl !== undefined;
  const running = await (isApart ? runApart(all) : run(all, () => undefined)).catch((error: unknown) => {
    if (!isApart) isThreadTaken = false;
    throw error;
  });
  const stop = async () => {
    await running.stop();
    if (!isApart) isThreadTaken = false;
    await folder.remove();
  };
  try {
    const visitor = createClient(running.address);
    return {
      folder: folder.path,
      visitor,
      admin: await joinAs(visitor, 'Ada', invitationIn(running.firstAdminPath)),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Started = Pick<Running, 'address' | 'firstAdminPath'>;

/** `run` in a process of its own. */
async function runApart(settings: Settings): Promise<Pick<Running, 'address' | 'firstAdminPath' | 'stop'>> {
  const child = fork(fileURLToPath(new URL('./running.js', import.meta.url)), {
    serialization: 'advanced',
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const ended = once(child, 'exit');
  child.send(settings);
  const early = ended.then(() => {
    throw new Error('the program ended before it was ready');
  });
  const [ready] = (await Promise.race([once(child, 'message'), early])) as [Started];
  return {
    ...ready,
    stop: async () => {
      child.disconnect();
      await ended;
    },
  };
}

/** The built program as a process of its own. */
export type Program = {
  readonly child: ChildProcess;
  /** What it has printed so far. */
  readonly printed: { out: string; err: string };
  /** Resolves with how it ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
};

/** How a program is started that is not all of Lode, or is bounded. */
export type SpawnOptions = {
  /** The part of Lode that it is. */
  readonly part?: Part;
  /** How many descriptors it may have. */
  readonly descriptors?: number;
};

/** Starts the built program; `env` is all that it knows of settings. */
export function spawnProgram(
  env: Readonly<Record<string, string>>,
  { part, descriptors }: SpawnOptions = {},
): Program {
  const main = fileURLToPath(new URL(`../../${part ?? 'lode'}/main.js`, import.meta.url));
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', main];
  const bounded = ['bash', '-c', `ulimit -n ${descriptors}; exec "$0" "$@"`];
  const [command = '', ...args] = descriptors === undefined ? node : [...bounded, ...node];
  const child = spawn(command, args, {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      LODE_REQUESTS_PER_MINUTE: String(REQUESTS_PER_MINUTE),
      LODE_OPEN_REQUESTS: String(BUDGET.openRequests),
      LODE_COMMANDS_PER_HOUR: String(BUDGET.commandsPerHour),
      LODE_REGISTRATIONS_PER_HOUR: String(REGISTRATIONS_PER_HOUR),
      LODE_NETWORKS: 'BTC=none',
      ...OF_LONG_AGO,
      ...COMPILED,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed.err += text));
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }));
  return { child, printed, ended };
}

/** Waits until the program has printed what `pattern` finds and gives its first group; fails when it ends before. */
export function printed(program: Program, pattern: RegExp): Promise<string> {
  const failed = () => new Error(`the program printed:\n${program.printed.out}${program.printed.err}`);
  return new Promise((resolve, reject) => {
    const tooLate = setTimeout(() => reject(failed()), WAIT_MAX_MS);
    const look = () => {
      const found = pattern.exec(program.printed.out)?.[1];
      if (found === undefined) return;
      clearTimeout(tooLate);
      resolve(found);
    };
    program.child.stdout?.on('data', look);
    void program.ended.then(() => {
      clearTimeout(tooLate);
      reject(failed());
    });
    look();
  });
}

/** Kills the programs that a test has left, and takes them off the list. */
export async function killAll(programs: Program[]): Promise<void> {
  for (const { child, ended } of programs.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
}

/** A program that listens. */
export type Listening = Program & { readonly visitor: Client };

/** Starts the built program on a folder and waits until it listens; fails with what it printed when it does not. */
export async function startProgram(
  folder: string,
  env: Readonly<Record<string, string>> = {},
  options: SpawnOptions = {},
): Promise<Listening> {
  const program = spawnProgram({ LODE_DATA: folder, ...(await serversOf(folder)), ...env }, options);
  try {
    const address = await printed(program, /Lode(?: \(\w+\))? is ready at (http:\S+) /);
    return { ...program, visitor: createClient(address) };
  } catch (error) {
    program.child.kill('SIGKILL');
    throw error;
  }
}

/** Registers the first admin by the link that a first start prints. */
export async function firstAdmin(program: Listening): Promise<Person> {
  return joinAs(program.visitor, 'Ada', await printed(program, /invitation=(\S+)/));
}
