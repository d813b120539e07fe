import {
  CarryTransferOn,
  DeleteFilesOf,
  DestroyMessageKey,
  ErasePerson,
  FinishEmailChange,
  MakeApprovedChange,
  NotifyOwners,
  NotifyPerson,
  ReconcileAccess,
  StartBonusCycle,
  type Bus,
} from '#application';
import type { CommandContext } from '#commands';
import type { EventStore } from '#event-store';
import {
  systemTimers,
  thisMachine,
  unreachable,
  type Clock,
  type Hold,
  type Machine,
  type Timers,
  type Tracer,
} from '#kernel';
import {
  createReactorRunner,
  type AccessFollowUp,
  type Checkpoints,
  type ErasureFollowUp,
  type MailFollowUp,
  type OwnersFollowUp,
  type ReactorHealth,
  type ReactorName,
  type ReactorReport,
} from '#reactors';
import type { Reactions } from '../projector/index.js';

export type ReactorsOptions = {
  readonly eventStore: Pick<EventStore, 'head'>;
  /** Where the log is read and what follows from it is decided. */
  readonly reactions: Reactions;
  /** The way to the application; each of their commands may be sent again. */
  readonly bus: Pick<Bus, 'execute'>;
  /** Where they remember how far they are; what is in it can be lost. */
  readonly checkpoints: Checkpoints;
  /** Whether people are told by mail of what was done. */
  readonly sendsMail: boolean;
  readonly onReport: (report: ReactorReport) => void;
  readonly clock: Clock;
  /** Why they wait just now, because the clock is not accepted. */
  readonly hold: Hold;
  readonly timers?: Timers;
  readonly machine?: Machine | undefined;
  readonly tracer?: Tracer | undefined;
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
  const { eventStore: log, reactions, bus, checkpoints, onReport: report, clock, hold } = options;
  const { timers = systemTimers, machine = thisMachine, tracer } = options;
  const common = { log, checkpoints, report, clock, hold, timers, random: machine.random, tracer };
  const on = <Name extends ReactorName>(name: Name) => ({
    ...common,
    name,
    followUps: reactions.followUps(name),
  });

  const runners = [
    createReactorRunner({
      ...on('transfers'),
      execute: ({ stream, command }, because) => bus.execute(new CarryTransferOn(because, stream, command)),
    }),
    createReactorRunner({
      ...on('access'),
      execute: ({ command }, because) => followAccess(bus, command, because),
    }),
    createReactorRunner({
      ...on('changes'),
      execute: ({ command }, because) => bus.execute(new MakeApprovedChange(because, command)),
    }),
    createReactorRunner({
      ...on('erasure'),
      execute: ({ command }, because) => finishErasure(bus, command, because),
    }),
    ...(options.sendsMail
      ? [
          createReactorRunner({
            ...on('mail'),
            execute: ({ command }, because) => notify(bus, command, because),
          }),
        ]
      : []),
  ];
  for (const runner of runners) runner.start();
  const unsubscribe = reactions.onDue((names) => {
    for (const runner of runners) if (names.includes(runner.name)) runner.wake();
  });

  return {
    health: () => runners.map((runner) => runner.health()),
    retryParked: () => {
      for (const runner of runners) runner.retryParked();
    },
    caughtUp: (timeoutMs) => {
      const late = Promise.withResolvers<boolean>();
      const cancel = timers.after(timeoutMs, () => late.resolve(false));
      const all = Promise.all(runners.map((runner) => runner.caughtUp)).then(() => true);
      return Promise.race([all, late.promise]).finally(cancel);
    },
    stop: async () => {
      unsubscribe();
      await Promise.all(runners.map((runner) => runner.stop()));
    },
  };
}

/** What follows from how somebody came in or is kept out. */
async function followAccess(
  bus: Pick<Bus, 'execute'>,
  follow: AccessFollowUp,
  because: CommandContext,
): Promise<void> {
  const { userId } = follow;
  switch (follow.type) {
    case 'StartBonusCycle':
      await bus.execute(new StartBonusCycle(because, userId));
      return;
    case 'ReconcileAccess':
      await bus.execute(new ReconcileAccess(because, userId));
      return;
    case 'FinishEmailChange':
      await bus.execute(new FinishEmailChange(because, follow));
      return;
    default:
      unreachable(follow);
  }
}

/** Writes to whoever is to hear of something. */
async function notify(
  bus: Pick<Bus, 'execute'>,
  command: MailFollowUp | OwnersFollowUp,
  because: CommandContext,
): Promise<void> {
  if (command.type === 'NotifyOwners') await bus.execute(new NotifyOwners(because, command));
  else await bus.execute(new NotifyPerson(because, command));
}

/** What of an erasure a program that died had left. */
async function finishErasure(
  bus: Pick<Bus, 'execute'>,
  command: ErasureFollowUp,
  because: CommandContext,
): Promise<void> {
  switch (command.type) {
    case 'ErasePerson':
      await bus.execute(new ErasePerson(because, command.userId));
      return;
    case 'DeleteFiles':
      await bus.execute(new DeleteFilesOf(because, command.userId));
      return;
    case 'DestroyKey':
      await bus.execute(new DestroyMessageKey(because, command.messageId));
      return;
    default:
      unreachable(command);
  }
}
