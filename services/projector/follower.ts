import type { Bell } from '#bell';
import type { Engines } from '#engines';
import { serializeError, type Machine, type Timers } from '#kernel';
import type { Elsewhere } from './elsewhere.js';
import { createFeed } from './feed.js';
import { createMending, type Projector, type ProjectorOptions } from './projector.js';
import { createQuestions } from './questions.js';
import { createReactions } from './reactions.js';
import { followDocuments } from './standby.js';

/** What runs the projections is asked of another program. */
const ELSEWHERE = 'this program does not run the projections';

export type FollowerOptions = Pick<ProjectorOptions, 'onProblem'> & {
  readonly models: Pick<Engines['models'], 'builds' | 'close'>;
  readonly elsewhere: Elsewhere;
  /** Rung by whoever runs the projections. */
  readonly bell?: Pick<Bell, 'on'> | undefined;
  readonly timers: Timers;
  readonly machine?: Machine | undefined;
};

/**
 * The projector of a program that never runs the projections: how far the documents are it reads from their store, which
 * other programs write.
 */
export function createFollower(options: FollowerOptions): Projector {
  const { models, elsewhere, bell, timers, machine, onProblem } = options;
  const { changes, end, ...doing } = elsewhere;
  const tell = () => undefined;
  const questions = createQuestions(tell, timers);
  const live = createFeed(tell, questions, timers);
  let unfollow: (() => Promise<void>) | undefined;
  const mend = createMending(elsewhere.mend, onProblem);
  questions.end(ELSEWHERE);
  return {
    // What a server has of what is forgotten it overwrites in its own time.
    feed: { ...live.feed, ...doing, overwrite: async () => undefined },
    reactions: createReactions(questions).reactions,
    mend,
    lanes: () => 0,
    isLeading: () => false,
    endWaits: end,
    start: async () => {
      unfollow = followDocuments({ models, changes, mend, live, bell, timers, machine });
    },
    stop: async () => {
      await unfollow?.();
      await models
        .close()
        .catch((error: unknown) => onProblem({ type: 'closing', ...serializeError(error) }));
      live.end();
    },
  };
}
