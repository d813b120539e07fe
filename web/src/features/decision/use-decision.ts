import { useState } from 'react';
import { detailOf, hasCode, isOutcomeUnknown, isSessionOver, UNKNOWN_OUTCOME } from '../../api';
import { useKey } from '../../lib';
import { notifyError, notifyInfo, notifySuccess } from '../../ui';
import type { AnyRequest } from '../requests';
import {
  useConfirmFundingMutation,
  useConfirmTransferMutation,
  useConfirmWithdrawalMutation,
  useRejectFundingMutation,
  useRejectTransferMutation,
  useRejectWithdrawalMutation,
} from './api';
import { done, failed, kindOf, type Verdict } from './words';

/** The commands of every kind; a form sends those of one. */
function useCommands() {
  return {
    Funding: { confirm: useConfirmFundingMutation(), reject: useRejectFundingMutation() },
    withdrawal: { confirm: useConfirmWithdrawalMutation(), reject: useRejectWithdrawalMutation() },
    transfer: { confirm: useConfirmTransferMutation(), reject: useRejectTransferMutation() },
  } as const;
}

/** What is said with a decision; what is left empty is not said. */
export type Said = { readonly reason?: string; readonly payoutReference?: string };

/**
 * Sends one decision about a request. Pressing again after a failure repeats the same command, so that one whose answer
 * got lost is not carried out twice. Gives true when there is nothing left to do here: the request is closed, by whomever, or waits for
 * other admins; `refusal` is why it is not.
 */
export function useDecision(request: AnyRequest) {
  const commands = useCommands()[kindOf(request)];
  const key = useKey();
  const [refusal, setRefusal] = useState<string>();

  const send = async (verdict: Verdict, said: Said): Promise<boolean> => {
    setRefusal(undefined);
    const [decide] = commands[verdict];
    const { data, error } = await decide({
      userId: request.userId,
      requestId: request.id,
      idempotencyKey: key.of([request.id, verdict, said]),
      ...said,
    });
    if (error === undefined) {
      if (data !== undefined && 'approvals' in data && data.approvals !== undefined) notifyInfo(data.message);
      else notifySuccess(done[verdict]);
      return true;
    }
    if (isSessionOver(error)) return false;
    if (hasCode(error, 'request_already_confirmed')) notifyError('Transaction already confirmed');
    else if (hasCode(error, 'request_closed')) notifyError('Transaction Closed');
    else {
      notifyError(isOutcomeUnknown(error) ? UNKNOWN_OUTCOME : failed[verdict]);
      setRefusal(detailOf(error));
      return false;
    }
    return true;
  };
  return { send, refusal, isLoading: commands.confirm[1].isLoading || commands.reject[1].isLoading };
}
