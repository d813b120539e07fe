import { fork, type ChildProcess, type ForkOptions } from 'node:child_process';
import { once, type EventEmitter } from 'node:events';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { ChoreName, ChoreRun, Chores, LastBackup } from '#application';
import type { ChoreMemory, EngineSettings } from '#engines';
import { callerText, deserializeError, type Clock, type Timers } from '#kernel';
import { createBackupFinder } from './backups.js';
import type { ChoreOrder, FromChore } from './chore-messages.js';
import { backupNameOf, createUnfinishedBackups, unfinished, type Unfinished } from './unfinished-backups.js';

/** Requests come first; but somebody waits for it, other than for the daily look at everything. */
const PRIORITY = 10;
/** What its objects may take: the rest of the memory is left to requests. */
const HEAP_MIB = 1_024;
/** After so long without a sign it hangs, in milliseconds: SQLite says nothing while it goes through a large database. */
const HUNG_MS = 60 * 60_000;
/** How long the newest backup is known, in milliseconds. */
const LAST_MS = 10_000;
/** What it has of the environment: how this machine's connections and files are, and no setting of the program. */
const ENVIRONMENT = [
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
  'SQLITE_TMPDIR',
  'TMPDIR',
  'TMP',
  'TEMP',
  'SYSTEMROOT',
];
const choreNames = ['backup', 'verify'] as const satisfies readonly ChoreName[];
const CUT_OFF = 'It ended before it was done. The output of the program may say why.';
const HUNG = 'It gave no sign for an hour, and was ended.';
const KILLED = 'The program was killed before it was done.';
const STOPPED = 'The program was stopped before it was done.';

/** What is needed of a process that was begun. */
export type ChoreProcess = EventEmitter &
  Pick<ChildProcess, 'connected' | 'kill' | 'pid'> & {
    readonly send: (order: ChoreOrder, whenSent: (error: Error | null) => void) => boolean;
  };

type ChoresOptions = {
  readonly settings: EngineSettings;
  /** Where backups go; undefined where nobody said. */
  readonly backupFolder: string | undefined;
  /** Bytes that they leave free on that disk. */
  readonly keepFree: number;
  readonly memory: ChoreMemory;
  readonly logger: { readonly error: (facts: object, message: string) => void };
  readonly clock: Clock;
  readonly timers: Timers;
  /** What begins a process, where it isn't `fork`. */
  readonly begins?: (file: string, options: ForkOptions) => ChoreProcess;
};

type Ended = Pick<ChoreRun, 'state'> & Partial<Pick<ChoreRun, 'wrong' | 'failure'>>;

/** The newest backup as it was found then, after the backup that had ended then. */
type Known = {
  readonly at: number;
  readonly after: string | null;
  readonly last: Promise<LastBackup | null>;
};

/** What is ordered of the program beside its work, and how that is ended. */
export type RunningChores = { readonly chores: Chores; readonly stop: () => Promise<void> };

/**
 * Does what admins order of the program beside its work, each in a process of its own, so that no command waits for it: by
 * the code of the commands `lode backup` and `lode verify`.
 */
export function createChores(options: ChoresOptions): RunningChores {
  const { settings, backupFolder, keepFree, memory, clock, logger } = options;
  const { runs: before, left } = keptIn(memory);
  const works = new Map<ChoreName, Work & { readonly finished: Promise<unknown> }>();
  let isStopping = false;
  const instant = () => new Date(clock()).toISOString();
  const run = (name: ChoreName) => works.get(name)?.run() ?? before.get(name) ?? null;
  const keep = () => {
    const ended = choreNames.flatMap((name) => {
      const one = run(name);
      return one === null || one.endedAt === null ? [] : [[name, one] as const];
    });
    memory.keep({ ...Object.fromEntries(ended), making: folders.all() });
  };
  const folders = createUnfinishedBackups({ backupFolder, kept: left, onChange: keep, logger });
  for (const { name, begunAt } of left)
    if (!folders.isWhole(name) && (before.get('backup')?.begunAt ?? '') < begunAt)
      before.set('backup', { ...newRun, state: 'failed', begunAt, endedAt: instant(), failure: KILLED });
  const cleared = folders.clear();
  const lastBackup = createLastBackup(backupFolder, clock, () => run('backup')?.endedAt ?? null);

  /** Keeps what it came to. What was copied of a backup is none without its end: it goes. */
  async function finish(work: Work, folder: string): Promise<void> {
    await work.gone;
    keep();
    if (work.run().state === 'done') folders.forget(folder);
    else await folders.remove(folder);
  }

  return {
    chores: {
      backups: {
        way: isOnServers(settings) ? 'servers' : backupFolder === undefined ? 'unset' : 'folder',
        folder: backupFolder ?? null,
        last: lastBackup,
      },
      run,
      begin: (name) => {
        if (isStopping || run(name)?.state === 'running') return false;
        const begunAt = instant();
        const folder = backupNameOf(begunAt);
        const order: ChoreOrder =
          name === 'verify'
            ? { chore: name, settings }
            : { chore: name, settings, folder: join(backupFolder ?? '', folder), keepFree };
        const onMade = () => folders.add({ name: folder, begunAt });
        const work = begin(order, { ...options, instant, onMade });
        const finished = Promise.all([works.get(name)?.finished, finish(work, folder)]);
        works.set(name, { ...work, finished });
        return true;
      },
      cancel: async (name, begunAt) => {
        const work = works.get(name);
        if (work?.run().state !== 'running' || work.run().begunAt !== begunAt) return false;
        work.end({ state: 'canceled' });
        await work.finished;
        return true;
      },
    },
    stop: async () => {
      isStopping = true;
      for (const work of works.values()) work.end({ state: 'failed', failure: STOPPED });
      await Promise.all([cleared, ...[...works.values()].map(({ finished }) => finished)]);
    },
  };
}

