import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { openLogReader } from '#event-store/sqlite';
import { openPersonKeys } from '#identity/sqlite';
import { toldError } from '#kernel';
import {
  createProjectionRunner,
  openPersonalData,
  refuseStrayed,
  retireOutdated,
  walletModels,
  type Log,
  type Replayed,
  type RunnerReport,
} from '#projections';
import { openSqliteReadStore } from '#read-store/sqlite';
import type { AnswerTo, FromProjector, ProjectorFiles, Question, ToProjector } from './messages.js';

/** The projector in a thread of its own, so that folding documents never delays a command. */
async function serve(port: NonNullable<typeof parentPort>, files: ProjectorFiles): Promise<void> {
  const say = (message: FromProjector) => port.postMessage(message);
  const reader = openLogReader(files.logFile);
  const log: Log = {
    readAll: async (after, limit) => reader.readAll(after, limit),
    head: async () => reader.head(),
  };
  const keys = openPersonKeys({ file: files.identityFile });
  const store = openSqliteReadStore({
    file: files.readModelsFile,
    onDiscarded: ({ reason, movedTo }) => say({ kind: 'discarded', reason, movedTo }),
  });
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

  port.on('message', (message: ToProjector) => {
    switch (message.kind) {
      case 'wake':
        runner.wake();
        return;
      case 'listening':
        listening = message.listening;
        return;
      case 'ask':
        void reply(message);
        return;
      case 'stop':
        void stop();
    }
  });

  async function reply({ asked, question }: Extract<ToProjector, { kind: 'ask' }>): Promise<void> {
    try {
      say({ kind: 'answer', asked, answer: await answerTo(question) });
    } catch (error) {
      say({ kind: 'refusal', asked, ...toldError(error) });
    }
  }

  async function answerTo(question: Question): Promise<AnswerTo[Question['what']]> {
    switch (question.what) {
      case 'health':
        return runner.health();
      case 'rebuild':
        await runner.rebuild(question.model);
        return null;
      case 'replay':
        return replay(question.model, question.stream);
    }
  }

  /** The first that still fails of each stream stays, and what waits behind it. */
  async function replay(model: string, stream: string | undefined): Promise<Replayed> {
    const streams = stream === undefined ? await runner.parkedStreams(model) : [stream];
    const sum = { replayed: 0, left: 0 };
    for (const one of streams) {
      const { replayed, left } = await runner.replayParked(model, one);
      sum.replayed += replayed;
      sum.left += left;
    }
    return sum;
  }

  async function stop(): Promise<void> {
    await runner.stop();
    await store.close();
    reader.close();
    keys.close();
    say({ kind: 'stopped' });
    port.close();
  }

  // The program lets queries in once this thread is ready.
  await refuseStrayed(log, store, walletModels);
  await retireOutdated(store, walletModels);
  runner.start();
  say({ kind: 'ready' });
}

if (parentPort !== null) {
  // Where cores are few, commands go first. On Linux this is the thread's own priority; elsewhere it would be the program's.
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const port = parentPort;
  serve(port, workerData as ProjectorFiles).catch((error: unknown) => {
    port.postMessage({ kind: 'refused', ...toldError(error) } satisfies FromProjector);
    port.close();
  });
}
