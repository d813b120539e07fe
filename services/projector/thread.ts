import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { joinEngines, type JoinedEngines } from '#engines';
import { invariant, serializeError } from '#kernel';
import {
  createProjectionRunner,
  openPersonalData,
  refuseStrayed,
  retireOutdated,
  walletModels,
  type ProjectionRunner,
  type Replayed,
  type RunnerReport,
} from '#projections';
import { access, erasure, followUpsOf, transfers, watchLog, type FollowUps, type Reactor } from '#reactors';
import type { AnswerTo, FromProjector, ProjectorData, Question, ToProjector } from './messages.js';

type Port = NonNullable<typeof parentPort>;
/** Those whose commands the program carries out. */
const reactors: readonly Reactor<unknown>[] = [transfers, access, erasure];

type Say = (message: FromProjector) => void;

/** The runner on the engines, with what closes them all. */
type Projection = {
  readonly runner: ProjectionRunner;
  /** What follows from the log, by reactor. */
  readonly followUps: ReadonlyMap<string, FollowUps<unknown>>;
  /** Whether anybody hears of changed documents. */
  readonly listen: (listening: boolean) => void;
  readonly stop: () => Promise<void>;
};

/** Opens the log, the read models and the person keys, and runs the projections on them. Refuses read models of another log. */
async function openProjection(engines: JoinedEngines, say: Say): Promise<Projection> {
  const keys = engines.openPersonKeys();
  const store = engines.openModels(({ reason, movedTo }) => say({ kind: 'discarded', reason, movedTo }));
  const log = engines.openEvents();
  const close = async () => {
    await store.close();
    await log.close();
    keys.close();
  };
  let listening = false;
  const report = (report: RunnerReport) => {
    const quiet = report.type === 'advanced' && !listening ? { ...report, changes: [] } : report;
    say({ kind: 'report', report: quiet });
  };
  const runner = createProjectionRunner({
    log,
    store,
    models: walletModels,
    open: openPersonalData((userId, sealed) => {
      keys.refresh();
      return keys.decrypt(userId, sealed);
    }),
    report,
  });
  try {
    await refuseStrayed(log, store, walletModels);
    await retireOutdated(store, walletModels);
  } catch (error) {
    await close();
    throw error;
  }
  log.onAppended(() => runner.wake());
  watchLog(log, reactors, (names) => say({ kind: 'due', reactors: names }));
  runner.start();
  return {
    runner,
    followUps: new Map(reactors.map((reactor) => [reactor.name, followUpsOf(reactor, log)])),
    listen: (now) => {
      listening = now;
    },
    stop: async () => {
      await runner.stop();
      await close();
    },
  };
}

async function answerTo(
  { runner, followUps }: Projection,
  question: Question,
): Promise<AnswerTo[Question['what']]> {
  switch (question.what) {
    case 'health':
      return runner.health();
    case 'rebuild':
      await runner.rebuild(question.model);
      return null;
    case 'replay':
      return replay(runner, question.model, question.stream);
    case 'followUps':
      return reactorIn(followUps, question.reactor).read(question.after, question.limit);
    case 'followUp':
      return reactorIn(followUps, question.reactor).readAgain(question.place);
  }
}

function reactorIn(followUps: Projection['followUps'], name: string): FollowUps<unknown> {
  const found = followUps.get(name);
  invariant(found !== undefined, `there is a reactor ${name}`);
  return found;
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
  { asked, question }: Extract<ToProjector, { kind: 'ask' }>,
  say: Say,
): Promise<void> {
  try {
    say({ kind: 'answer', asked, answer: await answerTo(projection, question) });
  } catch (error) {
    say({ kind: 'refusal', asked, ...serializeError(error) });
  }
}

/** The projector in a thread of its own, so that folding documents never delays a command. */
async function serve(port: Port, engines: JoinedEngines): Promise<void> {
  const say: Say = (message) => port.postMessage(message);
  const projection = await openProjection(engines, say);
  const { listen, stop } = projection;
  port.on('message', (message: ToProjector) => {
    switch (message.kind) {
      case 'listening':
        listen(message.listening);
        return;
      case 'ask':
        void reply(projection, message, say);
        return;
      case 'stop':
        void stop().then(() => {
          say({ kind: 'stopped' });
          port.close();
        });
    }
  });
  // The program lets queries in once this thread is ready.
  say({ kind: 'ready' });
}

if (parentPort !== null) {
  // Where cores are few, commands go first. On Linux this is the thread's own priority; elsewhere it would be the program's.
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const port = parentPort;
  const { engines } = workerData as ProjectorData;
  serve(port, joinEngines(engines)).catch((error: unknown) => {
    port.postMessage({ kind: 'refused', ...serializeError(error) } satisfies FromProjector);
    port.close();
  });
}
