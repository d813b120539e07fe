import { TextInput } from '@mantine/core';
import { Controller, type UseFormReturn } from 'react-hook-form';
import { paymentChoices, type AccountView } from '#contracts';
import { isAbove } from '../../lib';
import { AmountInput, Form, FormActs, Segments } from '../../ui';
import { amountProblem, availableOf, insufficient, Limit, useDraft } from '../forms';
import { isPin, PinInput, Proof, useProof, WRONG_PIN } from '../security';
import { MoneyWaits } from '../withdrawal';
import { BankFields } from './bank-fields';
import { empty, kept, type Fields } from './fields';
import { PayeeFields } from './payee-fields';
import { usePayee } from './use-payee';
import { useSending } from './use-sending';
import styles from './transfer-form.module.css';

type Props = {
  readonly account: AccountView;
  /** Whether there is a pin that can be used; without one a passkey is asked for. */
  readonly hasPin: boolean;
  readonly onDone: () => void;
};

/** The request to send money, to a customer here or to a bank. What was typed stays until it was accepted. */
export function TransferForm({ account, hasPin, onDone }: Props) {
  const { form, key, done } = useDraft<Fields>('transfer', empty, kept);
  const payee = usePayee(form.watch('accountNumber'));
  const proof = useProof('transfer', !hasPin);
  const send = useSending(form, payee, key, proof, () => {
    done();
    onDone();
  });
  const [currency, amount] = form.watch(['currency', 'amount']);
  const isTooMuch = isAbove(amount, account.sendable[currency]);
  const { isSubmitting, errors } = form.formState;
  return (
    <Form label="Transfer" onSubmit={form.handleSubmit(send)}>
      <MoneyWaits moneyOut={account.moneyOut} />
      <PayeeFields form={form} payee={payee} />
      {payee.kind === 'customer' ? (
        <TextInput label="Bank" value="On this platform" readOnly />
      ) : (
        <BankFields form={form} />
      )}
      <fieldset className={styles.part}>
        <legend>Amount</legend>
        <AmountFields account={account} form={form} isTooMuch={isTooMuch} />
        <TextInput
          label="Narration"
          description="Whoever gets it and the admins can read it."
          error={errors.narration?.message}
          {...form.register('narration')}
        />
        <Proof proof={proof} instead="pin">
          {() => (
            <PinInput
              label="Transfer pin"
              description="Your own four digits."
              error={errors.pin?.message}
              {...form.register('pin', { validate: (pin) => isPin(pin) || WRONG_PIN })}
            />
          )}
        </Proof>
      </fieldset>
      <FormActs
        submit="Submit transfer"
        busy={isSubmitting}
        disabled={
          account.moneyOut !== null ||
          isTooMuch ||
          payee.kind === 'refused' ||
          (payee.kind === 'unknown' && payee.looking)
        }
      >
        Stands as Pending until an admin confirms it.
      </FormActs>
    </Form>
  );
}

type AmountProps = {
  readonly account: AccountView;
  readonly form: UseFormReturn<Fields>;
  readonly isTooMuch: boolean;
};

function AmountFields({ account, form, isTooMuch }: AmountProps) {
  const currency = form.watch('currency');
  const most = account.sendable[currency];
  return (
    <>
      <Controller
        control={form.control}
        name="currency"
        render={({ field }) => (
          <Segments
            label="Paid in, and what is free"
            values={paymentChoices}
            value={field.value}
            onChange={field.onChange}
            figures={availableOf(account)}
          />
        )}
      />
      <AmountInput
        most={most}
        onMost={(all) => form.setValue('amount', all, { shouldValidate: true })}
        error={isTooMuch ? insufficient(currency) : form.formState.errors.amount?.message}
        {...form.register('amount', { validate: (text) => amountProblem(text) ?? true })}
      />
      <Limit account={account} currency={currency} done="sent" most={most} />
    </>
  );
}
