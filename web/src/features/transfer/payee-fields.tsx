import { Button, TextInput } from '@mantine/core';
import { Controller, type UseFormReturn } from 'react-hook-form';
import { Segments } from '../../ui';
import { transferTypes, type Fields } from './fields';
import type { Payee } from './use-payee';
import styles from './transfer-form.module.css';

const INCOMPLETE = 'Incomplete information';
export const filled = (text: string) => text.trim() !== '' || INCOMPLETE;

const captions = { local: 'Local', international: 'International' };

type Props = { readonly form: UseFormReturn<Fields>; readonly payee: Payee };

/** Whom it goes to: the number, and the name that belongs to it. */
export function PayeeFields({ form, payee }: Props) {
  const { errors } = form.formState;
  const { retry } = { retry: undefined, ...payee };
  return (
    <>
      <Controller
        control={form.control}
        name="transferType"
        render={({ field }) => (
          <Segments
            label="Transfer type"
            values={transferTypes}
            captions={captions}
            value={field.value}
            onChange={field.onChange}
          />
        )}
      />
      <div className={styles.pair}>
        <TextInput
          label="Account number"
          description="Looked up at ten characters."
          autoComplete="off"
          classNames={{ input: 'num' }}
          error={payee.kind === 'refused' ? payee.message : errors.accountNumber?.message}
          {...form.register('accountNumber', { validate: filled })}
        />
        <NameField form={form} payee={payee} />
      </div>
      {retry !== undefined && (
        <Button variant="default" size="xs" className={styles.retry ?? ''} onClick={retry}>
          Retry
        </Button>
      )}
      <p role="status" className={styles.said}>
        {saidOf(payee)}
      </p>
    </>
  );
}

function saidOf(payee: Payee): string {
  if (payee.kind === 'customer') return 'An account here: the money stays on the platform.';
  if (payee.kind !== 'bank' || payee.said === undefined) return '';
  return `${payee.said} It goes to a bank: type the name of the holder.`;
}

/** A customer's name is read from the look-up; of a bank's account the sender types it. */
function NameField({ form, payee }: Props) {
  const label = 'Account name';
  if (payee.kind === 'customer') {
    return (
      <TextInput
        key="found"
        label={label}
        description="From the look-up. Is this who you mean?"
        value={payee.name}
        readOnly
      />
    );
  }
  const isReadOnly = payee.kind === 'unknown';
  return (
    <TextInput
      key="typed"
      label={label}
      description={isReadOnly ? 'Filled in from the account number.' : 'As the bank knows the holder.'}
      placeholder={isReadOnly && payee.looking ? 'Please wait' : ''}
      readOnly={isReadOnly}
      autoComplete="off"
      error={form.formState.errors.accountName?.message}
      {...form.register('accountName', { validate: filled })}
    />
  );
}
