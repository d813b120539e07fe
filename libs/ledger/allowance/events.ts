import type { PaymentCurrency } from '../currencies.js';
import type { Minor } from '../money.js';

/** What an admin takes part in moving. */
export type Use = {
  readonly currency: PaymentCurrency;
  /** US dollars in cents, whichever way they go. */
  readonly amount: Minor;
};

/** The facts of the stream `allowance-{userId}` of an admin. The names are storage. */
export type AllowanceEvent = {
  readonly type: 'AllowanceUsed';
  readonly data: Use & {
    /** How many approvals it moves with. */
    readonly approvals: number;
    /** An ISO instant. */
    readonly at: string;
  };
};
