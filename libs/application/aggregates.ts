import { createExecutor, createStateCache } from '#commands';
import type { EventStore } from '#event-store';
import type { Clock } from '#kernel';
import {
  accessDecider,
  accountDecider,
  invitationDecider,
  messageDecider,
  productDecider,
  settingsDecider,
} from '#ledger';

/**
 * The write side over an event store: one executor an aggregate, all of which keep their states in one cache of
 * `cacheBytes`.
 */
export function createAggregates(parts: {
  readonly eventStore: EventStore;
  readonly clock: Clock;
  readonly cacheBytes?: number | undefined;
}) {
  const { eventStore: store, clock } = parts;
  const cache = createStateCache({ bytes: parts.cacheBytes });
  return {
    accounts: createExecutor({ store, clock, cache, decider: accountDecider }),
    invitations: createExecutor({ store, clock, cache, decider: invitationDecider }),
    products: createExecutor({ store, clock, cache, decider: productDecider }),
    messages: createExecutor({ store, clock, cache, decider: messageDecider }),
    settings: createExecutor({ store, clock, cache, decider: settingsDecider }),
    access: createExecutor({ store, clock, cache, decider: accessDecider }),
  } as const;
}

export type Aggregates = ReturnType<typeof createAggregates>;
