import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { deserializeError, LodeError, systemMonotonic, systemTimers, type Timers } from '#kernel';
import { tooManyUploads } from '../rules.js';
import type { FromDecoder, ToDecoder } from './decoder.js';

/** Bounds of the process in which images are decoded. */
export const decoderLimits = {
  /** What it may take of memory, in bytes; told by the system, and on systems that don't tell not bounded. */
  memoryBytes: 272 * 1024 * 1024,
  /** How often that is looked at, in milliseconds. */
  lookMs: 25,
  /** How long it is kept when there is nothing for it to do, in milliseconds. */
  idleMs: 30_000,
} as const;

/** Everything else comes first. */
const PRIORITY = 10;
const KIBIBYTE = 1_024;
/** Linux counts in hundredths of a second, whatever the kernel's own clock. */
const MS_PER_TICK = 10;

/** Work on an image that can be given up. */
export type Decoding = {
  /** The image encoded anew, or why not: `overloaded` when it was given up, or the process has died of it. */
  readonly encoded: Promise<Buffer>;
  readonly giveUp: () => void;
  /** Milliseconds of a processor that it has taken; where the system doesn't tell, those that have passed. */
  readonly usedMs: () => number;
};

/** Decodes an image; one at a time. */
export type Decoder = (asked: ToDecoder) => Decoding;

/**
 * A process that decodes images, started when there is one: what strangers send is never decoded where money is kept. It is
 * ended when it takes too much memory, when an image is given up, and when there was none for a while.
 */
export function createDecoder(
  timers: Timers = systemTimers,
  limits: { readonly memoryBytes: number; readonly lookMs: number; readonly idleMs: number } = decoderLimits,
): Decoder {
  let child: ChildProcess | undefined;
  let cancelIdle = () => {};

  const end = () => {
    child?.kill('SIGKILL');
    child = undefined;
  };
  return (asked) => {
    cancelIdle();
    const working = (child ??= start());
    keepAlive(working, true);
    const cancelWatch = watch(working, timers, limits, end);
    const encoded = answerOf(working, asked).finally(() => {
      cancelWatch();
      keepAlive(working, false);
      if (working.exitCode !== null || working.signalCode !== null) child = undefined;
      cancelIdle = timers.after(limits.idleMs, end);
    });
    return { encoded, giveUp: end, usedMs: processorOf(working) };
  };
}

/** A process of its own, with nothing of this one's environment. It ends with this one, and keeps it from nothing. */
function start(): ChildProcess {
  const child = fork(fileURLToPath(new URL('./decoder.js', import.meta.url)), {
    serialization: 'advanced',
    execArgv: ['--max-old-space-size=64'],
    // One thread works, and what it gave back goes to the system.
    env: { MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '1' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  try {
    if (child.pid !== undefined) setPriority(child.pid, PRIORITY);
  } catch {
    // Not every system lets one; then it has the priority of everything else.
  }
  return child;
}

/** Whether this process waits for the other one before it ends by itself. */
function keepAlive(child: ChildProcess, is: boolean): void {
  if (is) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

function answerOf(child: ChildProcess, asked: ToDecoder): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const failed = (cause: unknown) => done(() => reject(overloaded(cause)));
    const ended = () => failed(undefined);
    const answered = (answer: FromDecoder) =>
      done(() => {
        if ('encoded' in answer) resolve(Buffer.from(answer.encoded));
        else reject(deserializeError(answer.refused));
      });
    const done = (settle: () => void) => {
      child.off('message', answered).off('error', failed).off('exit', ended);
      settle();
    };
    child.on('message', answered).on('error', failed).on('exit', ended);
    child.send(asked, (error) => {
      if (error !== null) failed(error);
    });
  });
}

/** What is answered for an image that the decoder did not survive, whatever the reason. */
function overloaded(cause: unknown): LodeError {
  const { code, message } = tooManyUploads();
  return new LodeError(code, message, {}, { cause });
}

/** Ends the process when it has taken more memory than it may, until it is cancelled. */
function watch(
  child: ChildProcess,
  timers: Timers,
  { memoryBytes, lookMs }: { readonly memoryBytes: number; readonly lookMs: number },
  end: () => void,
): () => void {
  const look = () => {
    if (memoryOf(child) > memoryBytes) end();
    else cancel = timers.after(lookMs, look);
  };
  let cancel = timers.after(lookMs, look);
  return () => cancel();
}

/** Milliseconds of a processor that a process takes from now on. */
function processorOf({ pid }: ChildProcess): () => number {
  const began = systemMonotonic();
  const before = ticksOf(pid);
  let last = 0;
  return () => {
    const ticks = ticksOf(pid);
    if (before === undefined) last = systemMonotonic() - began;
    else if (ticks !== undefined) last = (ticks - before) * MS_PER_TICK;
    return last;
  };
}

/** The processor's ticks that a process has taken, user and system; undefined where the system doesn't tell. */
function ticksOf(pid: number | undefined): number | undefined {
  try {
    const [, , , , , , , , , , , , user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '- - ')
      .split(' ');
    return Number(user) + Number(system);
  } catch {
    return undefined;
  }
}

/** What a process takes of memory, in bytes; 0 where the system doesn't tell, and of one that has ended. */
function memoryOf({ pid }: ChildProcess): number {
  try {
    const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kibibytes ?? 0) * KIBIBYTE;
  } catch {
    return 0;
  }
}
