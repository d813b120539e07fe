import type { JoinedEngines } from '#engines';
import { shareReads, type EventStore } from '#event-store';
import type { PersonKeysReader } from '#identity';
import {
  hasFirstLane,
  createTracer,
  plainFailure,
  serializeError,
  systemTimers,
  thisMachine,
  type Lanes,
  type Machine,
  type Sampling,
  type Timers,
  type Tracer,
} from '#kernel';
import {
  createProjectionRunner,
  openingWith,
  refuseDiverged,
  retireOutdated,
  walletModels,
  type ProjectionRunner,
  type Replayed,
  type RunnerReport,
} from '#projections';
import type { ReadStore } from '#read-store';
import {
  followUpsOf,
  reactors,
  watchLog,
  type FollowUps,
  type ReactorCommands,
  type ReactorName,
} from '#reactors';
import type { AnswerTo, FromProjector, Question, ToProjector } from './messages.js';

type Say = (message: FromProjector) => void;

/** The way to the program: a `MessagePort`, as far as it is used. */
export type ProgramPort = {
  readonly postMessage: (message: FromProjector) => void;
  readonly on: (event: 'message', listener: (message: ToProjector) => void) => unknown;
  readonly close: () => void;
};

/** Whose time and randomness it goes by. */
type Own = Machine & { readonly timers: Timers };

/** The projections at work. */
type Folding = { readonly runner: ProjectionRunner; readonly stop: () => Promise<void> };

/** What the program at the other end asks. */
type Projection = {
  /** Folds some lanes from now on. Refuses read models of another log. */
  readonly lead: (lanes: Lanes) => Promise<void>;
  readonly standBy: () => Promise<void>;
  /** Undefined while another program runs the projections. */
  readonly runner: () => ProjectionRunner | undefined;
  /** What follows from the log by a reactor. */
  readonly followUps: (reactor: ReactorName) => FollowUps<ReactorCommands[ReactorName]>;
  /** Whether anybody hears of changed documents. */
  readonly listen: (listening: boolean) => void;
  readonly stop: () => Promise<void>;
};

/** Opens the log and the person keys, and looks at the log for reactors. The projections wait for `lead`. */
async function openProjection(
  engines: JoinedEngines,
  say: Say,
  own: Own,
  tracer: Tracer | undefined,
): Promise<Projection> {
  const { timers } = own;
  const keys = await engines.openPersonKeys();
  // The projections, the reactors and the look at the log for them are at the same place most of the time.
  const log = shareReads(await engines.openEvents().catch(closingFirst(keys)), timers);
  const tellDue = (names: readonly string[]) => say({ kind: 'due', reactors: names });
  const unwatch = watchLog(log, Object.values(reactors), tellDue, timers);
  let listening = false;
  const report = (report: RunnerReport) => {
    const quiet = report.type === 'advanced' && !listening ? { ...report, changes: [] } : report;
    say({ kind: 'report', report: quiet });
  };
  let folding: Folding | undefined;
  const standBy = async () => {
    const last = folding;
    folding = undefined;
    await last?.stop();
  };
  return {
    lead: async (lanes) => {
      await standBy();
      // One that can't reach the log takes nothing from those who can.
      await log.head();
      // From its opening on, the store refuses what the program before writes.
      const store = await engines.openModels((notice) => say({ kind: 'notice', notice }), lanes.own);
      const { mayActivate } = engines;
      folding = await fold({ log, store, lanes, keys, mayActivate, report, own, tracer });
    },
    standBy,
    runner: () => folding?.runner,
    followUps: (name) => followUpsOf<ReactorCommands[ReactorName]>(reactors[name], log),
    listen: (now) => {
      listening = now;
    },
    stop: async () => {
      unwatch();
      await standBy();
      await log.close();
      await keys.close();
    },
  };
}

/** What fails after something was opened that would keep its thread alive. */
function closingFirst({ close }: Pick<PersonKeysReader, 'close'>): (error: unknown) => Promise<never> {
  return async (error) => {
    await close();
    throw error;
  };
}

type FoldingParts = {
  readonly log: EventStore;
  readonly store: ReadStore;
  readonly lanes: Lanes;
  readonly keys: PersonKeysReader;
  readonly mayActivate: JoinedEngines['mayActivate'];
  readonly report: (report: RunnerReport) => void;
  readonly own: Own;
  readonly tracer: Tracer | undefined;
};

