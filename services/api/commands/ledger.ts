import type { Aggregates } from '#application';

/** Where Nest keeps the ledger. */
export const LEDGER = Symbol('ledger');

export type Ledger = Aggregates;

/** The aggregates that commands can be sent to. */
export type Aggregate = keyof Ledger;
/** What an aggregate can be told. */
export type CommandOf<Name extends Aggregate> = Parameters<Ledger[Name]['execute']>[1];
/** What an aggregate answers. */
export type ExecutionOf<Name extends Aggregate> = Awaited<ReturnType<Ledger[Name]['execute']>>;
