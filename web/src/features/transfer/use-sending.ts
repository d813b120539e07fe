import type { UseFormReturn } from 'react-hook-form';
import { hasCode, refusalOf, useRequestTransferMutation } from '../../api';
import type { FormKey } from '../../lib';
import { notifyError, notifySuccess } from '../../ui';
import { tellRefusal } from '../forms';
import type { FormProof } from '../security';
import { bodyOf, type Fields } from './fields';
import type { Payee } from './use-payee';

const DONE = 'Transfer submitted successfully!';
const FAILED = 'Failed to submit transfer. Please try again.';
const GONE = 'This account number is no customer’s any more. Nothing was sent.';

/** The fields of a bank, which the form has unless the number is a customer's. */
const bankFields = [
  'accountName',
  'bankName',
  'bankAddress',
  'routingNumber',
  'swiftBicIban',
  'holderAddress',
] as const;
const isOfBank = (field: string) => bankFields.some((name) => name === field);

/**
 * Sends a transfer. The pin or a passkey proves who asks and is no part of what is asked: a transfer that is sent again with a pin that
 * was mistyped first is the same one, and never done twice.
 */
export function useSending(
  form: UseFormReturn<Fields>,
  payee: Payee,
  key: FormKey,
  proof: FormProof,
  onDone: () => void,
) {
  const [request] = useRequestTransferMutation();
  return async (fields: Fields): Promise<void> => {
    const body = bodyOf(fields, payee);
    const proven = await proof.take({ pin: fields.pin });
    if (proven === undefined) return;
    const shown = 'passkey' in proven ? { proof: proven } : proven;
    const { error } = await request({ ...body, ...shown, idempotencyKey: key.of(body) });
    if (error === undefined) {
      notifySuccess(DONE);
      onDone();
      return;
    }
    if (hasCode(error, 'pin_wrong')) form.setValue('pin', '');
    const refusal = refusalOf(error, {
      failed: FAILED,
      codes: {
        amount_invalid: 'amount',
        insufficient_balance: 'amount',
        transfer_to_self: 'accountNumber',
        account_number_unusable: 'accountNumber',
        pin_wrong: 'pin',
      },
      fields: ['accountNumber', ...bankFields, 'amount', 'narration', 'pin'],
    });
    // The form has no such field to say it at, as the number was a customer's when it was looked up.
    if (payee.kind === 'customer' && refusal.kind === 'refused' && isOfBank(refusal.field)) {
      notifyError(GONE);
      payee.again();
      return;
    }
    tellRefusal(refusal, form.setError);
  };
}
