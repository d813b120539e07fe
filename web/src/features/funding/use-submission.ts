import { useRef } from 'react';
import type { PaymentCurrency } from '#contracts';
import {
  refusalOf,
  useRequestFundingMutation,
  useShownDepositAddresses,
  useUploadEvidenceMutation,
  type FailureOf,
  type Refusal,
  type routes,
} from '../../api';
import type { FormKey } from '../../lib';

export type Submission = {
  readonly amount: string;
  readonly currency: PaymentCurrency;
  readonly file: File;
};

export type Outcome = { readonly kind: 'done' } | Refusal<'amount' | 'file'>;

const FAILED = 'There was an error submitting your request. Please try again.';

function refused(error: FailureOf<typeof routes.uploadEvidence | typeof routes.requestFunding>): Outcome {
  return refusalOf(error, {
    failed: FAILED,
    codes: {
      amount_invalid: 'amount',
      evidence_missing: 'file',
      evidence_in_use: 'file',
      file_missing: 'file',
      file_empty: 'file',
      file_too_large: 'file',
      file_type: 'file',
    },
  });
}

/**
 * Sends a fund request: the evidence first, then the request that names it. Trying again after a failure uploads nothing
 * twice and repeats the same command under the same key, so that one lost answer never makes two requests.
 */
export function useSubmission(key: FormKey) {
  const [upload] = useUploadEvidenceMutation();
  const [request] = useRequestFundingMutation();
  const uploaded = useRef<{ file: File; evidenceId: string }>(undefined);
  const shown = useShownDepositAddresses();

  return async ({ amount, currency, file }: Submission): Promise<Outcome> => {
    if (uploaded.current?.file !== file) {
      const answer = await upload({ file });
      if (answer.error !== undefined) return refused(answer.error);
      uploaded.current = { file, evidenceId: answer.data.fileId };
    }
    const { evidenceId } = uploaded.current;
    const depositAddress = shown?.[currency] ?? undefined;
    const body = { amount, currency, evidenceId, ...(depositAddress !== undefined && { depositAddress }) };
    const answer = await request({ ...body, idempotencyKey: key.of(body) });
    if (answer.error !== undefined) {
      const refusal = refused(answer.error);
      if (refusal.kind === 'refused' && refusal.field === 'file') uploaded.current = undefined;
      return refusal;
    }
    uploaded.current = undefined;
    return { kind: 'done' };
  };
}
