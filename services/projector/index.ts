import { Worker } from 'node:worker_threads';
import { errorTold, LodeError, systemTimers, type Position } from '#kernel';
import { createPositionGate, type DocumentChange, type Replayed, type RunnerHealth } from '#projections';
import type { ReadStoreReader } from '#read-store';
import { openSqliteReadStoreReader } from '#read-store/sqlite';
import type { AnswerTo, FromProjector, ProjectorFiles, Question, ToProjector } from './messages.js';

/** Queries that may wait for a position at once. */
const WAITERS_MAX = 10_000;
/** Questions that may wait for the projector, and how long each kind does, in milliseconds. */
const QUESTIONS_MAX = 100;
const ANSWER_MS = { health: 2_000, rebuild: 10_000, replay: 60_000 } as const;
/** Events and documents of a batch die together: with room for them all the collector has little to copy. */
const YOUNG_MIB = 192;

export type ProjectorOptions = ProjectorFiles & {
  /** Hears what an operator should know: failures, parked events, a projector that ended. */
  readonly onProblem: (problem: Readonly<Record<string, unknown>>) => void;
  /** Hears what a person who starts the program should know. */
  readonly say: (step: string) => void;
};

/** The projector as the rest of the program sees it. */
export type Projector = {
  readonly readStore: ReadStoreReader;
  readonly feed: {
    waitFor(position: Position, timeoutMs: number): Promise<boolean>;
    onChanges(listener: (changes: readonly DocumentChange[]) => void): () => void;
    onRebuilt(listener: () => void): () => void;
    status(): Promise<RunnerHealth['models']>;
    rebuild(model: string): Promise<void>;
    replay(model: string, stream: string | undefined): Promise<Replayed>;
  };
  /** The log may have grown. */
  readonly wake: () => void;
  readonly stop: () => Promise<void>;
};

/** Starts the projector in a thread of its own and waits until queries can be answered. */
export async function startProjector(options: ProjectorOptions): Promise<Projector> {
  const { logFile, readModelsFile, identityFile, onProblem, say } = options;
  const worker = new Worker(new URL('./thread.js', import.meta.url), {
    workerData: { logFile, readModelsFile, identityFile } satisfies ProjectorFiles,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
  });
  const tell = (message: ToProjector) => worker.postMessage(message);
  const gate = createPositionGate(systemTimers, WAITERS_MAX);
  const listeners = new Set<(changes: readonly DocumentChange[]) => void>();
  const rebuilt = new Set<() => void>();
  const asked = new Map<number, Asked>();
  let questions = 0;
  let ended: string | undefined;

  const hear = (message: FromProjector) => {
    switch (message.kind) {
      case 'answer':
        asked.get(message.asked)?.resolve(message.answer);
        asked.delete(message.asked);
        return;
      case 'refusal':
        asked.get(message.asked)?.reject(errorTold(message));
        asked.delete(message.asked);
        return;
      case 'discarded':
        say(
          `The read models were ${message.reason}: they are built anew (the old file is ${message.movedTo}).`,
        );
        return;
      case 'report':
        break;
      default:
        return;
    }
    const { report } = message;
    if (report.type === 'advanced') {
      gate.reached(report.position);
      if (report.changes.length > 0) for (const listener of listeners) listener(report.changes);
    } else if (report.type === 'activated') for (const listener of rebuilt) listener();
    else onProblem(report);
  };
  const end = (why: string) => {
    ended ??= why;
    gate.close();
    for (const { reject } of asked.values()) reject(over(why));
    asked.clear();
  };

  /** What the projector answers to a question. Rejects with `unavailable` when it does not. */
  const ask = <What extends Question['what']>(
    question: Extract<Question, { what: What }>,
  ): Promise<AnswerTo[What]> => {
    if (ended !== undefined) return Promise.reject(over(ended));
    if (asked.size >= QUESTIONS_MAX) return Promise.reject(silent());
    return new Promise((resolve, reject) => {
      const number = (questions += 1);
      const giveUp = systemTimers.after(ANSWER_MS[question.what], () => {
        asked.delete(number);
        reject(silent());
      });
      asked.set(number, {
        resolve: (answer) => {
          giveUp();
          resolve(answer as AnswerTo[What]);
        },
        reject: (error) => {
          giveUp();
          reject(error);
        },
      });
      tell({ kind: 'ask', asked: number, question });
    });
  };

  const ready = new Promise<void>((resolve, reject) => {
    worker.on('message', (message: FromProjector) => {
      if (message.kind === 'ready') resolve();
      else if (message.kind === 'refused') reject(errorTold(message));
      else hear(message);
    });
    worker.on('error', (error: Error) => {
      onProblem({ type: 'ended', message: error.message });
      end(error.message);
      reject(error);
    });
    worker.on('exit', () => end('the projector has ended'));
  });
  await ready;
  const readStore = openSqliteReadStoreReader({ file: readModelsFile });

  return {
    readStore,
    feed: {
      waitFor: gate.waitFor,
      onChanges(listener) {
        listeners.add(listener);
        tell({ kind: 'listening', listening: true });
        return () => {
          listeners.delete(listener);
          tell({ kind: 'listening', listening: listeners.size > 0 });
        };
      },
      onRebuilt(listener) {
        rebuilt.add(listener);
        return () => rebuilt.delete(listener);
      },
      status: async () => (await ask({ what: 'health' })).models,
      rebuild: async (model) => {
        await ask({ what: 'rebuild', model });
      },
      replay: (model, stream) => ask({ what: 'replay', model, stream }),
    },
    wake: () => tell({ kind: 'wake' }),
    async stop() {
      // First: only the last connection takes the write-ahead log away, and this one may not write.
      try {
        await readStore.close();
      } finally {
        const exited = new Promise((resolve) => worker.once('exit', resolve));
        if (ended === undefined) {
          tell({ kind: 'stop' });
          await exited;
        }
      }
    },
  };
}

/** Whoever waits for an answer. */
type Asked = {
  readonly resolve: (answer: AnswerTo[Question['what']]) => void;
  readonly reject: (error: LodeError) => void;
};

function over(why: string): LodeError {
  return new LodeError('unavailable', `The projector has ended: ${why}`);
}

function silent(): LodeError {
  return new LodeError('unavailable', 'The projector does not answer.');
}

export { startReactors, type Reactors, type ReactorsOptions } from './reactors.js';
