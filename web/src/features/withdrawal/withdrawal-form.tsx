import { Controller, type UseFormSetError } from 'react-hook-form';
import { Link } from 'react-router';
import {
  mainPaymentCurrency,
  pagePaths,
  paymentChoices,
  type AccountView,
  type PaymentCurrency,
} from '#contracts';
import { detailOf, refusalOf, useRequestWithdrawalMutation, useWithdrawableQuery } from '../../api';
import { isAbove, plainAmount, type FormKey } from '../../lib';
import { AmountInput, Form, FormActs, LoadFailed, notifySuccess, Segments } from '../../ui';
import { amountProblem, availableOf, insufficient, Limit, tellRefusal, useDraft, type Kept } from '../forms';
import { moneyProofOf, Proof, proofCodes, ProofInput, useProof } from '../security';
import { MoneyWaits } from './money-waits';
import { SavedAddress } from './saved-address';

const DONE = 'Your request has been submitted successfully!';
const PROOF_MISSING = 'Please enter your transfer pin or your password.';
const FAILED = 'There was an error submitting your request. Please try again.';

type Fields = { currency: PaymentCurrency; amount: string; proof: string };

const empty: Fields = { currency: mainPaymentCurrency, amount: '', proof: '' };
const kept: Kept<Fields> = { currency: paymentChoices, amount: 'text' };

type Props = {
  readonly account: AccountView;
  readonly onDone: () => void;
};

/**
 * What a request is sent as. The address that is shown goes with it: another one may be in force by now, and then nothing is
 * asked for.
 */
function bodyOf({ currency, amount }: Fields, { walletAddresses }: AccountView) {
  const { address } = walletAddresses[currency];
  return { currency, amount: plainAmount(amount), ...(address !== null && { walletAddress: address }) };
}

/**
 * Sends a request, or says at its field why it was refused. What proves who asks is no part of it, as with a transfer.
 */
function useRequesting(
  account: AccountView,
  key: FormKey,
  setError: UseFormSetError<Fields>,
  onDone: () => void,
) {
  const [request] = useRequestWithdrawalMutation();
  const proof = useProof('withdrawal');
  const send = async (fields: Fields): Promise<void> => {
    const body = bodyOf(fields, account);
    const proven = await proof.take(moneyProofOf(fields.proof));
    if (proven === undefined) return;
    const { error } = await request({ ...body, proof: proven, idempotencyKey: key.of(body) });
    if (error === undefined) {
      notifySuccess(DONE);
      onDone();
      return;
    }
    const refusal = refusalOf(error, {
      failed: FAILED,
      codes: {
        ...proofCodes,
        amount_invalid: 'amount',
        insufficient_balance: 'amount',
        money_out_waits: 'amount',
      },
      fields: ['amount', 'proof'],
    });
    tellRefusal(refusal, setError);
  };
  return { proof, send };
}

function NoAddress({ currency }: { readonly currency: PaymentCurrency }) {
  return (
    <p role="status">
      Save an address for {currency} in{' '}
      <Link className="action" to={pagePaths.settings}>
        Settings
      </Link>{' '}
      first, or choose another currency.
    </p>
  );
}

/** The request to be paid out. What was typed stays until the request was accepted. */
export function WithdrawalForm({ account, onDone }: Props) {
  const { data: limits, error: unknown, refetch } = useWithdrawableQuery({ userId: account.userId });
  const { form, key, done } = useDraft<Fields>('withdrawal', empty, kept);
  const { register, control, formState, setValue } = form;
  const { proof, send } = useRequesting(account, key, form.setError, () => {
    done();
    onDone();
  });
  const [currency, amount] = form.watch(['currency', 'amount']);
  const most = limits?.withdrawable[currency];
  const isTooMuch = most !== undefined && isAbove(amount, most);
  const { errors, isSubmitting } = formState;
  const payout = account.walletAddresses[currency];
  return (
    <Form label="Withdrawal" onSubmit={form.handleSubmit(send)}>
      <MoneyWaits moneyOut={account.moneyOut} />
      <Controller
        control={control}
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
        onMost={(all) => setValue('amount', all, { shouldValidate: true })}
        error={isTooMuch ? insufficient(currency) : errors.amount?.message}
        {...register('amount', { validate: (text) => amountProblem(text) ?? true })}
      />
      {limits === undefined && unknown !== undefined ? (
        <LoadFailed detail={detailOf(unknown)} onRetry={() => void refetch()} />
      ) : (
        <Limit
          account={account}
          currency={currency}
          done="withdrawn"
          remaining={{ least: limits?.minimumRemaining }}
          most={most}
        />
      )}
      <SavedAddress userId={account.userId} currency={currency} payout={payout} />
      {payout.address === null && payout.next === null && <NoAddress currency={currency} />}
      <Proof proof={proof} instead="pin or password">
        {() => (
          <ProofInput
            label="Transfer pin or password"
            description="Your four digits, or the password that you sign in with."
            error={errors.proof?.message}
            {...register('proof', { validate: (text) => text !== '' || PROOF_MISSING })}
          />
        )}
      </Proof>
      <FormActs
        submit="Submit request"
        busy={isSubmitting}
        disabled={isTooMuch || payout.address === null || account.moneyOut !== null}
      >
        Stands as Pending until an admin confirms it.
      </FormActs>
    </Form>
  );
}
