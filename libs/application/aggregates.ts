import { createExecutor } from '#commands';
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

/** The write side over an event store: one executor an aggregate. */
export function createAggregates(parts: { readonly eventStore: EventStore; readonly clock: Clock }) {
  const { eventStore: store, clock } = parts;
  return {
    accounts: createExecutor({ store, clock, decider: accountDecider }),
    invitations: createExecutor({ store, clock, decider: invitationDecider }),
    products: createExecutor({ store, clock, decider: productDecider }),
    messages: createExecutor({ store, clock, decider: messageDecider }),
    settings: createExecutor({ store, clock, decider: settingsDecider }),
    access: createExecutor({ store, clock, decider: accessDecider }),
  } as const;
}

export type Aggregates = ReturnType<typeof createAggregates>;
