import type { Aggregates } from '#application';

/** Where Nest keeps the ledger. */
export const LEDGER = Symbol('ledger');

export type Ledger = Aggregates;
