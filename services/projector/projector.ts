import type { Bell } from '#bell';
import { projectorOf, projectorSeats, type Engines, type ModelsNotice } from '#engines';
import {
  allLanes,
  canonicalJson,
  createSignal,
  delay,
  deserializeError,
  plainFailure,
  serializeError,
  thisMachine,
  type Machine,
  type RetryPolicy,
  type Timers,
  type Tracer,
} from '#kernel';
import { createActiveMember, type ActiveMember, type Leases, type Part } from '#leases';
import type { Orders } from '#orders';
import type { ProjectionFeed } from '#projections';
import type { Damage } from '#read-store';
import type { Doing, Elsewhere } from './elsewhere.js';
import { createFeed, type LiveFeed } from './feed.js';
import type { FromProjector, ProjectorThread, ToProjector } from './messages.js';
import { createReactions, type LiveReactions, type Reactions } from './reactions.js';
import { carryOut } from './projection-orders.js';
import { takeOrders } from './orders.js';
import { createQuestions, type Questions } from './questions.js';
import { followDocuments } from './standby.js';

export type ProjectorOptions = {
  /** Begins the thread that it runs in; a new one each time that the one before has died. */
  readonly thread: () => ProjectorThread;
  readonly models: Pick<Engines['models'], 'builds' | 'close'>;
  /** What is known and asked of the projections while another program runs them; left out where there is no other. */
  readonly elsewhere?: Elsewhere | undefined;
  /** What other programs ask of whoever runs them. */
  readonly orders?: Orders | undefined;
  /** Rung whenever this program has written documents, and heard while another one writes any. */
  readonly bell?: Bell | undefined;
  /** How many lanes the read models have; 1 when it is left out. */
  readonly lanes?: number;
  /** For the projections, of which each lane is folded by one program at a time. */
  readonly leases: Pick<Leases, 'acquire' | 'isHeld'>;
  readonly timers: Timers;
  readonly machine?: Machine | undefined;
  /** Hears what an operator should know: failures, parked events, a projector that died. */
  readonly onProblem: (problem: Readonly<Record<string, unknown>>) => void;
  /** Hears of each thread that is begun in the place of one that died. */
  readonly onRestart?: () => void;
  /** Hears what a person who starts the program should know. */
  readonly say: (step: string) => void;
  /** Takes the spans that the thread tells of. */
  readonly tracer?: Pick<Tracer, 'record'> | undefined;
};