/** Runs the projections on the read models, which are closed with it. Refuses those of another log. */
async function fold(parts: FoldingParts): Promise<Folding> {
  const { log, store, lanes, keys, mayActivate, report, own, tracer } = parts;
  const runner = createProjectionRunner({
    log,
    store,
    lanes,
    models: walletModels,
    ...openingWith(keys),
    mayActivate,
    report,
    clock: own.clock,
    random: own.random,
    timers: own.timers,
    tracer,
  });
  try {
    await refuseDiverged(log, store, walletModels);
    if (hasFirstLane(lanes)) await retireOutdated(store, walletModels);
  } catch (error) {
    await store.close();
    throw error;
  }
  const unsubscribe = log.onAppended(() => runner.wake());
  runner.start();
  return {
    runner,
    stop: async () => {
      unsubscribe();
      await runner.stop();
      await store.close();
    },
  };
}

async function answerTo(
  { lead, standBy, runner, followUps }: Projection,
  question: Question,
): Promise<AnswerTo[Question['what']]> {
  switch (question.what) {
    case 'lead':
      await lead(question.lanes);
      return null;
    case 'standBy':
      await standBy();
      return null;
    case 'health':
      return runner()?.health() ?? { models: [] };
    case 'rebuild':
      await leading(runner()).rebuild(question.model);
      return null;
    case 'mend':
      await leading(runner()).mend(question.damage);
      return null;
    case 'overwrite':
      // Where another program writes them they are on a server, which overwrites in its own time.
      await runner()?.overwrite(question.position, question.stream);
      return null;
    case 'cancelRebuild':
      return leading(runner()).cancelRebuild(question.model);
    case 'parked':
      return leading(runner()).parked(question.model, question.asked);
    case 'discard':
      return leading(runner()).discardParked(question.model, question.eventId);
    case 'replay':
      return replay(leading(runner()), question.model, question.stream);
    case 'followUps':
      return followUps(question.reactor).read(question.after, question.limit);
    case 'followUp':
      return followUps(question.reactor).readAgain(question.place);
  }
}

function leading(runner: ProjectionRunner | undefined): ProjectionRunner {
  if (runner === undefined) throw plainFailure('unavailable', 'Another program runs the projections.');
  return runner;
}

/** The first that still fails of each stream stays, and what waits behind it. */
async function replay(
  runner: ProjectionRunner,
  model: string,
  stream: string | undefined,
): Promise<Replayed> {
  const streams = stream === undefined ? await runner.parkedStreams(model) : [stream];
  const sum = { replayed: 0, left: 0 };
  for (const one of streams) {
    const { replayed, left } = await runner.replayParked(model, one);
    sum.replayed += replayed;
    sum.left += left;
  }
  return sum;
}

async function reply(
  projection: Projection,
  { questionId, question }: Extract<ToProjector, { kind: 'ask' }>,
  say: Say,
): Promise<void> {
  try {
    say({ kind: 'answer', questionId, answer: await answerTo(projection, question) });
  } catch (error) {
    say({ kind: 'refusal', questionId, ...serializeError(error) });
  }
}

/**
 * Runs the projector for the program at the other end of `port`, which it closes when it is told to stop or can't begin.
 * It tells the spans of a share of all traces, unless that is left out.
 */
export async function serveProjector(
  port: ProgramPort,
  engines: JoinedEngines,
  own: Own = { ...thisMachine, timers: systemTimers },
  sampling?: Sampling,
): Promise<void> {
  const say: Say = (message) => port.postMessage(message);
  const tracer =
    sampling === undefined
      ? undefined
      : createTracer({ ...own, sampling, take: (span) => say({ kind: 'span', span }) });
  try {
    const projection = await openProjection(engines, say, own, tracer);
    port.on('message', (message: ToProjector) =>
      handleMessage(projection, message, { say, end: () => port.close() }),
    );
    say({ kind: 'ready' });
  } catch (error) {
    say({ kind: 'refused', ...serializeError(error) });
    port.close();
  }
}

function handleMessage(
  projection: Projection,
  message: ToProjector,
  { say, end }: { readonly say: Say; readonly end: () => void },
): void {
  switch (message.kind) {
    case 'listening':
      projection.listen(message.listening);
      return;
    case 'ask':
      void reply(projection, message, say);
      return;
    case 'stop':
      void projection.stop().then(end);
  }
}
