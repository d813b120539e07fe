import { useState } from 'react';
import { detailOf, hasCode, isOutcomeUnknown, isSessionOver, UNKNOWN_OUTCOME, type Failure } from '../../api';
import { useKey } from '../../lib';
import { notifyAnswer, notifyError, notifyWarning } from '../../ui';
import type { ActInput } from '../acts';
import { failed, type Verdict } from '../decision';

type Outcome = {
  readonly error?: Failure | undefined;
  readonly data?:
    { readonly message: string; readonly approvals?: unknown; readonly status?: string } | undefined;
};

/**
 * Sends one decision about what waits for other admins; pressing again after a failure repeats the same command. `send` gives true
 * when there is nothing left to do here; `refusal` says why there is.
 */
export function useVerdict(
  id: string,
  commands: Readonly<Record<Verdict, (input: ActInput) => Promise<Outcome>>>,
) {
  const key = useKey();
  const [refusal, setRefusal] = useState<string>();
  const [sent, setSent] = useState<Verdict>();
  const send = async (verdict: Verdict, reason: string): Promise<boolean> => {
    setRefusal(undefined);
    setSent(verdict);
    const idempotencyKey = key.of([id, verdict, reason]);
    const { data, error } = await commands[verdict]({ idempotencyKey, ...(reason !== '' && { reason }) });
    setSent(undefined);
    if (data !== undefined) {
      // Approved, and not made.
      if (data.status === 'refused') notifyWarning(data.message);
      else notifyAnswer(data);
      return true;
    }
    if (isSessionOver(error)) return false;
    if (hasCode(error, 'request_closed')) {
      notifyError('Transaction Closed');
      return true;
    }
    notifyError(isOutcomeUnknown(error) ? UNKNOWN_OUTCOME : failed[verdict]);
    setRefusal(detailOf(error));
    return false;
  };
  return { send, sent, refusal };
}
