import { PROJECTOR, type Engines, type ModelsNotice } from '#engines';
import {
  canonicalJson,
  createSignal,
  delay,
  deserializeError,
  plainFailure,
  serializeError,
  systemMonotonic,
  systemRandom,
  type RetryPolicy,
  type Timers,
} from '#kernel';
import { createActiveRunner, type ActiveRunner, type Leases } from '#leases';
import type { ProjectionFeed } from '#projections';
import type { Damage } from '#read-store';
import { createFeed, type LiveFeed } from './feed.js';
import type { FromProjector, ProjectorThread, ToProjector } from './messages.js';
import { createReactions, type LiveReactions, type Reactions } from './reactions.js';
import { createQuestions, type Questions } from './questions.js';
import { followDocuments } from './standby.js';

export type ProjectorOptions = {
  /** Begins the thread that it runs in; a new one each time that the one before has died. */
  readonly thread: () => ProjectorThread;
  readonly models: Pick<Engines['models'], 'checkpoint' | 'close'>;
  /** For the projections, which one program runs at a time. */
  readonly leases: Pick<Leases, 'acquire'>;
  readonly timers: Timers;
  /** Hears what an operator should know: failures, parked events, a projector that died. */
  readonly onProblem: (problem: Readonly<Record<string, unknown>>) => void;
  /** Hears of each thread that is begun in the place of one that died. */
  readonly onRestart?: () => void;
  /** Hears what a person who starts the program should know. */
  readonly say: (step: string) => void;
};

