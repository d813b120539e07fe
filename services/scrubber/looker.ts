import { fork, type ChildProcess } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { EngineSettings } from '#engines';
import { deserializeError, LodeError, type Timers } from '#kernel';
import type { Look } from '#scrub';
import type { FromLooker, ToLooker } from './messages.js';

/** Looks at parts of what is kept, one at a time. */
export type Looker = {
  readonly look: (part: string, place: string | undefined) => Promise<Look>;
  /** Ends it, whatever it is at. */
  readonly close: () => void;
};

/** Everything else comes first. */
const PRIORITY = 19;
const HEAP_MIB = 128;
/** How long it is kept when it is asked for nothing, in milliseconds: it is there during a pass, and not the rest of the day. */
const IDLE_MS = 120_000;

/**
 * A process of its own that looks, so that no command waits for it, however long SQLite goes through a table. It is begun when
 * it is asked something, and ended when it was not for a while.
 */
export function createLooker(settings: EngineSettings, timers: Timers): Looker {
  let child: ChildProcess | undefined;
  let cancelIdle = () => {};
  const close = () => {
    cancelIdle();
    child?.kill('SIGKILL');
    child = undefined;
  };
  return {
    look: async (part, place) => {
      cancelIdle();
      const working = (child ??= start(settings));
      try {
        return await answerOf(working, { kind: 'look', part, place });
      } catch (error) {
        // What it has open may be of before whatever failed.
        if (child === working) close();
        throw error;
      } finally {
        cancelIdle = timers.after(IDLE_MS, close);
      }
    },
    close,
  };
}

function start(settings: EngineSettings): ChildProcess {
  const child = fork(fileURLToPath(new URL('./process.js', import.meta.url)), {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${HEAP_MIB}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  try {
    if (child.pid !== undefined) setPriority(child.pid, PRIORITY);
  } catch {
    // Not every system lets one; then it has the priority of everything else.
  }
  child.on('error', () => undefined);
  child.send({ kind: 'open', settings } satisfies ToLooker);
  return child;
}

function answerOf(child: ChildProcess, asked: ToLooker): Promise<Look> {
  return new Promise((resolve, reject) => {
    const ended = () => {
      settle();
      reject(new LodeError('internal', 'The process that looks at everything has ended.'));
    };
    const heard = (message: FromLooker) => {
      settle();
      if (message.kind === 'looked') resolve(message.look);
      else reject(deserializeError(message));
    };
    const settle = () => {
      child.off('exit', ended);
      child.off('message', heard);
    };
    child.on('exit', ended);
    child.on('message', heard);
    child.send(asked, (error) => {
      if (error !== null) ended();
    });
  });
}
