import { PROJECTOR, type Engines, type ModelsNotice } from '#engines';
import { deserializeError, serializeError, type Timers } from '#kernel';
import { createActiveRunner, type Leases } from '#leases';
import type { ProjectionFeed } from '#projections';
import { createFeed, type LiveFeed } from './feed.js';
import type { FromProjector, ProjectorThread, ToProjector } from './messages.js';
import { createReactions, type LiveReactions, type Reactions } from './reactions.js';
import { createQuestions, type Questions } from './questions.js';
import { followDocuments } from './standby.js';

export type ProjectorOptions = {
  /** Begins the thread that it runs in. */
  readonly thread: () => ProjectorThread;
  readonly models: Pick<Engines['models'], 'checkpoint' | 'close'>;
  /** For the projections, which one program runs at a time. */
  readonly leases: Pick<Leases, 'acquire'>;
  readonly timers: Timers;
  /** Hears what an operator should know: failures, parked events, a projector that ended. */
  readonly onProblem: (problem: Readonly<Record<string, unknown>>) => void;
  /** Hears what a person who starts the program should know. */
  readonly say: (step: string) => void;
};

/** The projector as the rest of the program sees it. What is asked before the start is answered after it. */
export type Projector = {
  readonly feed: ProjectionFeed;
  readonly reactions: Reactions;
  /** Starts it and waits until queries can be answered, or until it stands by while another program runs the projections. */
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Why nothing is answered any more, if it did not die. */
const ENDED = 'the projector has ended';

/** The projector, to be started. */
export function createProjector(options: ProjectorOptions): Projector {
  const { thread, models, leases, timers, onProblem, say } = options;
  const waiting: ToProjector[] = [];
  let running: ProjectorThread | undefined;
  let unfollow: (() => Promise<void>) | undefined;
  const tell = (message: ToProjector) => {
    if (running === undefined) waiting.push(message);
    else running.tell(message);
  };
  const questions = createQuestions(tell, timers);
  const live = createFeed(tell, questions, timers);
  const reactions = createReactions(questions);
  const ended = Promise.withResolvers<void>();
  const follow = () => {
    unfollow = followDocuments(models, timers, (position) =>
      live.hear({ type: 'advanced', position, changes: [] }),
    );
  };
  const turns = createActiveRunner({
    leases,
    name: PROJECTOR,
    begin: async () => {
      await questions.ask({ what: 'lead' });
      // Not before: where it can't lead it stands by, and whoever waits for a position is still told.
      await unfollow?.();
      if (unfollow !== undefined) live.forget();
      unfollow = undefined;
      return async () => {
        follow();
        live.forget();
        await questions.ask({ what: 'standBy' });
      };
    },
    onProblem,
    timers,
  });
  const end = (error: Error | undefined) => {
    if (error !== undefined) onProblem({ type: 'ended', message: error.message });
    live.end();
    questions.end(error?.message ?? ENDED);
    ended.resolve();
    // Another program may run the projections now.
    void turns.stop();
  };
  return {
    feed: live.feed,
    reactions: reactions.reactions,
    start: async () => {
      running = thread();
      for (const message of waiting.splice(0)) running.tell(message);
      await ready(running, { live, reactions, questions, onProblem, say }, end);
      await turns.start();
      if (!turns.isActive()) follow();
    },
    stop: async () => {
      if (running === undefined) return;
      // First: only the last connection takes the write-ahead log away, and this one may not write.
      await models
        .close()
        .catch((error: unknown) => onProblem({ type: 'closing', ...serializeError(error) }));
      await turns.stop();
      await unfollow?.();
      running.tell({ kind: 'stop' });
      await ended.promise;
    },
  };
}

type Listeners = Pick<ProjectorOptions, 'onProblem' | 'say'> & {
  readonly live: LiveFeed;
  readonly reactions: LiveReactions;
  readonly questions: Questions;
};

/** Listens to a thread from now on; resolves once it is ready, and rejects with what it can't begin for. */
function ready(
  thread: ProjectorThread,
  listeners: Listeners,
  onEnd: (error: Error | undefined) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    thread.onMessage((message) => {
      if (message.kind === 'ready') resolve();
      else if (message.kind === 'refused') reject(deserializeError(message));
      else hear(message, listeners);
    });
    thread.onEnd((error) => {
      onEnd(error);
      reject(error ?? new Error(ENDED));
    });
  });
}

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
    case 'notice':
      say(sentenceOf(message.notice));
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

/** What a person who starts the program reads of read models that were mended. */
function sentenceOf(notice: ModelsNotice): string {
  return notice.kind === 'set aside'
    ? `The read models were ${notice.reason}: they are built anew (the old file is ${notice.movedTo}).`
    : `The read model ${notice.model} had lost ${notice.count} of its indexes, which were made again.`;
}
