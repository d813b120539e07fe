import { TextInput } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { Controller } from 'react-hook-form';
import { mainPaymentCurrency, paymentChoices, type PaymentCurrency } from '#contracts';
import { plainAmount } from '../../lib';
import { Form, FormActs, notifyError, notifySuccess, Segments } from '../../ui';
import { amountProblem, useDraft, type Kept } from '../forms';
import { FileDrop } from './file-drop';
import { useSubmission } from './use-submission';
import { fileProblem, INVALID_AMOUNT } from './validate';

type Fields = { currency: PaymentCurrency; amount: string; file: File | null };

const empty: Fields = { currency: mainPaymentCurrency, amount: '', file: null };
const kept: Kept<Fields> = { currency: paymentChoices, amount: 'text' };

type Props = {
  readonly onCurrency: (currency: PaymentCurrency) => void;
  readonly onDone: () => void;
  /** Where to pay, beneath what it is paid in. */
  readonly children?: ReactNode;
};

/** The request to fund a wallet. What was typed stays until the request was accepted. */
export function FundForm({ onCurrency, onDone, children }: Props) {
  const { form, begin, key, done } = useDraft<Fields>('funding', empty, kept);
  const { register, control, handleSubmit, formState, setError, setValue } = form;
  const submitRequest = useSubmission(key);
  useEffect(() => onCurrency(begin.currency), [onCurrency, begin]);
  const submit = handleSubmit(async ({ currency, amount, file }) => {
    if (file === null) return;
    const outcome = await submitRequest({ currency, amount: plainAmount(amount), file });
    if (outcome.kind === 'done') {
      notifySuccess('Your request has been submitted successfully!');
      done();
      onCurrency(empty.currency);
      onDone();
    } else if (outcome.kind === 'refused' && outcome.field !== 'form') {
      // A file that was refused is not sent again: it is chosen anew.
      if (outcome.field === 'file') setValue('file', null);
      setError(outcome.field, { message: outcome.message }, { shouldFocus: true });
    } else if (outcome.kind === 'refused') notifyError(outcome.message);
  });
  const { errors, isSubmitting } = formState;
  return (
    <Form onSubmit={submit}>
      <Controller
        control={control}
        name="currency"
        render={({ field }) => (
          <Segments
            label="Paid in"
            values={paymentChoices}
            value={field.value}
            onChange={(value) => {
              field.onChange(value);
              onCurrency(value);
            }}
          />
        )}
      />
      {children}
      <TextInput
        label="Amount, USD"
        inputMode="decimal"
        autoComplete="off"
        error={errors.amount?.message}
        classNames={{ input: 'num' }}
        {...register('amount', { validate: (amount) => amountProblem(amount, INVALID_AMOUNT) ?? true })}
      />
      <Controller
        control={control}
        name="file"
        rules={{ validate: (file) => fileProblem(file) ?? true }}
        render={({ field }) => (
          <FileDrop
            label="Payment evidence"
            hint="An image or a PDF, up to 10 MB. Only you and the operator’s admins can open it."
            file={field.value}
            error={errors.file?.message}
            onChange={field.onChange}
          />
        )}
      />
      <FormActs submit="Submit request" busy={isSubmitting}>
        Stands as Pending until an admin confirms it.
      </FormActs>
    </Form>
  );
}
