import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { mainPaymentCurrency, paymentChoices, type AccountView } from '#contracts';
import { refusalOf, useSaveWalletAddressMutation } from '../../api';
import { useKey } from '../../lib';
import { Form, FormActs, notifySuccess, Segments } from '../../ui';
import { networkName, tellRefusal } from '../forms';
import { codeCodes, codeOf, proofCodes, SecurityProof, useProof } from '../security';
import { SavedAddress } from './saved-address';

const ADDRESS_MISSING = 'Please enter a wallet address.';
const FAILED = 'Error updating wallet address. Try again.';

type Props = Pick<AccountView, 'userId' | 'walletAddresses' | 'changeWaitHours'> & {
  /** Asks for the first one. */
  readonly isFirst?: boolean;
};

/** Where withdrawals in each currency go, and another address for one. */
export function AddressForm({ userId, walletAddresses, changeWaitHours, isFirst = false }: Props) {
  const [currency, setCurrency] = useState(mainPaymentCurrency);
  const [save] = useSaveWalletAddressMutation();
  const key = useKey();
  const proof = useProof('security');
  const { register, handleSubmit, formState, setError, reset } = useForm({
    defaultValues: { walletAddress: '', proof: '', code: '' },
  });
  const payout = walletAddresses[currency];
  const submit = handleSubmit(async ({ walletAddress, proof: password, code }) => {
    const body = { walletAddress: walletAddress.trim(), currency };
    const proven = await proof.take({ password, ...codeOf(code) });
    if (proven === undefined) return;
    const { error } = await save({ userId, ...body, proof: proven, idempotencyKey: key.of(body) });
    if (error === undefined) {
      key.done();
      reset();
      notifySuccess('wallet address updated');
      return;
    }
    const refusal = refusalOf(error, {
      failed: FAILED,
      codes: { ...proofCodes, ...codeCodes },
      fields: ['walletAddress', 'proof', 'code'],
    });
    tellRefusal(refusal, setError);
  });
  const { errors, isSubmitting } = formState;
  const isChange = (payout.address !== null || payout.next !== null) && changeWaitHours > 0;
  const meanwhile = payout.address === null ? '' : '; the one of now goes on until then';
  return (
    <Form label="Where withdrawals go" onSubmit={submit}>
      {isFirst && (
        <p className="soft">
          Your withdrawals need somewhere to go. Save your wallet address first; you can change it in
          Settings.
        </p>
      )}
      <Segments label="Address for" values={paymentChoices} value={currency} onChange={setCurrency} />
      {!isFirst && <SavedAddress userId={userId} currency={currency} payout={payout} />}
      <TextInput
        label="Wallet address"
        description={`Over ${networkName(currency, payout.network)}. What is sent over another network, or to a wrong address, is lost.`}
        autoComplete="off"
        spellCheck={false}
        error={errors.walletAddress?.message}
        classNames={{ input: 'code' }}
        {...register('walletAddress', {
          validate: (address) => address.trim() !== '' || ADDRESS_MISSING,
        })}
      />
      <SecurityProof proof={proof} register={register} errors={errors} />
      <FormActs submit="Save address" busy={isSubmitting} quiet={!isFirst}>
        {isChange ? `In force after ${changeWaitHours} hours${meanwhile}.` : 'In force at once.'}
      </FormActs>
    </Form>
  );
}
