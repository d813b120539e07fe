import { formatMoney, type AccountEvent, type PaymentCurrency } from '#ledger';
import type { Document } from '#read-store';
import { userIdOf } from '../personal-data.js';
import { ignore, readModel, type Change, type OpenedEvent } from '../read-model.js';
import type { EventsOf } from './streams.js';

type Given = { readonly at: string; readonly by: string; readonly reason?: string; readonly until: string };

/** What somebody approved that takes others, while it waits. It names people by id only. */
export type ApprovalDocument = Document & {
  readonly kind: 'funding' | 'withdrawal' | 'transfer' | 'adjustment';
  readonly userId: string;
  /** US dollars a currency; negative debits. */
  readonly amounts: readonly { readonly amount: string; readonly currency: PaymentCurrency }[];
  readonly needed: number;
  /** The first one first. */
  readonly approvals: readonly Given[];
  readonly since: string;
  /** When the last one of a request runs out; when an adjustment does. */
  readonly until: string;
};

type On<Type extends AccountEvent['type']> = OpenedEvent<Extract<AccountEvent, { readonly type: Type }>>;

function givenIn({
  at,
  data: { by, until },
  meta,
}: On<'RequestApproved' | 'AdjustmentProposed' | 'AdjustmentApproved'>): Given {
  return { at, by, ...(meta.reason === undefined ? {} : { reason: meta.reason }), until };
}

/** One more approval; the last one leaves nothing that waits. */
function approved(event: On<'RequestApproved' | 'AdjustmentApproved'>): readonly Change<ApprovalDocument>[] {
  const { data, position } = event;
  const { given, needed, requestId: id } = data;
  const change = (before: ApprovalDocument | undefined): ApprovalDocument | undefined => {
    if (given >= needed) return undefined;
    const one = givenIn(event);
    const approvals = [...(before?.approvals ?? []).filter(({ by }) => by !== one.by), one];
    if (before !== undefined) {
      const until = before.kind === 'adjustment' || before.until > one.until ? before.until : one.until;
      return { ...before, approvals, needed, position, until };
    }
    if (!('kind' in data)) return undefined;
    const { amount, currency, kind } = data;
    const amounts = [{ amount: formatMoney(amount, 'USD'), currency }];
    const { at: since, until } = one;
    return { amounts, approvals, id, kind, needed, position, since, until, userId: userIdOf(event) };
  };
  return [{ id, change }];
}

/** What is decided waits no more. */
function decided({
  data: { requestId: id },
}: {
  readonly data: { readonly requestId: string };
}): readonly Change<ApprovalDocument>[] {
  return [{ id, change: () => undefined }];
}

/** One document a request or adjustment that somebody approved and that waits for others. */
export const approvals = readModel<EventsOf<'account'>, ApprovalDocument>({
  name: 'approvals',
  version: 1,
  indexes: [
    { name: 'all', equals: [], order: ['until'] },
    { name: 'user', equals: ['userId'], order: ['until'] },
  ],
  on: {
    AccountOpened: ignore,
    ProfileChanged: ignore,
    ProfileImageChanged: ignore,
    TermsAccepted: ignore,
    WalletAddressCanceled: ignore,
    MoneyOutDelayed: ignore,
    EmailVerificationAsked: ignore,
    EmailVerified: ignore,
    WalletAddressSaved: ignore,
    AccountSuspended: ignore,
    AccountActivated: ignore,
    PersonForgotten: ignore,
    FundingRequested: ignore,
    FundingConfirmed: decided,
    FundingRejected: decided,
    RequestApproved: approved,
    AdjustmentProposed: (event) => {
      const { data, position } = event;
      const { entries, needed, requestId: id, until } = data;
      const amounts = entries.map(({ amount, currency }) => ({
        amount: formatMoney(amount, 'USD'),
        currency,
      }));
      const [given, kind, since] = [[givenIn(event)], 'adjustment' as const, event.at];
      const document = { amounts, approvals: given, id, kind, needed, position, since, until };
      return [{ id, change: () => ({ ...document, userId: userIdOf(event) }) }];
    },
    AdjustmentApproved: approved,
    AdjustmentRejected: decided,
    WalletCredited: ignore,
    WalletDebited: ignore,
    BalanceWrittenOff: ignore,
    WithdrawalRequested: ignore,
    WithdrawalConfirmed: decided,
    WithdrawalRejected: decided,
    TransferRequested: ignore,
    TransferConfirmed: decided,
    TransferRejected: decided,
    TransferSettled: ignore,
    TransferReturned: ignore,
    TransferReceived: ignore,
    TransferRefused: ignore,
    BonusCycleStarted: ignore,
    BonusCycleRestarted: ignore,
    BonusAccrued: ignore,
    BonusStopped: ignore,
  },
  ownerOf: () => null,
});
