import { TextInput } from '@mantine/core';
import type { UseFormReturn } from 'react-hook-form';
import type { Fields } from './fields';
import { filled } from './payee-fields';
import styles from './transfer-form.module.css';

/** The bank that an outgoing transfer is paid to; abroad it needs a code too. */
export function BankFields({ form }: { readonly form: UseFormReturn<Fields> }) {
  const { register, watch } = form;
  const { errors } = form.formState;
  const isAbroad = watch('transferType') === 'international';
  return (
    <fieldset className={styles.part}>
      <legend>Bank</legend>
      <div className={styles.pair}>
        <TextInput
          label="Bank name"
          error={errors.bankName?.message}
          {...register('bankName', { validate: filled })}
        />
        <TextInput label="Bank address" error={errors.bankAddress?.message} {...register('bankAddress')} />
      </div>
      <div className={styles.pair}>
        <TextInput
          label="Routing number"
          error={errors.routingNumber?.message}
          {...register('routingNumber')}
        />
        {isAbroad && (
          <TextInput
            label="SWIFT/BIC/IBAN"
            error={errors.swiftBicIban?.message}
            {...register('swiftBicIban', { validate: filled, shouldUnregister: true })}
          />
        )}
      </div>
      <TextInput
        label="Holder address"
        error={errors.holderAddress?.message}
        {...register('holderAddress')}
      />
    </fieldset>
  );
}
