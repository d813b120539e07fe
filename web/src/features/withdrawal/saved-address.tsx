import { Button } from '@mantine/core';
import type { AccountView, PaymentCurrency } from '#contracts';
import { refusalOf, useCancelWalletAddressMutation } from '../../api';
import { useKey } from '../../lib';
import { Copy, Notice, notifyError, notifySuccess, When } from '../../ui';
import { networkName } from '../forms';
import styles from './saved-address.module.css';

const FAILED = 'The change could not be canceled. Try again.';

type Props = {
  readonly userId: string;
  readonly currency: PaymentCurrency;
  readonly payout: AccountView['walletAddresses'][PaymentCurrency];
};

/** The address in force with its network, and another one that waits, which can be canceled. */
export function SavedAddress({ userId, currency, payout: { address, network, next } }: Props) {
  return (
    <div className={styles.saved}>
      <dl>
        <dt>{currency} address in force</dt>
        <dd className={styles.address}>
          {address === null ? (
            <span className="soft">None yet</span>
          ) : (
            <>
              <span className="code">{address}</span>
              <Copy text={address} what="Wallet address" />
            </>
          )}
        </dd>
        <dt>Network</dt>
        <dd>
          <b>{networkName(currency, network)}</b>
        </dd>
      </dl>
      {next !== null && (
        <Notice
          role="status"
          title="Another address waits"
          action={<Cancel userId={userId} currency={currency} />}
        >
          From <When iso={next.from} /> withdrawals go to <span className="code">{next.address}</span>. If it
          was not you who set it, cancel it and change your password.
        </Notice>
      )}
    </div>
  );
}

function Cancel({ userId, currency }: Pick<Props, 'userId' | 'currency'>) {
  const [cancel, { isLoading }] = useCancelWalletAddressMutation();
  const key = useKey();
  const keep = async () => {
    const { error } = await cancel({ userId, currency, idempotencyKey: key.of(currency) });
    if (error === undefined) {
      key.done();
      notifySuccess('The wallet address stays as it is.');
      return;
    }
    const refusal = refusalOf(error, { failed: FAILED });
    if (refusal.kind === 'refused') notifyError(refusal.message);
  };
  return (
    <Button variant="default" size="xs" loading={isLoading} onClick={() => void keep()}>
      Cancel the change
    </Button>
  );
}
