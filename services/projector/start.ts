import { Worker } from 'node:worker_threads';
import type { Engines } from '#engines';
import { deserializeError, systemTimers } from '#kernel';
import type { ProjectionFeed } from '#projections';
import { createFeed, type LiveFeed } from './feed.js';
import type { FromProjector, ProjectorData, ToProjector } from './messages.js';
import { createReactions, type LiveReactions, type Reactions } from './reactions.js';
import { createQuestions, type Questions } from './questions.js';

/** Events and documents of a batch die together: with room for them all the collector has little to copy. */
const YOUNG_MIB = 192;

export type ProjectorOptions = {
  readonly engines: Pick<Engines, 'share' | 'models'>;
  /** Hears what an operator should know: failures, parked events, a projector that ended. */
  readonly onProblem: (problem: Readonly<Record<string, unknown>>) => void;
  /** Hears what a person who starts the program should know. */
  readonly say: (step: string) => void;
};

/** The projector as the rest of the program sees it. */
export type Projector = {
  readonly feed: ProjectionFeed;
  readonly reactions: Reactions;
  readonly stop: () => Promise<void>;
};

/** Starts the projector in a thread of its own and waits until queries can be answered. */
export async function startProjector({ engines, onProblem, say }: ProjectorOptions): Promise<Projector> {
  const handle = engines.share();
  const worker = new Worker(new URL('./thread.js', import.meta.url), {
    workerData: { engines: handle } satisfies ProjectorData,
    transferList: handle.transfer,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
  });
  const tell = (message: ToProjector) => worker.postMessage(message);
  const questions = createQuestions(tell, systemTimers);
  const live = createFeed(tell, questions, systemTimers);
  const reactions = createReactions(questions);
  let hasEnded = false;
  const end = (why: string) => {
    hasEnded = true;
    live.end();
    questions.end(why);
  };
  await new Promise<void>((resolve, reject) => {
    worker.on('message', (message: FromProjector) => {
      if (message.kind === 'ready') resolve();
      else if (message.kind === 'refused') reject(deserializeError(message));
      else hear(message, { live, reactions, questions, onProblem, say });
    });
    worker.on('error', (error: Error) => {
      onProblem({ type: 'ended', message: error.message });
      end(error.message);
      reject(error);
    });
    worker.on('exit', () => end('the projector has ended'));
  });
  return {
    feed: live.feed,
    reactions: reactions.reactions,
    async stop() {
      // First: only the last connection takes the write-ahead log away, and this one may not write.
      try {
        await engines.models.close();
      } finally {
        const exited = new Promise((resolve) => worker.once('exit', resolve));
        if (!hasEnded) {
          tell({ kind: 'stop' });
          await exited;
        }
      }
    },
  };
}

type Listeners = Pick<ProjectorOptions, 'onProblem' | 'say'> & {
  readonly live: LiveFeed;
  readonly reactions: LiveReactions;
  readonly questions: Questions;
};

/** Hands what the thread says to those whom it concerns. */
function hear(message: FromProjector, { live, reactions, questions, onProblem, say }: Listeners): void {
  switch (message.kind) {
    case 'answer':
    case 'refusal':
      questions.settle(message);
      return;
    case 'due':
      reactions.hear(message.reactors);
      return;
    case 'discarded':
      say(
        `The read models were ${message.reason}: they are built anew (the old file is ${message.movedTo}).`,
      );
      return;
    case 'report': {
      const { report } = message;
      if (report.type === 'advanced' || report.type === 'activated') live.hear(report);
      else onProblem(report);
      return;
    }
    default:
      return;
  }
}
