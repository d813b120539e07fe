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

/** Where Nest keeps the ledger. */
export const LEDGER = Symbol('ledger');

/** The write side over an event store: one executor an aggregate. */
export function createLedger(parts: { readonly eventStore: EventStore; readonly clock: Clock }) {
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

export type Ledger = ReturnType<typeof createLedger>;

/** The aggregates that commands can be sent to. */
export type Aggregate = keyof Ledger;
/** What an aggregate can be told. */
export type CommandOf<Name extends Aggregate> = Parameters<Ledger[Name]['execute']>[1];
/** What an aggregate answers. */
export type ExecutionOf<Name extends Aggregate> = Awaited<ReturnType<Ledger[Name]['execute']>>;