/** What looks for the newest backup: from time to time, and when one has ended, as many pages ask. */
function createLastBackup(
  folder: string | undefined,
  clock: Clock,
  endedAt: () => string | null,
): () => Promise<LastBackup | null> {
  if (folder === undefined) return async () => null;
  const find = createBackupFinder(folder);
  let known: Known | undefined;
  return () => {
    const [now, after] = [clock(), endedAt()];
    if (known?.after !== after || now - known.at >= LAST_MS) known = { at: now, after, last: find() };
    return known.last;
  };
}

/** One of them, from its beginning on. */
type Work = {
  readonly run: () => ChoreRun;
  /** Ends it, whatever it is at; nothing once it has ended. */
  readonly end: (how: Ended) => void;
  /** Resolves when its process is no more. */
  readonly gone: Promise<void>;
};

type BeginOptions = Pick<ChoresOptions, 'logger' | 'timers' | 'begins'> & {
  readonly instant: () => string;
  /** Called once the folder of a backup is there. */
  readonly onMade: () => void;
};

/** Begins what is ordered in a process of its own. */
function begin(order: ChoreOrder, { instant, onMade, logger, timers, begins = fork }: BeginOptions): Work {
  let run: ChoreRun = { ...newRun, begunAt: instant() };
  const child = start(order, begins);
  const end = (how: Ended) => {
    if (run.endedAt !== null) return;
    cancelWait();
    run = { ...run, ...how, endedAt: instant() };
    child.kill('SIGKILL');
  };
  const waitForSign = () => timers.after(HUNG_MS, () => end({ state: 'failed', failure: HUNG }));
  let cancelWait = waitForSign();
  child.on('message', (message: FromChore) => {
    if (message.kind === 'made') onMade();
    else if (message.kind === 'progress') {
      const { step, looked, of = null } = message;
      if (run.endedAt !== null) return;
      cancelWait();
      cancelWait = waitForSign();
      run = { ...run, step, looked, of };
    } else if (message.kind === 'done') end({ state: 'done', wrong: message.wrong });
    else {
      logger.error({ code: message.code, chore: order.chore }, message.message);
      end({ state: 'failed', failure: callerText(deserializeError(message)) });
    }
  });
  const gone = endOf(child).then(() => end({ state: 'failed', failure: CUT_OFF }));
  return { run: () => run, end, gone };
}

const newRun: Omit<ChoreRun, 'begunAt'> = {
  state: 'running',
  endedAt: null,
  step: '',
  looked: 0,
  of: null,
  wrong: [],
  failure: null,
};

function isOnServers({ eventStoreUrl, mongodbUrl, s3Url }: EngineSettings): boolean {
  return [eventStoreUrl, mongodbUrl, s3Url].some((url) => url !== undefined);
}

function start(order: ChoreOrder, begins: NonNullable<ChoresOptions['begins']>): ChoreProcess {
  const child = begins(fileURLToPath(new URL('./cli/chore-process.js', import.meta.url)), {
    serialization: 'advanced',
    execArgv: ['--disable-warning=ExperimentalWarning', `--max-old-space-size=${HEAP_MIB}`],
    env: Object.fromEntries(ENVIRONMENT.map((name) => [name, process.env[name]])),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  // It ends: that is heard of elsewhere.
  child.on('error', () => undefined);
  try {
    if (child.pid !== undefined) setPriority(child.pid, PRIORITY);
  } catch {
    // Not every system lets one; then it has the priority of everything else.
  }
  try {
    child.send(order, (error) => {
      if (error !== null) child.kill('SIGKILL');
    });
  } catch {
    // Where the system had no room for a process there is nothing to send by either.
    child.kill('SIGKILL');
  }
  return child;
}

/** Resolves when a process is no more and all that it said was heard, or it never was. */
async function endOf(child: ChoreProcess): Promise<void> {
  const isOver = [once(child, 'exit'), ...(child.connected ? [once(child, 'disconnect')] : [])];
  await Promise.all(isOver).catch(() => undefined);
}

const ended = z.object({
  state: z.enum(['done', 'failed', 'canceled']),
  begunAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  step: z.string(),
  looked: z.int(),
  of: z.int().nullable(),
  wrong: z.array(z.string()),
  failure: z.string().nullable(),
});
const kept = z.object({
  backup: ended.optional(),
  verify: ended.optional(),
  making: z.array(unfinished).default([]),
});

type Kept = { readonly runs: Map<ChoreName, ChoreRun>; readonly left: readonly Unfinished[] };

/** The last of each, and the folders of backups that were none yet, as a program before this one kept it. */
function keptIn(memory: ChoreMemory): Kept {
  const runs = new Map<ChoreName, ChoreRun>();
  const { backup, verify, making: left = [] } = kept.safeParse(memory.load()).data ?? {};
  if (backup !== undefined) runs.set('backup', backup);
  if (verify !== undefined) runs.set('verify', verify);
  return { runs, left };
}
