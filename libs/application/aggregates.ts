import { createExecutor, createOpenOutcomes, createStateCache, type OpenOutcomes } from '#commands';
import type { EventStore } from '#event-store';
import type { Clock, DomainEvent, Hold } from '#kernel';
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
}) {
  const { eventStore: store, clock, hold, outcomes = createOpenOutcomes(), budget } = parts;
  const cache = createStateCache({ bytes: parts.cacheBytes });
  const executorOf = <Command, Event extends DomainEvent, State>({
    decider,
  }: Aggregate<Command, Event, State>) => createExecutor({ store, clock, hold, cache, outcomes, decider });
  const { accounts, messages } = aggregates;
  const counting = budget === undefined ? undefined : createHourlyBudget(clock, budget.commandsPerHour);
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
    invitations: executorOf(aggregates.invitations),
    messages: customersOf(messages),
    platform: executorOf(aggregates.platform),
    products: executorOf(aggregates.products),
    security: executorOf(aggregates.security),
    settings: executorOf(aggregates.settings),
  } as const satisfies Readonly<Record<AggregateName, unknown>>;
}

export type Aggregates = ReturnType<typeof createAggregates>;
