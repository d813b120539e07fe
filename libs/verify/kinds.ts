import type { DomainEvent, EventCodecs, StoredFact } from '#kernel';
import { aggregates, type Balances } from '#ledger';

/** A kind of stream: how its name begins, and the aggregate whose events it holds. */
export type StreamKind = {
  readonly prefix: string;
  readonly initial: unknown;
  /** The state after a stored event. */
  readonly evolve: (state: unknown, stored: StoredFact) => unknown;
  /** The newest version of each event type that this program knows. */
  readonly versions: Readonly<Record<string, number | undefined>>;
  /** What the state says that the person of the stream has; undefined where there is no money. */
  readonly balances: (state: unknown) => Balances | undefined;
};

/** An aggregate of any events and states. */
type AnyAggregate = {
  readonly prefix: string;
  readonly decider: {
    readonly initial: unknown;
    readonly evolve: (state: never, event: never) => unknown;
    readonly codecs: Pick<EventCodecs<DomainEvent>, 'decode' | 'versions'>;
  };
  readonly balances?: (state: never) => Balances | undefined;
};

/** The kind of an aggregate's streams. An aggregate gets its own states and events back, so that their types may be forgotten here. */
export function kindOf({ prefix, decider, balances = () => undefined }: AnyAggregate): StreamKind {
  const { initial, codecs } = decider;
  const evolve = decider.evolve as (state: unknown, event: DomainEvent) => unknown;
  return {
    prefix,
    initial,
    evolve: (state, stored) => evolve(state, codecs.decode(stored)),
    versions: codecs.versions,
    balances: balances as StreamKind['balances'],
  };
}

/** Every kind of stream that the log may hold. */
export const ledgerKinds: readonly StreamKind[] = Object.values(aggregates).map(kindOf);
