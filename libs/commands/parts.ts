import type { Decider, DomainEvent, Hold, Random, Timers, Tracer } from '#kernel';
import type { EventStore } from '#event-store';
import type { Pending } from './command.js';
import type { OpenOutcomes } from './outcomes.js';
import type { States } from './states.js';
import type { StreamQueues } from './stream-queue.js';

/** What carries out the commands of one aggregate. */
export type ExecutorParts<C, E extends DomainEvent, S> = {
  readonly store: EventStore;
  readonly decider: Decider<C, E, S>;
  readonly states: States<S>;
  readonly queues: StreamQueues<Pending<C, E>>;
  readonly outcomes: OpenOutcomes;
  /** The instant at which a batch is decided, ISO 8601. */
  readonly now: () => string;
  /** Why no event may be given that instant: commands that would write are refused with it. */
  readonly hold: Hold;
  readonly timers: Timers;
  readonly random: Random;
  readonly tracer: Tracer | undefined;
};