/** The projector as the rest of the program sees it. What is asked before the start is answered after it. */
export type Projector = {
  readonly feed: ProjectionFeed;
  readonly reactions: Reactions;
  /** A query met damage, which is mended once, however many queries meet it meanwhile. */
  readonly mend: (damage: Damage) => void;
  /** Whether this program runs the projections. */
  readonly isLeading: () => boolean;
  /** Starts it and waits until queries can be answered, or until it stands by while another program runs the projections. */
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Why nothing is answered any more, if it did not die. */
const ENDED = 'the projector has ended';
/** Pauses before a thread is begun in the place of one that died. */
const RESTART: RetryPolicy = { firstMs: 1_000, lastMs: 60_000, jitter: 0.5 };
/** A thread that lived for this long, in milliseconds, did not die of how it began: the pauses are short again. */
const STEADY_MS = 300_000;

/** A thread at work. */
type Life = {
  readonly thread: ProjectorThread;
  readonly turns: ActiveRunner;
  readonly ended: Promise<void>;
  /** It has begun, so that its death is to be followed by another life. */
  isUp: boolean;
  isOver: boolean;
};

/** What lives share, and which of them it is. */
type Lives = {
  readonly options: ProjectorOptions;
  readonly questions: Questions;
  readonly live: LiveFeed;
  readonly reactions: LiveReactions;
  readonly standing: Standing;
  readonly signal: ReturnType<typeof createSignal>;
  /** What is to be told to the first of them. */
  readonly waiting: ToProjector[];
  life: Life | undefined;
  /** The search for the next one, after one that died. */
  restarting: Promise<void> | undefined;
  isStopping: boolean;
  /** Deaths in a row. */
  failures: number;
};

/**
 * The projector, to be started. When its thread dies another one is begun, after a pause that grows: until then what is
 * asked of it is refused with `unavailable`, so that the program is not ready.
 */
export function createProjector(options: ProjectorOptions): Projector {
  const { models, timers, onProblem } = options;
  const waiting: ToProjector[] = [];
  const tell = (message: ToProjector) => {
    if (lives.life !== undefined) lives.life.thread.tell(message);
    // The successor of one that died is told what it needs to know when it begins.
    else if (lives.restarting === undefined) waiting.push(message);
  };
  const questions = createQuestions(tell, timers);
  const live = createFeed(tell, questions, timers);
  const reactions = createReactions(questions);
  const standing = createStanding(models, timers, live);
  const signal = createSignal(timers);
  const shared = { options, questions, live, reactions, standing, signal, waiting };
  const none = { life: undefined, restarting: undefined, isStopping: false, failures: 0 };
  const lives: Lives = { ...shared, ...none };
  return {
    feed: live.feed,
    reactions: reactions.reactions,
    mend: createMending(questions, onProblem),
    isLeading: () => lives.life?.turns.isActive() ?? false,
    start: () => begin(lives),
    stop: async () => {
      lives.isStopping = true;
      signal.stop();
      // First: only the last connection takes the write-ahead log away, and this one may not write.
      await models
        .close()
        .catch((error: unknown) => onProblem({ type: 'closing', ...serializeError(error) }));
      if (lives.life?.isUp === false) questions.end(ENDED);
      await lives.restarting;
      if (lives.life === undefined) await standing.end();
      else await bury(lives.life, standing);
      questions.end(ENDED);
      live.end();
    },
  };
}

/** Tells the projector of damage, unless it is about to mend that already. */
function createMending({ ask }: Questions, onProblem: ProjectorOptions['onProblem']): Projector['mend'] {
  const underWay = new Set<string>();
  return (damage) => {
    const key = canonicalJson(damage);
    if (underWay.has(key)) return;
    underWay.add(key);
    void ask({ what: 'mend', damage })
      .catch((error: unknown) => onProblem({ type: 'damaged', damage, ...serializeError(error) }))
      .finally(() => underWay.delete(key));
  };
}

/** Begins a life; rejects with what it can't begin for, and then there is none. */
async function begin(lives: Lives): Promise<void> {
  const { questions, live, standing, waiting } = lives;
  const bornAt = systemMonotonic();
  const own = await bear(lives, (dead, error) => {
    const isSudden = dead.isUp && !lives.isStopping;
    const message = error?.message ?? ENDED;
    if (isSudden || error !== undefined) lives.options.onProblem({ type: 'ended', message });
    questions.end(message);
    if (!isSudden) return;
    if (systemMonotonic() - bornAt > STEADY_MS) lives.failures = 0;
    lives.restarting = restart(lives, dead);
  });
  lives.life = own;
  questions.begin();
  for (const message of waiting.splice(0)) own.thread.tell(message);
  own.thread.tell({ kind: 'listening', listening: live.isListened() });
  try {
    if (!lives.isStopping) await own.turns.start();
    if (own.isOver || lives.isStopping) throw plainFailure('unavailable', ENDED);
    own.isUp = true;
  } catch (error) {
    await bury(own, standing);
    lives.life = undefined;
    throw error;
  }
  if (!own.turns.isActive()) standing.follow();
}

/** Begins another life after one that died, as soon as that can be done. */
async function restart(lives: Lives, dead: Life): Promise<void> {
  const { onProblem, onRestart = () => undefined } = lives.options;
  lives.life = undefined;
  // Another program may run the projections meanwhile.
  await dead.turns.stop();
  while (!lives.isStopping) {
    lives.failures += 1;
    await lives.signal.stopOr(delay(lives.failures, RESTART, systemRandom));
    if (lives.isStopping) return;
    onRestart();
    try {
      await begin(lives);
      return;
    } catch (error) {
      onProblem({ type: 'restarting', ...serializeError(error) });
    }
  }
}

/** Begins a thread, which runs the projections as soon as it has their lease. `onEnd` hears of its end. */
async function bear(
  { options, questions, live, reactions, standing }: Lives,
  onEnd: (life: Life, error: Error | undefined) => void,
): Promise<Life> {
  const { leases, timers, onProblem, say } = options;
  const thread = options.thread();
  const ended = Promise.withResolvers<void>();
  const turns = createActiveRunner({
    leases,
    name: PROJECTOR,
    begin: async () => {
      await questions.ask({ what: 'lead' });
      // Not before: where it can't lead it stands by, and whoever waits for a position is still told.
      if (await standing.end()) live.forget();
      return async () => {
        standing.follow();
        live.forget();
        await questions.ask({ what: 'standBy' });
      };
    },
    onProblem,
    timers,
  });
  const life: Life = { thread, turns, ended: ended.promise, isUp: false, isOver: false };
  await ready(thread, { live, reactions, questions, onProblem, say }, (error) => {
    life.isOver = true;
    onEnd(life, error);
    ended.resolve();
  });
  return life;
}

/** Ends a life in order, or what is left of it. */
async function bury({ thread, turns, ended }: Life, standing: Standing): Promise<void> {
  await turns.stop();
  await standing.end();
  thread.tell({ kind: 'stop' });
  await ended;
}

/** Tells how far the documents are while another program writes them. */
type Standing = {
  readonly follow: () => void;
  /** True when it was following. */
  readonly end: () => Promise<boolean>;
};

function createStanding(models: ProjectorOptions['models'], timers: Timers, live: LiveFeed): Standing {
  let unfollow: (() => Promise<void>) | undefined;
  return {
    follow: () => {
      unfollow ??= followDocuments(models, timers, (position) =>
        live.hear({ type: 'advanced', position, changes: [] }),
      );
    },
    end: async () => {
      const last = unfollow;
      unfollow = undefined;
      await last?.();
      return last !== undefined;
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
