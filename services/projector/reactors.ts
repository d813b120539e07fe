import type { CommandContext, Executor } from '#commands';
import type { EventStore } from '#event-store';
import { systemTimers, unreachable, type Clock } from '#kernel';
import {
  accountStream,
  type Account,
  type AccountCommand,
  type AccountEvent,
  type BonusPolicy,
} from '#ledger';
import {
  access,
  createReactorRunner,
  erasure,
  transfers,
  type AccessFollowUp,
  type Checkpoints,
  type ErasureFollowUp,
  type Reactor,
  type ReactorHealth,
  type ReactorReport,
} from '#reactors';
import type { Reactions } from './reactions.js';

export type ReactorsOptions = {
  readonly eventStore: Pick<EventStore, 'head'>;
  /** Where the log is read and what follows from it is decided. */
  readonly reactions: Reactions;
  readonly accounts: Pick<Executor<AccountCommand, AccountEvent, Account>, 'execute'>;
  readonly bonusPolicy: () => Promise<BonusPolicy>;
  /** Brings a person's sessions and credentials in line with the log, because of an event; may be repeated. */
  readonly reconcileAccess: (userId: string, because: CommandContext) => Promise<void>;
  /** Deletes the files of a person who is forgotten; may be repeated. */
  readonly deleteFilesOf: (userId: string, because: CommandContext) => Promise<void>;
  /** Destroys the key of a message that is forgotten; may be repeated. */
  readonly destroyKey: (messageId: string, because: CommandContext) => Promise<void>;
  /** Where they remember how far they are; what is in it can be lost. */
  readonly checkpoints: Checkpoints;
  readonly onReport: (report: ReactorReport) => void;
  readonly clock: Clock;
};

/** The reactors as the rest of the program sees them. */
export type Reactors = {
  readonly health: () => readonly ReactorHealth[];
  /** Tries everything that is parked again at once. */
  readonly retryParked: () => void;
  /** Resolves true once all of them have come to the end of the log for the first time, false after `timeoutMs`. */
  readonly caughtUp: (timeoutMs: number) => Promise<boolean>;
  readonly stop: () => Promise<void>;
};

/** Starts all reactors on the log. */
export function startReactors(options: ReactorsOptions): Reactors {
  const { eventStore: log, reactions, accounts, checkpoints, onReport: report, clock } = options;
  const common = { log, checkpoints, report, clock };
  const on = <Command>(reactor: Reactor<Command>) => ({
    ...common,
    name: reactor.name,
    followUps: reactions.followUps(reactor),
  });

  async function followUp(command: AccessFollowUp, context: CommandContext): Promise<void> {
    const { type, userId } = command;
    switch (type) {
      case 'StartBonusCycle': {
        const policy = await options.bonusPolicy();
        await accounts.execute(accountStream(userId), { type, policy }, context);
        return;
      }
      case 'ReconcileAccess':
        await options.reconcileAccess(userId, context);
        return;
      default:
        unreachable(type);
    }
  }

  async function finishErasure(command: ErasureFollowUp, context: CommandContext): Promise<void> {
    if (command.type === 'DeleteFiles') await options.deleteFilesOf(command.userId, context);
    else await options.destroyKey(command.messageId, context);
  }

  const runners = [
    createReactorRunner({
      ...on(transfers),
      execute: ({ stream, command }, context) => accounts.execute(stream, command, context),
    }),
    createReactorRunner({
      ...on(access),
      execute: ({ command }, context) => followUp(command, context),
    }),
    createReactorRunner({
      ...on(erasure),
      execute: ({ command }, context) => finishErasure(command, context),
    }),
  ];
  for (const runner of runners) runner.start();
  const silence = reactions.onDue([transfers, access, erasure], (names) => {
    for (const runner of runners) if (names.includes(runner.name)) runner.wake();
  });

  return {
    health: () => runners.map((runner) => runner.health()),
    retryParked: () => {
      for (const runner of runners) runner.retryParked();
    },
    caughtUp: (timeoutMs) => {
      const late = Promise.withResolvers<boolean>();
      const cancel = systemTimers.after(timeoutMs, () => late.resolve(false));
      const all = Promise.all(runners.map((runner) => runner.caughtUp)).then(() => true);
      return Promise.race([all, late.promise]).finally(cancel);
    },
    stop: async () => {
      silence();
      await Promise.all(runners.map((runner) => runner.stop()));
    },
  };
}
