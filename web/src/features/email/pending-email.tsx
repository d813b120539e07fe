import { Button } from '@mantine/core';
import type { EmailChangeView } from '#contracts';
import { refusalOf, useCancelEmailChangeMutation } from '../../api';
import { Notice, notifyError, notifySuccess, When } from '../../ui';

const FAILED = 'The change could not be canceled. Try again.';

/** An e-mail address that a link was sent to, until when it is good, and the way to make it void. */
export function PendingEmail({ email, expiresAt }: NonNullable<EmailChangeView['pending']>) {
  const [cancel, { isLoading }] = useCancelEmailChangeMutation();
  const keep = async () => {
    const { data, error } = await cancel();
    if (error === undefined) {
      notifySuccess(data.message);
      return;
    }
    const refusal = refusalOf(error, { failed: FAILED });
    if (refusal.kind === 'refused') notifyError(refusal.message);
  };
  return (
    <Notice
      role="status"
      title="A new address waits for its link"
      action={
        <Button variant="default" size="xs" loading={isLoading} onClick={() => void keep()}>
          Cancel the change
        </Button>
      }
    >
      A link was sent to <b>{email}</b>. It is valid until <When iso={expiresAt} />, and once. If it was not
      you who asked, cancel it and change your password.
    </Notice>
  );
}
