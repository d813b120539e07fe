import type { FundRequestView } from '#contracts';
import {
  hasCode,
  isOutcomeUnknown,
  isSessionOver,
  UNKNOWN_OUTCOME,
  useConfirmFundingMutation,
  useRejectFundingMutation,
} from '../../api';
import { useKey } from '../../lib';
import { notifyError, notifySuccess } from '../../ui';

export type Verdict = 'confirm' | 'reject';

const done: Readonly<Record<Verdict, string>> = {
  confirm: 'Transaction approved successfully!',
  reject: 'Transaction rejected successfully!',
};
const failed: Readonly<Record<Verdict, string>> = {
  confirm: 'Failed to approve the transaction.',
  reject: 'Failed to reject the transaction.',
};

/**
 * Sends one decision about a request. Pressing again after a failure repeats the same command, so that one whose answer
 * got lost is not carried out twice. Gives true when the request is closed now, by whomever.
 */
export function useDecision(request: FundRequestView) {
  const [confirm, confirming] = useConfirmFundingMutation();
  const [reject, rejecting] = useRejectFundingMutation();
  const key = useKey();

  const send = async (verdict: Verdict, reason: string): Promise<boolean> => {
    const decide = verdict === 'confirm' ? confirm : reject;
    const { error } = await decide({
      userId: request.userId,
      requestId: request.id,
      idempotencyKey: key.of([request.id, verdict, reason]),
      ...(reason === '' ? {} : { reason }),
    });
    if (error === undefined) {
      notifySuccess(done[verdict]);
      return true;
    }
    if (isSessionOver(error)) return false;
    if (hasCode(error, 'request_already_confirmed')) notifyError('Transaction already confirmed');
    else if (hasCode(error, 'request_closed')) notifyError('Transaction Closed');
    else {
      notifyError(isOutcomeUnknown(error) ? UNKNOWN_OUTCOME : failed[verdict]);
      return false;
    }
    return true;
  };
  return { send, isLoading: confirming.isLoading || rejecting.isLoading };
}
