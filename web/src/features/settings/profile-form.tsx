import { TextInput } from '@mantine/core';
import { useForm } from 'react-hook-form';
import type { AccountView } from '#contracts';
import { refusalOf, useChangeProfileMutation } from '../../api';
import { useKey } from '../../lib';
import { Copy, Form, FormActs, notifySuccess } from '../../ui';
import { tellRefusal } from '../forms';
import styles from './settings.module.css';

/** Name and phone; what is left empty stays as it is. */
export function ProfileForm({ account }: { readonly account: AccountView }) {
  const { userId, firstname, lastname, phone, accountNumber } = account;
  const [change] = useChangeProfileMutation();
  const key = useKey();
  const { register, handleSubmit, formState, setError } = useForm({
    defaultValues: { firstname, lastname, phone },
  });
  const submit = handleSubmit(async (fields) => {
    const body = Object.fromEntries(Object.entries(fields).filter(([_name, text]) => text.trim() !== ''));
    const { error } = await change({ userId, ...body, idempotencyKey: key.of(body) });
    if (error === undefined) {
      key.done();
      notifySuccess('User info updated successfully!');
      return;
    }
    const refusal = refusalOf(error, {
      failed: 'Failed to update user info.',
      fields: ['firstname', 'lastname', 'phone'],
    });
    tellRefusal(refusal, setError);
  });
  const { errors, isSubmitting } = formState;
  return (
    <Form label="Profile" onSubmit={submit}>
      <div className={styles.pair}>
        <TextInput
          label="First name"
          autoComplete="given-name"
          error={errors.firstname?.message}
          {...register('firstname')}
        />
        <TextInput
          label="Last name"
          autoComplete="family-name"
          error={errors.lastname?.message}
          {...register('lastname')}
        />
      </div>
      <TextInput label="Phone" autoComplete="tel" error={errors.phone?.message} {...register('phone')} />
      <TextInput
        label="Account number"
        value={accountNumber}
        readOnly
        classNames={{ input: 'num' }}
        rightSectionWidth={44}
        rightSection={<Copy text={accountNumber} what="Account number" />}
      />
      <FormActs submit="Save profile" busy={isSubmitting}>
        Only the fields you fill in are saved.
      </FormActs>
    </Form>
  );
}
