import type { Duty } from '../admins/index.js';
import type { BonusPolicy } from '../bonus-policy.js';
import type { PaymentCurrency } from '../currencies.js';
import type { DepositChanges } from '../settings/index.js';

/** A limit as it is asked for: US dollars as a decimal text. */
type AskedTier = { readonly above: string; readonly approvals: number };

/** What one admin asks for and another one has to approve, with its values as the texts that they are asked for with. */
export type PlatformChange =
  | { readonly part: 'deposit-details'; readonly values: DepositChanges }
  | { readonly part: 'dollar-rate'; readonly values: { readonly rate: string } }
  | {
      readonly part: 'prices';
      readonly values: { readonly prices: Readonly<Partial<Record<PaymentCurrency, string>>> };
    }
  | { readonly part: 'bonus-policy'; readonly values: { readonly policy: BonusPolicy } }
  | {
      readonly part: 'approval-limits';
      readonly values: {
        readonly tiers?: Readonly<Partial<Record<PaymentCurrency, readonly AskedTier[]>>>;
        readonly expireHours?: number;
      };
    }
  | { readonly part: 'duty'; readonly values: { readonly userId: string; readonly duty: Duty } }
  | { readonly part: 'bonus'; readonly values: { readonly userId: string } };

/** The facts of one change that takes a second admin, `change-{id}`. The names are storage. */
export type ChangeEvent =
  | {
      readonly type: 'ChangeAsked';
      readonly data: PlatformChange & {
        readonly changeId: string;
        /** The admin who asks for it. */
        readonly by: string;
        /** It can be approved until then; an ISO instant. */
        readonly until: string;
      };
    }
  | { readonly type: 'ChangeApproved'; readonly data: { readonly changeId: string; readonly by: string } }
  | { readonly type: 'ChangeRejected'; readonly data: { readonly changeId: string; readonly by: string } }
  /** What was approved is made, or was so already: nothing follows from the approval any more. */
  | { readonly type: 'ChangeMade'; readonly data: { readonly changeId: string } }
  | {
      /** It was approved, and refused when it was to be made: something else had been changed in between. */
      readonly type: 'ChangeRefused';
      readonly data: { readonly changeId: string; readonly code: string };
    };
