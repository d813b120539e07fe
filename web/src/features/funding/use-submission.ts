import { useRef } from 'react';
import type { PaymentCurrency } from '#contracts';
import {
  asApiError,
  isOutcomeUnknown,
  isSessionOver,
  UNKNOWN_OUTCOME,
  useRequestFundingMutation,
  useShownDepositAddresses,
  useUploadEvidenceMutation,
  type FailureOf,
  type routes,
} from '../../api';
import type { FormKey } from '../../lib';

export type Submission = {
  readonly amount: string;
  readonly currency: PaymentCurrency;
  readonly file: File;
};

export type Outcome =
  | { readonly kind: 'done' }
  /** The sign-in dialog is open and says why. */
  | { readonly kind: 'session' }
  | { readonly kind: 'refused'; readonly field: 'amount' | 'file' | 'form'; readonly message: string };

const FAILED = 'There was an error submitting your request. Please try again.';

function refusalOf(error: FailureOf<typeof routes.uploadEvidence | typeof routes.requestFunding>): Outcome {
  if (isSessionOver(error)) return { kind: 'session' };
  if (isOutcomeUnknown(error)) return { kind: 'refused', field: 'form', message: UNKNOWN_OUTCOME };
  const known = asApiError(error);
  if (known?.kind !== 'problem') return { kind: 'refused', field: 'form', message: FAILED };
  if (known.code.startsWith('file_') || known.code.startsWith('evidence_')) {
    return { kind: 'refused', field: 'file', message: known.detail };
  }
  if (known.code === 'deposit_address_changed')
    return { kind: 'refused', field: 'form', message: known.detail };
  if (known.code === 'amount_invalid') return { kind: 'refused', field: 'amount', message: known.detail };
  return { kind: 'refused', field: 'form', message: FAILED };
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
      if (answer.error !== undefined) return refusalOf(answer.error);
      uploaded.current = { file, evidenceId: answer.data.fileId };
    }
    const { evidenceId } = uploaded.current;
    const depositAddress = shown?.[currency] ?? undefined;
    const body = { amount, currency, evidenceId, ...(depositAddress !== undefined && { depositAddress }) };
    const answer = await request({ ...body, idempotencyKey: key.of(body) });
    if (answer.error !== undefined) {
      const refusal = refusalOf(answer.error);
      if (refusal.kind === 'refused' && refusal.field === 'file') uploaded.current = undefined;
      return refusal;
    }
    uploaded.current = undefined;
    return { kind: 'done' };
  };
}
