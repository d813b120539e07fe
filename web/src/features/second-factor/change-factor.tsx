import { Button } from '@mantine/core';
import { useRemoveSecondFactorMutation, useRenewRecoveryCodesMutation } from '../../api';
import { Form, FormActs, notifySuccess } from '../../ui';
import { ProofFields, useProven } from './proof-fields';
import { useAndMoneyWaits } from './use-and-money-waits';

type Props = {
  /** Whether there is an app, which can be taken off. */
  readonly hasApp: boolean;
  readonly hasPasskey: boolean;
  /** Recovery codes that were not used. */
  readonly left: number;
  readonly onCodes: (codes: readonly string[]) => void;
};

/** What signing in asks for then. */
const WITHOUT = 'signing in asks for the password alone';
const WITH_PASSKEY = 'signing in asks for your passkey';

/** Gives new recovery codes, or takes the app off, with the password and a code or with a passkey. */
export function ChangeFactor({ hasApp, hasPasskey, left, onCodes }: Props) {
  const andMoneyWaits = useAndMoneyWaits();
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
        {hasApp && ` Once the app is off, ${hasPasskey ? WITH_PASSKEY : WITHOUT}${andMoneyWaits}.`}
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
