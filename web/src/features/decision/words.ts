import type { OpenRequest } from '#contracts';
import type { AnyRequest } from '../requests';

/** What there is to decide about. */
export type DecisionKind = OpenRequest['kind'];
export type Verdict = 'confirm' | 'reject';

/** Of which kind a request is. */
export function kindOf(request: AnyRequest): DecisionKind {
  if ('evidence' in request) return 'Funding';
  return 'walletAddress' in request ? 'withdrawal' : 'transfer';
}

type Words = Readonly<Record<Verdict | 'title' | 'leave', string>>;

/** What the dialog about a request of each kind, and its buttons, are called. */
export const wordsOf: Readonly<Record<DecisionKind, Words>> = {
  Funding: { title: 'Transaction Action', leave: 'Cancel', reject: 'Reject', confirm: 'Confirm' },
  withdrawal: { title: 'Transaction Details', leave: 'Close', reject: 'Reject', confirm: 'Approve' },
  transfer: {
    title: 'Confirm or Reject Transaction',
    leave: 'Cancel',
    reject: 'Reject',
    confirm: 'Confirm',
  },
};

/** What is said when it is done, or was refused. */
export const done: Readonly<Record<Verdict, string>> = {
  confirm: 'Transaction approved successfully!',
  reject: 'Transaction rejected successfully!',
};
export const failed: Readonly<Record<Verdict, string>> = {
  confirm: 'Failed to approve the transaction.',
  reject: 'Failed to reject the transaction.',
};
