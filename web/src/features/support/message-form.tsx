import { Textarea, TextInput } from '@mantine/core';
import { refusalOf, useSendMessageMutation } from '../../api';
import { Form, FormActs, notifySuccess } from '../../ui';
import { tellRefusal, useDraft, type Kept } from '../forms';

const empty = { subject: '', message: '' };
const kept: Kept<typeof empty> = { subject: 'text', message: 'text' };
const MESSAGE_MISSING = 'Please enter a message.';

/** A customer's message to the platform: who sends it is known. */
export function MessageForm() {
  const [send] = useSendMessageMutation();
  const { form, key, done } = useDraft('support', empty, kept);
  const { register, handleSubmit, formState, setError } = form;
  const submit = handleSubmit(async (body) => {
    const { error } = await send({ ...body, idempotencyKey: key.of(body) });
    if (error === undefined) {
      done();
      notifySuccess('Message sent successfully!');
      return;
    }
    tellRefusal(
      refusalOf(error, { failed: 'Something went wrong.', fields: ['subject', 'message'] }),
      setError,
    );
  });
  const { errors, isSubmitting } = formState;
  return (
    <Form label="Write to support" onSubmit={submit}>
      <TextInput label="Subject" error={errors.subject?.message} {...register('subject')} />
      <Textarea
        label="Message"
        rows={7}
        error={errors.message?.message}
        {...register('message', { validate: (text) => text.trim() !== '' || MESSAGE_MISSING })}
      />
      <FormActs submit="Send message" busy={isSubmitting}>
        The admins see it with your name, e-mail and phone.
      </FormActs>
    </Form>
  );
}
