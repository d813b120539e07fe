import { createExecutor, createOpenOutcomes, createStateCache, type OpenOutcomes } from '#commands';
import type { EventStore } from '#event-store';
import {
  systemRandom,
  systemTimers,
  type Clock,
  type DomainEvent,
  type Hold,
  type Random,
  type Timers,
  type Tracer,
} from '#kernel';
import { localBuckets, type BucketsOf } from '#identity';
import { aggregates, type Aggregate, type AggregateName } from '#ledger';
import { createHourlyBudget, withOpenMax, type Budget } from './budget.js';

/**
 * The write side over an event store: one executor an aggregate, all of which keep their states in one cache of
 * `cacheBytes`, and remember in one place the commands whose outcome is not known.
 */
export function createAggregates(parts: {
  readonly eventStore: EventStore;
  readonly clock: Clock;
  /** Why nothing may be written just now; left out where the clock is right whatever it says. */
  readonly hold?: Hold | undefined;
  readonly cacheBytes?: number | undefined;
  readonly outcomes?: OpenOutcomes;
  /** What one customer may ask for; left out where no customer asks. */
  readonly budget?: Budget;
  /** Where is counted what customers change; in this program alone where it is left out. */
  readonly bucketsOf?: BucketsOf;
  readonly timers?: Timers;
  readonly random?: Random;
  readonly tracer?: Tracer | undefined;
}) {
  const { eventStore: store, clock, hold, outcomes = createOpenOutcomes(), budget, tracer } = parts;
  const { timers = systemTimers, random = systemRandom, bucketsOf = localBuckets(clock) } = parts;
  const cache = createStateCache({ bytes: parts.cacheBytes });
  const executorOf = <Command, Event extends DomainEvent, State>({
    decider,
  }: Aggregate<Command, Event, State>) =>
    createExecutor({ store, clock, hold, cache, outcomes, decider, timers, random, tracer });
  const { accounts, messages } = aggregates;
  const counting = budget === undefined ? undefined : createHourlyBudget(bucketsOf, budget.commandsPerHour);
  const customersOf = <Command extends { readonly type: string }, Event extends DomainEvent, State>(
    aggregate: Aggregate<Command, Event, State>,
  ) => {
    const executor = executorOf(aggregate);
    return counting === undefined ? executor : counting(executor);
  };
  const { decider } = accounts;
  return {
    access: executorOf(aggregates.access),
    accounts: customersOf({
      ...accounts,
      decider: budget === undefined ? decider : withOpenMax(decider, budget.openRequests),
    }),
    admins: executorOf(aggregates.admins),
    allowances: executorOf(aggregates.allowances),
    changes: executorOf(aggregates.changes),
    invitations: executorOf(aggregates.invitations),
    messages: customersOf(messages),
    operations: executorOf(aggregates.operations),
    notes: executorOf(aggregates.notes),
    platform: executorOf(aggregates.platform),
    products: executorOf(aggregates.products),
    security: executorOf(aggregates.security),
    settings: executorOf(aggregates.settings),
  } as const satisfies Readonly<Record<AggregateName, unknown>>;
}

export type Aggregates = ReturnType<typeof createAggregates>;
