import { Button } from '@mantine/core';
import { useRemoveSecondFactorMutation, useRenewRecoveryCodesMutation } from '../../api';
import { Form, FormActs, notifySuccess } from '../../ui';
import { ProofFields, useProven } from './proof-fields';

type Props = {
  /** Whether there is an app, which can be taken off. */
  readonly hasApp: boolean;
  /** Recovery codes that were not used. */
  readonly left: number;
  readonly onCodes: (codes: readonly string[]) => void;
};

/** Gives new recovery codes, or takes the app off, with the password and a code or with a passkey. */
export function ChangeFactor({ hasApp, left, onCodes }: Props) {
  const [remove] = useRemoveSecondFactorMutation();
  const [renew] = useRenewRecoveryCodesMutation();
  const { form, proof, submit } = useProven('second factor');
  const renewed = submit(renew, ({ recoveryCodes }) => {
    form.reset();
    onCodes(recoveryCodes);
  });
  const removed = submit(remove, ({ message }) => notifySuccess(message));
  const { isSubmitting } = form.formState;
  return (
    <Form label={hasApp ? 'Change the second factor' : 'Recovery codes'} onSubmit={renewed}>
      <p className="soft">
        {hasApp && 'On. '}Recovery codes left: {left}.
        {hasApp && ' Once the app is off, no money leaves your account for the waiting time.'}
      </p>
      <ProofFields form={form} proof={proof} />
      <FormActs submit="New recovery codes" busy={isSubmitting} quiet>
        {hasApp && (
          <Button variant="default" disabled={isSubmitting} onClick={(event) => void removed(event)}>
            Switch off
          </Button>
        )}
      </FormActs>
    </Form>
  );
}
