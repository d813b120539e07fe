import { LodeError } from '#kernel';
import type { AccountEvent } from './events.js';
import type { AccountRequest, Approval, OpenAccount, Proposal } from './state.js';

/** What the decision of an admin goes by where it may take more than one. */
export type ApprovalRule = {
  /** The admin who decides. */
  readonly by: string;
  /** How many approvals it takes, by the limits in force and by what this admin moved lately. */
  readonly needed: number;
  /** Everybody who may decide now: an approval of anybody else does not count. */
  readonly deciders: ReadonlySet<string>;
  /** For how long an approval counts, in milliseconds. */
  readonly expireMs: number;
};

/** The admin who decides; left out where the program does. */
export type Decider = string;

/**
 * Refuses with `own_request` whoever decides about money of their own, or approves an adjustment that they asked for
 * themselves: who makes and who checks are two people. Whoever asked for one may still take it back.
 */
export function refuseOwn(
  {
    type,
    requestId,
    approval,
    by = approval?.by,
  }: {
    readonly type: string;
    readonly requestId?: string;
    readonly by?: Decider;
    readonly approval?: Pick<ApprovalRule, 'by'>;
  },
  { userId, proposals }: OpenAccount,
): void {
  if (by === undefined) return;
  const isMaker =
    type === 'ApproveAdjustment' &&
    requestId !== undefined &&
    proposals.get(requestId)?.approvals[0]?.by === by;
  if (by === userId || isMaker)
    throw new LodeError('own_request', 'This is your own. Another admin has to decide it.');
}

/** One more approval: the n-th of so many. */
export type Given = Approval & { readonly given: number };

/**
 * The approval that a decision is, beside those there are. Those that ran out, and those of people who may not decide any
 * more, do not count. Refuses with `already_approved` an admin whose approval counts already, and with `not_permitted` one
 * who may not decide.
 */
export function approvalBy(
  { by, needed, deciders, expireMs }: ApprovalRule,
  approvals: readonly Approval[],
  now: string,
): Given {
  if (!deciders.has(by)) throw new LodeError('not_permitted', 'You may not decide this any more.');
  const counting = approvals.filter((one) => one.until > now && deciders.has(one.by));
  if (counting.some((one) => one.by === by))
    throw new LodeError('already_approved', 'You have approved this already. Another admin has to.');
  return {
    by,
    until: new Date(Date.parse(now) + expireMs).toISOString(),
    needed: Math.max(needed, ...counting.map((one) => one.needed)),
    given: counting.length + 1,
  };
}

/** The adjustment that waits. Refuses with `request_not_found`, `request_closed`, and `approval_expired`. */
export function openProposal({ proposals }: OpenAccount, requestId: string, now?: string): Proposal {
  const proposal = proposals.get(requestId);
  if (proposal === undefined) throw new LodeError('request_not_found', 'There is no such adjustment.');
  if (proposal.status !== 'Pending') throw new LodeError('request_closed', 'Transaction Closed');
  if (now !== undefined && proposal.until <= now)
    throw new LodeError('approval_expired', 'This adjustment has waited too long. Please ask for it again.');
  return proposal;
}

/** What confirms a request, once enough admins approved it; until then the approval alone. */
export function approved(
  command: { readonly requestId: string; readonly approval?: ApprovalRule },
  { approvals = [], kind, amount, currency }: AccountRequest,
  confirmed: AccountEvent,
  now: string,
): readonly AccountEvent[] {
  const { requestId, approval } = command;
  if (approval === undefined) return [confirmed];
  const given = approvalBy(approval, approvals, now);
  if (given.needed <= 1) return [confirmed];
  const event: AccountEvent = {
    type: 'RequestApproved',
    data: { requestId, kind, amount, currency, ...given },
  };
  return given.given < given.needed ? [event] : [event, confirmed];
}
