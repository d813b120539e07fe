import { createExecutor, createOpenOutcomes, createStateCache, type OpenOutcomes } from '#commands';
import type { EventStore } from '#event-store';
import type { Clock, DomainEvent, Hold } from '#kernel';
import { aggregates, type Aggregate, type AggregateName } from '#ledger';

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
}) {
  const { eventStore: store, clock, hold, outcomes = createOpenOutcomes() } = parts;
  const cache = createStateCache({ bytes: parts.cacheBytes });
  const executorOf = <Command, Event extends DomainEvent, State>({
    decider,
  }: Aggregate<Command, Event, State>) => createExecutor({ store, clock, hold, cache, outcomes, decider });
  return {
    access: executorOf(aggregates.access),
    accounts: executorOf(aggregates.accounts),
    invitations: executorOf(aggregates.invitations),
    messages: executorOf(aggregates.messages),
    platform: executorOf(aggregates.platform),
    products: executorOf(aggregates.products),
    settings: executorOf(aggregates.settings),
  } as const satisfies Readonly<Record<AggregateName, unknown>>;
}

export type Aggregates = ReturnType<typeof createAggregates>;