/** The projector as the rest of the program sees it. What is asked before the start is answered after it. */
export type Projector = {
  readonly feed: ProjectionFeed;
  readonly reactions: Reactions;
  /** A query met damage, which is mended once, however many queries meet it meanwhile. */
  readonly mend: (damage: Damage) => void;
  /** How many lanes of the read models this program folds. */
  readonly lanes: () => number;
  /** Whether this program runs the projections, or the first of their lanes. */
  readonly isLeading: () => boolean;
  /** Starts it and waits until queries can be answered, or until it stands by while another program runs the projections. */
  readonly start: () => Promise<void>;
  /** The program is about to stop: whoever waits for what another program does is answered with `unknown_outcome`. */
  readonly endWaits: () => void;
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
  readonly turns: ActiveMember;
  readonly ended: Promise<void>;
  /** It has begun, so that its death is to be followed by another life. */
  isUp: boolean;
  /** It folds every lane. */
  isWhole: boolean;
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
  const mend = createMending((damage) => whoRuns(lives).mend(damage), onProblem);
  const standing = createStanding(options, live, mend);
  const signal = createSignal(timers);
  const shared = { options, questions, live, reactions, standing, signal, waiting };
  const none = { life: undefined, restarting: undefined, isStopping: false, failures: 0 };
  const lives: Lives = { ...shared, ...none };
  return {
    feed: feedOf(lives),
    reactions: reactions.reactions,
    mend,
    lanes: () => {
      const part = lives.life?.turns.part();
      return part === undefined ? 0 : lanesOf(part, options.lanes ?? 1).length;
    },
    isLeading: () => lives.life?.turns.part()?.part === 0,
    start: () => begin(lives),
    endWaits: () => options.elsewhere?.end(),
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

/** Whoever is asked about the projections: the own thread, or others where they run any of them. */
function whoRuns(lives: Lives): Doing {
  const { life, options } = lives;
  // A thread that died and isn't there yet is no other program's.
  const isAnothers = life?.isUp === true && !(life.turns.isActive() && life.isWhole);
  return (isAnothers ? options.elsewhere : undefined) ?? ownThread(lives);
}

/** The own thread, as other programs' are. */
function ownThread({ live, questions }: Pick<Lives, 'live' | 'questions'>): Doing {
  return {
    ...live.feed,
    mend: async (damage) => {
      await questions.ask({ what: 'mend', damage });
    },
  };
}

/** The feed, of which whoever runs the projections answers what is asked of them. */
function feedOf(lives: Lives): ProjectionFeed {
  const { feed } = lives.live;
  const there = () => whoRuns(lives);
  return {
    ...feed,
    status: () => there().status(),
    rebuild: (model) => there().rebuild(model),
    cancelRebuild: (model) => there().cancelRebuild(model),
    parked: (model, asked) => there().parked(model, asked),
    discard: (model, eventId) => there().discard(model, eventId),
    replay: (model, stream) => there().replay(model, stream),
  };
}

/** Has damage mended by whoever runs the projections, unless that is about to be done already. */
export function createMending(
  mend: Doing['mend'],
  onProblem: ProjectorOptions['onProblem'],
): Projector['mend'] {
  const underWay = new Set<string>();
  return (damage) => {
    const key = canonicalJson(damage);
    if (underWay.has(key)) return;
    underWay.add(key);
    void mend(damage)
      .catch((error: unknown) => onProblem({ type: 'damaged', damage, ...serializeError(error) }))
      .finally(() => underWay.delete(key));
  };
}

/** Begins a life; rejects with what it can't begin for, and then there is none. */
async function begin(lives: Lives): Promise<void> {
  const { questions, live, standing, waiting } = lives;
  const { monotonic } = lives.options.machine ?? thisMachine;
  const bornAt = monotonic();
  const own = await bear(lives, (dead, error) => {
    const isSudden = dead.isUp && !lives.isStopping;
    const message = error?.message ?? ENDED;
    if (isSudden || error !== undefined) lives.options.onProblem({ type: 'ended', message });
    questions.end(message);
    if (!isSudden) return;
    if (monotonic() - bornAt > STEADY_MS) lives.failures = 0;
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
  const { onProblem, onRestart = () => undefined, machine = thisMachine } = lives.options;
  lives.life = undefined;
  // Another program may run the projections meanwhile.
  await dead.turns.stop();
  while (!lives.isStopping) {
    lives.failures += 1;
    await lives.signal.stopOr(delay(lives.failures, RESTART, machine.random));
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
async function bear(lives: Lives, onEnd: (life: Life, error: Error | undefined) => void): Promise<Life> {
  const { options, questions, live, reactions, standing } = lives;
  const { bell, leases, lanes = 1, timers, machine, onProblem, say, tracer } = options;
  const thread = options.thread();
  const ended = Promise.withResolvers<void>();
  const turns = createActiveMember({
    leases,
    seats: projectorSeats(lanes),
    begin: async (part) => {
      const own = lanesOf(part, lanes);
      life.isWhole = own.length === lanes;
      // Beyond those that can share the lanes it stands by.
      if (own.length > 0) await questions.ask({ what: 'lead', lanes: { of: lanes, own } });
      // Not before: where it can't lead it stands by, and whoever waits for a position is still told.
      if (!life.isWhole) standing.follow();
      else if (await standing.end()) live.forget();
      const stopTaking = takeOthersOrders(lives, own);
      return async () => {
        const taken = stopTaking();
        life.isWhole = false;
        standing.follow();
        live.forget();
        // Ends the order under way, which may take long: whoever has the lane next does it.
        await questions.ask({ what: 'standBy' });
        await taken;
      };
    },
    onProblem,
    timers,
    machine,
  });
  const life: Life = { thread, turns, ended: ended.promise, isUp: false, isWhole: false, isOver: false };
  const hearProblem: ProjectorOptions['onProblem'] = (problem) => {
    if (problem['type'] === 'failing' && problem['code'] === 'conflict') turns.beginAnew();
    onProblem(problem);
  };
  const hearsLive = () => life.isWhole;
  const listeners = { live, bell, hearsLive, reactions, questions, onProblem: hearProblem, say, tracer };
  await ready(thread, listeners, (error) => {
    life.isOver = true;
    onEnd(life, error);
    ended.resolve();
  });
  return life;
}

/** The lanes of one's part, as near to each other as can be; none for those beyond as many as there are lanes. */
function lanesOf({ part, of }: Part, lanes: number): readonly number[] {
  const sharers = Math.min(of, lanes);
  if (part >= sharers) return [];
  const from = (one: number) => Math.floor((one * lanes) / sharers);
  return allLanes(lanes).own.slice(from(part), from(part + 1));
}

/** Carries out what programs order of some lanes, by the own thread, until what it gives ends that. */
function takeOthersOrders(lives: Lives, lanes: readonly number[]): () => Promise<void> {
  const { orders, bell, timers, machine, onProblem } = lives.options;
  if (orders === undefined || lanes.length === 0) return async () => undefined;
  const doer = ownThread(lives);
  return takeOrders({
    orders,
    to: lanes.map(projectorOf),
    bell,
    carryOut: (what) => carryOut(doer, what),
    onFailing: ({ code, message, attempts }) => onProblem({ type: 'orders', code, message, attempts }),
    timers,
    machine,
  });
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

function createStanding(
  {
    models,
    elsewhere,
    bell,
    timers,
    machine,
  }: Pick<ProjectorOptions, 'models' | 'elsewhere' | 'bell' | 'timers' | 'machine'>,
  live: LiveFeed,
  mend: Projector['mend'],
): Standing {
  let unfollow: (() => Promise<void>) | undefined;
  return {
    follow: () => {
      const changes = elsewhere?.changes;
      unfollow ??= followDocuments({ models, changes, mend, live, bell, timers, machine });
    },
    end: async () => {
      const last = unfollow;
      unfollow = undefined;
      await last?.();
      return last !== undefined;
    },
  };
}

type Listeners = Pick<ProjectorOptions, 'bell' | 'onProblem' | 'say' | 'tracer'> & {
  readonly live: LiveFeed;
  /** False where what the thread says of the documents is not all there is. */
  readonly hearsLive: () => boolean;
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
function hear(message: FromProjector, listeners: Listeners): void {
  const { live, bell, hearsLive, reactions, questions, onProblem, say, tracer } = listeners;
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
    case 'span':
      tracer?.record(message.span);
      return;
    case 'report': {
      const { report } = message;
      if (report.type !== 'advanced' && report.type !== 'activated') onProblem(report);
      else {
        if (hearsLive()) live.hear(report);
        bell?.ring('documents');
      }
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
