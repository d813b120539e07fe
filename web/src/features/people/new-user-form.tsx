import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { refusalOf } from '../../api';
import { useKey } from '../../lib';
import { Form, FormActs, notifyError, notifySuccess, Segments } from '../../ui';
import { tellRefusal } from '../forms';
import { useSystemSettingsQuery } from '../operations';
import { useCreateAccountMutation, useMailPasswordLinkMutation } from './api';
import styles from './people.module.css';

const filled = (text: string) => text.trim() !== '' || 'Incomplete information';

const empty = { firstname: '', lastname: '', email: '', phone: '', password: '', confirmPassword: '' };

/** Who sets the first password: the admin here, or the person by a link. */
const ways = ['here', 'link'] as const;
const captions = { here: 'Set a password', link: 'Mail a link to set one' } as const;
type Way = (typeof ways)[number];

/** A password that nobody has seen, with characters of every kind that a policy may ask for. */
function unseenPassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return `aA1!${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Whether mails are sent at all. */
function useSendsMails(): boolean {
  const items = useSystemSettingsQuery().data?.items ?? [];
  return items.some(({ name, source }) => name === 'SMTP_URL' && source !== 'default');
}

/** Registers a customer who signs in first with the password given here and then chooses their own, or sets one by a link in a mail. */
export function NewUserForm({ onDone }: { readonly onDone: (userId: string) => void }) {
  const [way, setWay] = useState<Way>('here');
  const sendsMails = useSendsMails();
  // The same at each try, so that a repeat of what was cut off is the same request.
  const [unseen] = useState(unseenPassword);
  const [create] = useCreateAccountMutation();
  const [mailLink] = useMailPasswordLinkMutation();
  const key = useKey();
  const { register, handleSubmit, formState, setError } = useForm({
    defaultValues: empty,
  });
  const submit = handleSubmit(async (typed) => {
    const body = way === 'here' ? typed : { ...typed, password: unseen, confirmPassword: unseen };
    const { data, error } = await create({ ...body, idempotencyKey: key.of(body) });
    if (error === undefined) {
      key.done();
      notifySuccess('Registration successful');
      if (way === 'link' && (await mailLink({ email: body.email })).error !== undefined)
        notifyError('No link was mailed. The person can ask for one at sign-in.');
      onDone(data.userId);
      return;
    }
    const refusal = refusalOf(error, {
      failed: 'The registration did not go through.',
      codes: { email_exists: 'email', password_policy: 'password' },
      fields: ['firstname', 'lastname', 'email', 'phone', 'password', 'confirmPassword'],
    });
    tellRefusal(refusal, setError);
  });
  const { errors, isSubmitting } = formState;
  const field = (name: keyof typeof empty) => ({
    error: errors[name]?.message,
    ...register(name, { validate: filled }),
  });
  return (
    <Form label="New User Registration" onSubmit={submit}>
      <div className={styles.pair}>
        <TextInput label="First name" autoComplete="off" {...field('firstname')} />
        <TextInput label="Last name" autoComplete="off" {...field('lastname')} />
      </div>
      <TextInput label="E-mail" type="email" autoComplete="off" {...field('email')} />
      <TextInput label="Phone" type="tel" autoComplete="off" {...field('phone')} />
      {sendsMails && (
        <Segments label="First password" values={ways} captions={captions} value={way} onChange={setWay} />
      )}
      {way === 'here' && (
        <>
          <TextInput label="Password" type="password" autoComplete="new-password" {...field('password')} />
          <TextInput
            label="Confirm password"
            type="password"
            autoComplete="new-password"
            error={errors.confirmPassword?.message}
            {...register('confirmPassword', {
              validate: (text, { password }) => text === password || 'Passwords do not match',
            })}
          />
        </>
      )}
      <FormActs submit="Create User" busy={isSubmitting}>
        {way === 'here'
          ? 'This password is for the first sign-in: the person has to choose another one before anything else.'
          : 'The link is good for 30 minutes; at sign-in the person can ask for another one. Nobody can sign in before.'}
      </FormActs>
    </Form>
  );
}
